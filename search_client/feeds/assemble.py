"""A draft understood: prices exact, stock a state, text plain. What cannot be understood is told, never invented."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from search_client.bounds import MAX_TITLE_CHARS, MAX_VARIANTS, check_product
from search_client.errors import InvalidRecordError
from search_client.feeds.currency import choose
from search_client.feeds.draft import Draft
from search_client.feeds.grouping import SeenIds
from search_client.feeds.options import FeedOptions
from search_client.feeds.price import Raw, lowest_of, parse_number, prices_in, says_no_price, to_money
from search_client.feeds.report import ImportReport, Kind
from search_client.feeds.survey import Style
from search_client.feeds.text import code, looks_encoded_twice, plain_line, plain_text
from search_client.feeds.words import availability, iso_date, moment, quantity, rating
from search_client.models import Availability, Money, Product, Variant

_MAX_IMAGES = 20
_MAX_MADE = 200_000
_MAX_ATTRIBUTES = 300
_MAX_TAGS = 100
_MAX_DESCRIPTION = 50_000
_MAX_FACT_CHARS = 1_000
_SCIENTIFIC = re.compile(r"\d[.,]\d+[eE][+]?\d+")
_URLS = re.compile(r"(?:[\s|;]+|,\s*)(?=(?:https?:)?//)")
_PATH_SEPARATOR = re.compile(r"\s*(?:>|»|›|→|&gt;)\s*")
_SLUG = re.compile(r"[^\w]+")


class _Unusable(Exception):
    """The record cannot be imported: reason and value."""

    def __init__(self, reason: str, value: object = "") -> None:
        super().__init__(reason)
        self.reason, self.value = reason, value


class _Offer(NamedTuple):
    price: Money | None
    list_price: Money | None


class Assembler:
    """Makes products of the drafts of one file and tells the report about each that is not as it was written."""

    def __init__(
        self, style: Style, options: FeedOptions, report: ImportReport, seen: SeenIds, *, now: datetime
    ) -> None:
        self._style = style
        self._options = options
        self._report = report
        self._seen = seen
        self._now = now
        self._made: dict[str, str] = {}
        """Ids made from titles, and the price of each: the same words at another price are another product."""

    def product(self, draft: Draft) -> Product | None:
        """The product, or None where it is left out; the report says why."""
        product_id = ""
        try:
            if draft.invalid:
                raise _Unusable(draft.invalid, draft.title or draft.id)
            product_id = self._id(draft)
            if draft.hidden:
                self._report.tell(Kind.HIDDEN, draft.line, draft.hidden, draft.title, product_id)
                return None
            product = self._product(draft, product_id)
            check_product(product)
        except _Unusable as error:
            self._report.tell(Kind.SKIPPED, draft.line, error.reason, error.value, product_id or draft.id or None)
            return None
        except InvalidRecordError as error:
            self._report.tell(Kind.SKIPPED, draft.line, "out of bounds", error, product_id or None)
            return None
        if not self._seen.add(product.id):
            self._report.tell(Kind.SKIPPED, draft.line, "duplicate id, the first one is kept", product.id, product.id)
            return None
        for line in draft.duplicates:
            self._report.tell(Kind.SKIPPED, line, "duplicate id, the first one is kept", product.id, product.id)
        for reason, value in draft.repairs:
            self._report.tell(Kind.REPAIRED, draft.line, reason, value, product.id)
        self.count(product, draft.line)
        return product

    def count(self, product: Product, line: int) -> None:
        """Counts a product as imported, and tells whether its text carries instructions to an assistant."""
        self._report.imported += 1
        self._report.variants += len(product.variants)
        suspicious = self._options.suspicious
        if suspicious is not None and any(suspicious(text) for text in _texts_of(product)):
            self._report.suspicious += 1
            self._report.tell(Kind.WARNING, line, "the text carries instructions to an assistant", "", product.id)

    def _product(self, draft: Draft, product_id: str) -> Product:
        title = self._title(draft, product_id)
        offer = self._offer(draft, product_id)
        state, pieces = self._stock(draft, product_id)
        variants = tuple(self._variants(draft, product_id)) if draft.variants else ()
        stars, votes = self._rating(draft)
        product = Product(
            id=product_id,
            title=title,
            description=self._description(draft, product_id, title),
            brand=self._brand(draft),
            category=_category(draft.category),
            price=offer.price,
            list_price=offer.list_price,
            availability=state,
            quantity=pieces,
            rating=stars,
            rating_count=votes,
            images=self._images(draft, product_id),
            url=_url(draft.url),
            attributes=tuple(_attributes(draft))[:_MAX_ATTRIBUTES],
            options=_options(draft),
            variants=variants,
            tags=tuple(dict.fromkeys(tag for text in draft.tags if (tag := plain_line(text)[:200])))[:_MAX_TAGS],
            sku=code(draft.sku) or None,
            gtin=self._gtin(draft, product_id),
            mpn=code(draft.mpn) or None,
            added_at=iso_date(draft.added_at),
        )
        if variants:
            product = _summed_up(product)
        if product.price is None:
            self._report.tell(Kind.WARNING, draft.line, "no price: shown, not offered", "", product_id)
        return product

    def _id(self, draft: Draft) -> str:
        found = code(draft.id)
        if not found and not self._style.has_ids:
            return self._made_id(draft)
        found = found or code(draft.sku) or code(draft.gtin)
        if not found:
            raise _Unusable("no id", draft.title)
        if _SCIENTIFIC.fullmatch(found):
            self._report.tell(Kind.WARNING, draft.line, "the id looks damaged by a spreadsheet", found, found)
        return found

    def _made_id(self, draft: Draft) -> str:
        """An id out of the title, the same on every import."""
        title = plain_line(draft.title)
        if not title:
            raise _Unusable("no title")
        slug = _SLUG.sub("-", title.casefold()).strip("-_")[:60].strip("-_")
        parts = (title, *draft.description, *draft.images[:1], draft.url)
        digest = hashlib.blake2s("\n".join(parts).encode("utf-8", "replace")).hexdigest()
        found = f"{slug}-{digest[:8]}" if slug else digest[:16]
        if found in self._made and self._made[found] != str(draft.price):
            found = f"{found}-{hashlib.blake2s(str(draft.price).encode('utf-8', 'replace')).hexdigest()[:4]}"
        elif len(self._made) < _MAX_MADE:
            self._made[found] = str(draft.price)
        return found

    def _title(self, draft: Draft, product_id: str) -> str:
        title = plain_line(draft.title)
        if not title:
            raise _Unusable("no title", draft.id)
        if looks_encoded_twice(title):
            self._report.tell(Kind.WARNING, draft.line, "the text looks encoded twice", title, product_id)
        if len(title) > MAX_TITLE_CHARS:
            self._report.tell(Kind.REPAIRED, draft.line, "title cut", title, product_id)
            title = title[:MAX_TITLE_CHARS].rstrip()
        return title

    def _description(self, draft: Draft, product_id: str, title: str) -> str:
        parts: list[str] = []
        for raw in draft.description:
            text = plain_text(raw)
            if text and text != title and not any(text in part for part in parts):
                parts = [part for part in parts if part not in text]
                parts.append(text)
        whole = "\n\n".join(parts)
        if len(whole) > _MAX_DESCRIPTION:
            self._report.tell(Kind.REPAIRED, draft.line, "description cut", f"{len(whole):,} characters", product_id)
            whole = whole[:_MAX_DESCRIPTION].rstrip()
        return whole

    def _brand(self, draft: Draft) -> str | None:
        brand = draft.brand or (draft.supplier if self._style.supplier_is_brand else "")
        return plain_line(brand) or None

    def _offer(self, draft: Draft, product_id: str, currency: str | None = None) -> _Offer:
        """The price to pay and the higher one it is reduced from."""
        regular = self._money(draft.price, draft, product_id)
        sale = self._money(draft.sale_price, draft, product_id, quiet=True)
        listed = self._money(draft.list_price, draft, product_id, quiet=True)
        if regular is None and sale is not None and not draft.price:
            regular, sale = sale, None
        if (
            regular
            and sale
            and sale < regular
            and sale.currency == regular.currency
            and self._on_sale(draft, product_id)
        ):
            return _Offer(sale, regular)
        higher = regular and listed and listed.currency == regular.currency and listed > regular
        return _Offer(regular, listed if higher else None)

    def _on_sale(self, draft: Draft, product_id: str) -> bool:
        begin, end = draft.sale_dates
        found = [moment(text) if text.strip() else None for text in (begin, end)]
        if any(text.strip() and at is None for text, at in zip((begin, end), found, strict=True)):
            self._report.tell(
                Kind.REPAIRED, draft.line, "unreadable sale dates: the full price holds", f"{begin}/{end}", product_id
            )
            return False
        if found[0] and self._now < found[0]:
            return False
        return not (found[1] and self._now > _end_of(found[1], end))

    def _money(self, raw: Raw, draft: Draft, product_id: str, *, quiet: bool = False) -> Money | None:
        """The amount; None where there is none, or zero. Raises `_Unusable` where the price cannot be read."""
        amount, currency = self._amount(raw, draft)
        if amount is None:
            return None
        if amount < 0:
            self._report.tell(Kind.REPAIRED, draft.line, "a price below zero is no price", raw, product_id)
            return None
        found = to_money(amount, currency, minor=draft.minor or self._style.minor)
        if found is None:
            raise _Unusable("the price is beyond every price", raw)
        if found.rounded:
            self._report.tell(Kind.REPAIRED, draft.line, f"price rounded to {found.money}", raw, product_id)
        if found.money.amount_minor == 0:
            if not quiet:
                self._report.tell(Kind.WARNING, draft.line, "a price of zero is no offer", raw, product_id)
            return None
        return found.money

    def _amount(self, raw: Raw, draft: Draft) -> tuple[Decimal | None, str]:
        row_currency = self._row_currency(draft)
        default = row_currency or self._style.currency
        if raw is None or raw == "":
            return None, default
        if isinstance(raw, int | Decimal):
            amount = Decimal(raw)
            if not amount.is_finite():
                raise _Unusable("the price is no number", raw)
            return amount, default
        prices = prices_in(raw, default)
        if not prices:
            if says_no_price(raw):
                return None, default
            return self._lowest(raw, draft, default)
        for price in prices:
            if price.currency and row_currency and price.currency != row_currency:
                continue
            currency = price.currency or default
            amount_read = parse_number(price.number, self._style.decimal, three_decimals=self._three(currency))
            if amount_read is not None:
                return amount_read, currency
        if row_currency and all(price.currency not in (None, row_currency) for price in prices):
            raise _Unusable(f"the price names another currency than its column ({row_currency})", raw)
        raise _Unusable(f"the price does not fit the file's decimal sign {self._style.decimal!r}", raw)

    def _lowest(self, raw: str, draft: Draft, default: str) -> tuple[Decimal, str]:
        """The lowest of several amounts in one cell. Raises `_Unusable` where it is not a list of amounts."""
        prices = lowest_of(raw, default)
        amounts = [
            parse_number(each.number, self._style.decimal, three_decimals=self._three(default)) for each in prices
        ]
        known = [amount for amount in amounts if amount is not None]
        if not known or len(known) < len(amounts) or (len(known) == 2 and known[0] > known[1]):
            raise _Unusable("the price cannot be read", raw)
        draft.repairs.append(("of several prices in one cell the lowest is shown", raw))
        return min(known), next((each.currency for each in prices if each.currency), default)

    def _three(self, currency: str) -> bool:
        return self._style.three_decimals or len(Money(1, currency).decimal.partition(".")[2]) == 3

    def _row_currency(self, draft: Draft) -> str | None:
        if not draft.currency:
            return None
        found = choose(draft.currency, self._style.currency)
        if found is None:
            raise _Unusable("unknown currency", draft.currency)
        return found

    def _stock(self, draft: Draft, product_id: str) -> tuple[Availability, int | None]:
        pieces = quantity(draft.quantity) if draft.quantity is not None else None
        state = availability(draft.availability) if draft.availability else None
        if draft.availability and state is None:
            self._report.tell(Kind.WARNING, draft.line, "unknown word for availability", draft.availability, product_id)
        if state is None:
            state = _state_of(pieces, draft)
        elif state is Availability.OUT_OF_STOCK and draft.backorder:
            state = Availability.BACKORDER
        return state, None if pieces is None else max(pieces, 0)

    def _variants(self, draft: Draft, product_id: str) -> Iterator[Variant]:
        used: set[str] = set()
        if len(draft.variants) > MAX_VARIANTS:
            self._report.tell(
                Kind.REPAIRED, draft.line, f"only {MAX_VARIANTS:,} variants kept", len(draft.variants), product_id
            )
        for row in draft.variants[:MAX_VARIANTS]:
            row.currency = row.currency or draft.currency
            row.minor = row.minor or draft.minor
            try:
                own = self._offer(row, product_id)
            except _Unusable as error:
                self._report.tell(Kind.SKIPPED, row.line, f"variant: {error.reason}", error.value, product_id)
                continue
            state, pieces = self._stock(row, product_id)
            options = tuple(_pairs(row.options))
            yield Variant(
                id=_variant_id(row, product_id, options, used),
                options=options,
                sku=code(row.sku) or None,
                gtin=self._gtin(row, product_id),
                price=own.price,
                list_price=own.list_price,
                availability=state,
                quantity=pieces,
                image=next(iter(self._images(row, product_id)), None),
            )

    def _gtin(self, draft: Draft, product_id: str) -> str | None:
        found = code(draft.gtin).lstrip("'")
        if not found:
            return None
        if _SCIENTIFIC.fullmatch(found):
            self._report.tell(
                Kind.REPAIRED, draft.line, "a barcode damaged by a spreadsheet was left out", found, product_id
            )
            return None
        return found[:100]

    def _images(self, draft: Draft, product_id: str) -> tuple[str, ...]:
        """Absolute addresses; a cell with several is parted only where an address begins."""
        found: dict[str, None] = {}
        for cell in draft.images:
            for part in _URLS.split(cell.strip()[: 2 << 20]):
                if address := self._address(part.strip(" ,;|\"'")):
                    found.setdefault(address)
                if len(found) >= _MAX_IMAGES:
                    return tuple(found)
        return tuple(found)

    def _address(self, text: str) -> str | None:
        if text.startswith("//"):
            text = f"https:{text}"
        if not text.lower().startswith(("http://", "https://")) and self._options.image_base and text:
            text = urljoin(self._options.image_base.rstrip("/") + "/", text.lstrip("/"))
        return _url(text)

    def _rating(self, draft: Draft) -> tuple[float | None, int | None]:
        """Stars out of five and votes; nothing where no one voted."""
        if draft.rating is None:
            return None, None
        count = quantity(draft.rating_count) if draft.rating_count is not None else None
        found = rating(draft.rating)
        if found is None or count == 0:
            return None, None
        scale = found[1] or Decimal(str(draft.rating_scale or 0)) or self._style.rating_scale
        if scale <= 0 or found[0] <= 0 or found[0] > scale:
            return None, None
        stars = found[0] * 5 / scale if scale != 5 else found[0]
        return float(round(stars, 2)), count if count is None or count > 0 else None


def _state_of(pieces: int | None, draft: Draft) -> Availability:
    if draft.untracked:
        return Availability.IN_STOCK
    if pieces is None:
        return Availability.BACKORDER if draft.backorder else Availability.UNKNOWN
    if pieces > 0:
        return Availability.IN_STOCK
    return Availability.BACKORDER if draft.backorder else Availability.OUT_OF_STOCK


def _summed_up(product: Product) -> Product:
    """The product with what its variants say: lowest price, best stock, all pieces, all option values."""
    priced = [variant for variant in product.variants if variant.price is not None]
    price, list_price = product.price, product.list_price
    if priced:
        lowest = min(
            priced,
            key=lambda variant: (variant.price.amount_minor if variant.price else 0, not variant.availability.buyable),
        )
        price, list_price = lowest.price, lowest.list_price
    states = {variant.availability for variant in product.variants}
    order = (Availability.IN_STOCK, Availability.PREORDER, Availability.BACKORDER, Availability.UNKNOWN)
    best = next((state for state in order if state in states), Availability.OUT_OF_STOCK)
    counts = [variant.quantity for variant in product.variants]
    return replace(
        product,
        price=price,
        list_price=list_price,
        availability=product.availability if best is Availability.UNKNOWN else best,
        quantity=sum(count for count in counts if count is not None) if None not in counts else None,
        options=_all_options(product),
    )


def _all_options(product: Product) -> tuple[tuple[str, tuple[str, ...]], ...]:
    values: dict[str, dict[str, None]] = {name: dict.fromkeys(listed) for name, listed in product.options}
    for variant in product.variants:
        for name, value in variant.options:
            values.setdefault(name, {}).setdefault(value)
    return tuple((name, tuple(found)[:1000]) for name, found in values.items())[:20]


def _variant_id(row: Draft, product_id: str, options: tuple[tuple[str, str], ...], used: set[str]) -> str:
    """The variant's own id or SKU; where it has none, or shares it, the product's id and its options."""
    own = [key for key in (code(row.id), code(row.sku)) if key and key != product_id and key not in used]
    found = own[0] if own else ""
    if not found:
        chosen = "/".join(_SLUG.sub("-", value.casefold()).strip("-") for _, value in options)
        found = f"{product_id[:120]}/{chosen[:60] or len(used) + 1}"
    while found in used:
        found = f"{found[:190]}-{len(used) + 1}"
    used.add(found)
    return found


def _options(draft: Draft) -> tuple[tuple[str, tuple[str, ...]], ...]:
    listed = [(plain_line(name), tuple(filter(None, map(plain_line, values)))) for name, values in draft.option_values]
    return tuple((name, values) for name, values in listed if name and values)[:20]


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for name, value in pairs:
        shown, said = plain_line(name)[:80], plain_line(value)[:_MAX_FACT_CHARS]
        if shown and said:
            yield shown, said


def _attributes(draft: Draft) -> Iterator[tuple[str, str]]:
    """Facts that the title does not say already, each once."""
    title = plain_line(draft.title)
    for name, value in dict.fromkeys(_pairs(draft.attributes)):
        if value != title:
            yield name, value


def _category(values: list[str]) -> tuple[str, ...]:
    """The first path. Several values without a path are levels, the widest first."""
    levels: list[str] = []
    for value in values:
        path = [plain_line(level) for level in _PATH_SEPARATOR.split(value)]
        path = [level[:200] for level in path if level]
        if len(path) > 1 and not levels:
            return tuple(path[:20])
        levels += [level for level in path if level not in levels]
    return tuple(levels[:20])


def _url(text: str) -> str | None:
    text = code(text)
    if not text.lower().startswith(("http://", "https://")) or len(text) > 2_000 or re.search(r"[\s<>\"]", text):
        return None
    try:
        return text if urlsplit(text).hostname else None
    except ValueError:
        return None


def _end_of(at: datetime, text: str) -> datetime:
    """The end of the day where only a day is named."""
    return at.replace(hour=23, minute=59, second=59) if len(text.strip()) <= 10 else at


def _texts_of(product: Product) -> Iterator[str]:
    yield product.title
    yield product.description
    for _, value in product.attributes:
        yield value
    yield from product.tags
