"""The first pass over a feed: what holds for the whole file is decided here, from all its records, with evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from search_client.errors import FeedError
from search_client.feeds.currency import CROWNS, candidates
from search_client.feeds.draft import Draft
from search_client.feeds.grouping import SeenIds
from search_client.feeds.options import FeedOptions
from search_client.feeds.price import DecimalEvidence, prices_in, shape
from search_client.feeds.shaping import supplier_in_title
from search_client.feeds.words import rating

_MINOR_SAMPLE = 50
_IMPLAUSIBLE_MAJOR = 1_000_000
_MAX_OPEN = 10_000
_DEFAULT_CURRENCY = "USD"


@dataclass(frozen=True, slots=True)
class Style:
    """How one file writes what it writes."""

    decimal: str = "."
    three_decimals: bool = False
    currency: str = _DEFAULT_CURRENCY
    minor: bool = False
    rating_scale: Decimal = Decimal(5)
    supplier_is_brand: bool = False
    scattered: bool = False
    """Records of one product do not follow each other."""
    has_ids: bool = True
    """False: no record names an id; ids are made from titles."""
    currency_assumed: bool = False
    """No price names one and none was told."""
    prices: int = 0
    records: int = 0
    evidence: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Survey:
    """Collects the evidence of one file in bounded memory."""

    options: FeedOptions
    decimals: DecimalEvidence = field(default_factory=DecimalEvidence)
    currencies: Counter[str] = field(default_factory=Counter)
    other_currencies: Counter[str] = field(default_factory=Counter)
    """Named beside other amounts, such as shipping."""
    dollars: int = 0
    """Prices in a bare `$`."""
    yen_cents: int = 0
    """Prices in yen that have decimals, which yen have not."""
    crowns: int = 0
    """Prices in `kr`, which three countries and Iceland use."""
    drafts: int = 0
    ids: int = 0
    codes: int = 0
    whole: int = 0
    endings: Counter[int] = field(default_factory=Counter)
    highest: int = 0
    fractions: int = 0
    suppliers: int = 0
    supplier_titles: int = 0
    highest_rating: Decimal = Decimal(0)
    format_minor: bool = False
    scattered: bool = False
    families: bool = False
    open_amounts: list[int] = field(default_factory=list)
    open_fractions: int = 0
    learnt_decimal: str = ""
    """From other files of the same archive; empty: not needed, or they do not agree."""
    learnt_currency: str = ""
    _groups: SeenIds | None = None
    _group: str = ""

    def add(self, draft: Draft) -> None:
        """Takes one draft, and its variants, into account."""
        self.drafts += 1
        self.ids += bool(draft.id)
        self.codes += bool(draft.sku or draft.gtin)
        self.families = self.families or bool(draft.child_of or draft.claims)
        if draft.supplier:
            self.suppliers += 1
            self.supplier_titles += bool(supplier_in_title(draft))
        if (
            draft.rating is not None
            and (found := rating(draft.rating))
            and found[1] is None
            and draft.rating_scale is None
        ):
            self.highest_rating = max(self.highest_rating, found[0])
        if draft.group != self._group:
            self._enter_group(draft.group)
        for text in draft.other_amounts:
            for currency in candidates_in(text):
                self.other_currencies[currency] += 1
        self._add_offer(draft)
        for variant in draft.variants:
            self._add_offer(variant)

    def _enter_group(self, group: str) -> None:
        self._group = group
        if group and not self.scattered:
            self._groups = self._groups or SeenIds()
            self.scattered = not self._groups.add(group)

    def _add_offer(self, draft: Draft) -> None:
        self.format_minor = self.format_minor or draft.minor
        if draft.unit_open:
            self._add_open(draft)
        named = candidates(draft.currency) if draft.currency else ()
        for currency in named[:1]:
            self.currencies[currency] += 1
        for price in (draft.price, draft.sale_price, draft.list_price):
            if isinstance(price, str):
                self._add_text(price, draft.line, named)
            elif price is not None:
                self._add_number(price)

    def _add_open(self, draft: Draft) -> None:
        """A price whose format leaves open whether it counts in cents."""
        for price in prices_in(str(draft.price or "")):
            if price.number.isdigit() and int(price.number):
                self.open_amounts.append(int(price.number))
            elif not price.number.isdigit():
                self.open_fractions += 1
        del self.open_amounts[_MAX_OPEN:]

    def _add_text(self, text: str, line: int, named: tuple[str, ...]) -> None:
        prices = prices_in(text, self.options.currency)
        if len(prices) != 1:  # no price, or several in one cell: it proves nothing but that they are known
            self.other_currencies.update(price.currency for price in prices if price.currency)
            return
        price = prices[0]
        currency = price.currency or (named[0] if named else self.options.currency)
        self.crowns += price.currency in CROWNS and "kr" in text.casefold()
        self.dollars += price.currency == "USD" and text.strip().strip("0123456789., ") == "$"
        self.yen_cents += price.currency == "JPY" and shape(price.number) in (".", ",") and "," not in price.number
        if price.currency:
            self.currencies[price.currency] += 1
        self.decimals.add(price, line, currency)
        if price.number.isdigit():
            self._add_number(int(price.number))
        else:
            self.fractions += 1

    def _add_number(self, number: int | Decimal) -> None:
        if number != int(number):
            self.fractions += 1
            return
        whole = int(number)
        if whole > 0:
            self.whole += 1
            self.endings[whole % 100] += 1
            self.highest = max(self.highest, whole)

    def close(self) -> None:
        """Frees what only the collecting needed."""
        if self._groups:
            self._groups.close()
            self._groups = None

    def learn(self, beside: Iterable[Survey]) -> None:
        """Takes over from the other files of the same archive what the own prices leave open.

        What they prove themselves stands: an archive may hold the exports of several countries.
        """
        others = [other for other in beside if other is not self]
        signs = {other.decimals.proven for other in others} - {""}
        if self.decimals.is_open and len(signs) == 1:
            self.learnt_decimal = signs.pop()
        if not (self.currencies or self.other_currencies):
            named = {currency for other in others for currency in (*other.currencies, *other.other_currencies)}
            self.learnt_currency = named.pop() if len(named) == 1 else ""

    def decide(self) -> Style:
        """The style of the file. Raises `FeedError` where it is open and a guess could be wrong."""
        self.close()
        sign, why_sign = self.decimals.decide(self.options.decimal or self.learnt_decimal or None)
        if self.learnt_decimal and not self.options.decimal:
            why_sign = "proven by another file of the archive"
        currency, why_currency = self._currency()
        minor, why_minor = self._minor()
        evidence = [("decimal", why_sign), ("currency", why_currency), ("price_unit", why_minor)]
        supplier_is_brand = self.suppliers > 0 and self.supplier_titles >= 0.6 * self.suppliers
        if supplier_is_brand:
            evidence.append(
                (
                    "brand",
                    f"the supplier begins {self.supplier_titles:,} of {self.suppliers:,} titles; read for these alone",
                )
            )
        if not self.ids and not self.codes and self.drafts:
            evidence.append(("id", "no column holds ids: made from the titles"))
        scale = Decimal(5) if self.highest_rating <= 5 else Decimal(10) if self.highest_rating <= 10 else Decimal(100)
        return Style(
            decimal=sign,
            three_decimals=self.decimals.thirds > 0 or self.options.decimal is not None,
            currency=currency,
            minor=minor,
            rating_scale=scale,
            supplier_is_brand=supplier_is_brand,
            scattered=self.scattered or self.families,
            has_ids=bool(self.ids),
            currency_assumed=not (
                self.options.currency or self.currencies or self.other_currencies or self.learnt_currency
            ),
            prices=self.whole + self.fractions,
            records=self.drafts,
            evidence=tuple(evidence),
        )

    def _currency(self) -> tuple[str, str]:
        if self.options.currency:
            return self.options.currency, "told"
        if self.learnt_currency:
            return self.learnt_currency, "named in another file of the archive"
        for counter, what in ((self.currencies, "prices"), (self.other_currencies, "other amounts")):
            if counter:
                best, count = counter.most_common(1)[0]
                if best in CROWNS and self.crowns == count:
                    raise FeedError(
                        "Prices in 'kr' may be of several countries. Say which: --currency SEK, NOK, DKK or ISK."
                    )
                if best == "JPY" and self.yen_cents:
                    raise FeedError(
                        "Prices in '¥' have decimals, which yen have not. Say which: --currency CNY or JPY."
                    )
                others = "" if len(counter) == 1 else f"; others: {dict(counter.most_common(5)[1:])}"
                sign = (
                    "; '$' is taken for USD, --currency CODE says otherwise" if self.dollars and best == "USD" else ""
                )
                return best, f"named by {count:,} {what}{others}{sign}"
        return _DEFAULT_CURRENCY, f"no price names one: {_DEFAULT_CURRENCY} assumed, --currency CODE says otherwise"

    def _minor(self) -> tuple[bool, str]:
        """Whether prices are counted in cents.

        Only where nothing else is likely: all are whole, nearly all end like cents do (95, 94, 45, 44: whole amounts
        end in 00, 99, 50) and the highest is a million or more, which as it stands no shop asks for.
        """
        if self.format_minor:
            return False, "the format counts in minor units"
        if self.options.price_unit:
            return self.options.price_unit == "minor", "told"
        if self.open_amounts and not self.open_fractions:
            return self._open_unit()
        if self.fractions or self.whole < _MINOR_SAMPLE or self.currencies:
            return False, "prices have decimals or name their currency" if self.fractions else "as written"
        charm = sum(count for ending, count in self.endings.items() if ending in (95, 94, 45, 44, 97, 96, 93))
        nines = self.endings[99] + self.endings[98]
        shown = ", ".join(f"{ending:02d}" for ending, _ in self.endings.most_common(4))
        if charm >= 0.8 * self.whole and self.highest >= _IMPLAUSIBLE_MAJOR:
            return True, f"all {self.whole:,} prices are whole, end in {shown} and reach {self.highest:,}: cents"
        if charm + nines >= 0.8 * self.whole and self.highest >= _IMPLAUSIBLE_MAJOR:
            raise FeedError(
                f"All prices are whole numbers that end in {shown} and reach {self.highest:,}: they may be cents. "
                "Say which with --price-unit minor (1999 is 19.99) or --price-unit major (1999 is 1999.00)."
            )
        return False, "as written"

    def _open_unit(self) -> tuple[bool, str]:
        """Whether whole amounts in lists of prices are cents: hardly anything costs less than a hundred of them."""
        small = sum(amount < 100 for amount in self.open_amounts)
        shown = ", ".join(str(amount) for amount in self.open_amounts[:4])
        if not small and max(self.open_amounts) >= 1_000:
            return True, f"lists of whole amounts by currency ({shown}), none under a hundred: cents"
        if 2 * small >= len(self.open_amounts):
            return False, f"lists of whole amounts by currency ({shown}), most under a hundred: no cents"
        raise FeedError(
            f"Whole amounts by currency such as {shown} may be cents. Say which with --price-unit minor "
            "(1999 is 19.99) or --price-unit major (1999 is 1999.00)."
        )


def candidates_in(text: str) -> list[str]:
    """The currencies a text names, at most two: enough to know that there are several."""
    found = [candidates(word)[0] for word in text.replace(",", " ").split() if candidates(word)]
    return list(dict.fromkeys(found))[:2]


def survey(drafts: Iterable[Draft], options: FeedOptions) -> Survey:
    """The evidence of the file whose drafts these are."""
    found = Survey(options)
    for draft in drafts:
        found.add(draft)
    found.close()
    return found
