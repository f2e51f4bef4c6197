"""The turn in plain words, as `run` returns it and history keeps it. Facts come from records only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from search_client.models import Product
from shopping_agent.offline.lexicon import load_lexicon
from shopping_agent.results import ActionResult, ProductsCompared, ProductsFound, ProductShown, QuestionAsked

MAX_WISH_CHARS = 80


def line(product: Product) -> str:
    """One product as history lists it: `Name (ID: p1) — 19.99 USD, rated 4.5 of 5, out of stock`."""
    facts = [str(product.price) if product.price else "price not stated"]
    if product.rating is not None:
        facts.append(f"rated {product.rating:g} of 5")
    if not product.availability.buyable:
        facts.append("out of stock")
    return f"{product.title} (ID: {product.id}) — {', '.join(facts)}"


def numbered(products: tuple[Product, ...], *, start: int = 1) -> str:
    """Products one a line, numbered as on the page."""
    return "\n".join(f"{position}. {line(product)}" for position, product in enumerate(products, start=start))


def shortened(text: str) -> str:
    """At most `MAX_WISH_CHARS` characters of a wish, cut at a word: what is repeated is read at a glance."""
    return text if len(text) <= MAX_WISH_CHARS else text[:MAX_WISH_CHARS].rsplit(" ", 1)[0] + " …"


def _found(found: ProductsFound, says: Mapping[str, str]) -> str:
    results = found.results
    wish = shortened(results.query.text) or says["everything"]
    if not results.hits:
        hints = ", ".join(
            says["without"].format(total=r.total, value=r.value) for r in results.relaxations[:3] if r.total
        )
        if hints:
            return f"{says['unfit'].format(wish=wish)} {says['there_are'].format(hints=hints)}"
        offers = ", ".join(choice.label for choice in found.offers)
        nothing = says["nothing"].format(wish=wish)
        return f"{nothing} {says['does_have'].format(offers=offers)}" if offers else nothing
    read = [says["read"].format(typed=c.typed, used=c.used) for c in results.corrections]
    counted = says["closest" if results.relaxed else "found"].format(total=results.total, wish=wish)
    return " ".join((*read, counted)) + "\n" + numbered(results.products)


def _shown(result: ProductShown, says: Mapping[str, str]) -> str:
    product = result.product
    if result.aspect:
        quotes = "\n".join(f"{quote.field}: {quote.text}" for quote in result.quotes)
        return f"{line(product)}\n{quotes or says['not_told'].format(aspect=result.aspect)}"
    facts = "\n".join(f"{name}: {value}" for name, value in product.attributes)
    return "\n".join(part for part in (line(product), product.description, facts) if part)


def _compared(result: ProductsCompared, says: Mapping[str, str]) -> str:
    rows = [f"{row.name}: {' | '.join(value or says['not_stated'] for value in row.values)}" for row in result.rows]
    return "\n".join([says["compared"], numbered(result.products), *rows])


def _asked(result: QuestionAsked) -> str:
    return "\n".join(part for part in (result.question, numbered(result.candidates)) if part)


def render(result: ActionResult, *, language: str = "en") -> str:
    """The result as plain text, the sentences around the records in one of the built-in model's languages."""
    says = load_lexicon().languages[language].says
    match result:
        case ProductsFound():
            return _found(result, says)
        case ProductShown():
            return _shown(result, says)
        case ProductsCompared():
            return _compared(result, says)
        case QuestionAsked():
            return _asked(result)
        case _:
            assert_never(result)
