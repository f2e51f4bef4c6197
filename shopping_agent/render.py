"""The turn in plain words, as `run` returns it and history keeps it. Facts come from records only."""

from __future__ import annotations

from typing import assert_never

from search_client.models import Product
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


def _found(found: ProductsFound) -> str:
    results = found.results
    wish = shortened(results.query.text) or "everything"
    if not results.hits:
        hints = [f"{r.total} without {r.value!r}" for r in results.relaxations[:3] if r.total]
        told = f" There are {', '.join(hints)}." if hints else ""
        offers = ", ".join(choice.label for choice in found.offers)
        nothing = f"Nothing for “{wish}” fits every wish." if hints else f"This shop has nothing for “{wish}”."
        return f"{nothing}{told}" + (f" It does have: {offers}." if offers and not hints else "")
    closest = "Nothing has all of it; the closest of " if results.relaxed else "Found "
    told = "".join(f"Read “{c.typed}” as “{c.used}”. " for c in results.corrections)
    return f"{told}{closest}{results.total} for “{wish}”:\n{numbered(results.products)}"


def _shown(result: ProductShown) -> str:
    product = result.product
    if result.aspect:
        quotes = "\n".join(f"{quote.field}: {quote.text}" for quote in result.quotes)
        return f"{line(product)}\n{quotes or 'The listing does not tell: ' + result.aspect + '.'}"
    facts = "\n".join(f"{name}: {value}" for name, value in product.attributes)
    return "\n".join(part for part in (line(product), product.description, facts) if part)


def _compared(result: ProductsCompared) -> str:
    rows = [f"{row.name}: {' | '.join(value or 'not stated' for value in row.values)}" for row in result.rows]
    return "\n".join(["Compared:", numbered(result.products), *rows])


def _asked(result: QuestionAsked) -> str:
    return "\n".join(part for part in (result.question, numbered(result.candidates)) if part)


def render(result: ActionResult) -> str:
    """The result as plain text."""
    match result:
        case ProductsFound():
            return _found(result)
        case ProductShown():
            return _shown(result)
        case ProductsCompared():
            return _compared(result)
        case QuestionAsked():
            return _asked(result)
        case _:
            assert_never(result)
