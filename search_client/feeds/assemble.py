"""A draft understood: prices exact, stock a state, text plain. What cannot be understood is told, never invented."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from urllib.parse import urljoin

from search_client.bounds import MAX_TITLE_CHARS, MAX_VARIANTS, check_product
from search_client.errors import InvalidRecordError
from search_client.feeds.draft import Draft
from search_client.feeds.grouping import SeenIds
from search_client.feeds.options import FeedOptions
from search_client.feeds.pricing import Pricer, UnusableError
from search_client.feeds.report import ImportReport, Kind
from search_client.feeds.shaping import (
    category_path,
    option_values,
    plain_attributes,
    plain_pairs,
    slug,
    state_of,
    summed_up,
    supplier_in_title,
    texts_of,
    variant_id,
    web_address,
)
from search_client.feeds.survey import Style
from search_client.feeds.text import code, looks_encoded_twice, plain_line, plain_text
from search_client.feeds.words import availability, iso_date, quantity, rating
from search_client.models import Availability, Product, Variant

_MAX_IMAGES = 20
_MAX_MADE = 200_000
_MAX_ATTRIBUTES = 300
_MAX_TAGS = 100
_MAX_DESCRIPTION = 50_000
_SCIENTIFIC = re.compile(r"\d[.,]\d+[eE][+]?\d+")
_URLS = re.compile(r"(?:[\s|;\[\"']+|,[\s\"']*)(?=(?:https?:)?//)")


class Assembler:
    """Makes products of the drafts of one file and tells the report about each that is not as it was written."""

    def __init__(
        self, style: Style, options: FeedOptions, report: ImportReport, seen: SeenIds, *, now: datetime
    ) -> None:
        self._style = style
        self._options = options
        self._report = report
        self._seen = seen
        self._pricer = Pricer(style, report, now=now)
        self._told_picture = False
        self._made: dict[str, str] = {}
        """Ids made from titles, and the price of each: the same words at another price are another product."""

    def product(self, draft: Draft) -> Product | None:
        """The product, or None where it is left out; the report says why."""
        product_id = ""
        try:
            if draft.invalid:
                raise UnusableError(draft.invalid, draft.title or draft.id)
            product_id = self._id(draft)
            if draft.hidden:
                self._report.tell(Kind.HIDDEN, draft.line, draft.hidden, draft.title, product_id)
                return None
            product = self._product(draft, product_id)
            check_product(product)
        except UnusableError as error:
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
        if suspicious is not None and any(suspicious(text) for text in texts_of(product)):
            self._report.suspicious += 1
            self._report.tell(Kind.WARNING, line, "the text carries instructions to an assistant", "", product.id)

    def _product(self, draft: Draft, product_id: str) -> Product:
        title = self._title(draft, product_id)
        offer = self._pricer.offer(draft, product_id)
        state, pieces = self._stock(draft, product_id)
        variants = tuple(self._variants(draft, product_id)) if draft.variants else ()
        stars, votes = self._rating(draft)
        product = Product(
            id=product_id,
            title=title,
            description=self._description(draft, product_id, title),
            brand=self._brand(draft),
            category=category_path(draft.category),
            price=offer.price,
            list_price=offer.list_price,
            availability=state,
            quantity=pieces,
            rating=stars,
            rating_count=votes,
            images=self._images(draft, product_id),
            url=web_address(draft.url),
            attributes=tuple(plain_attributes(draft))[:_MAX_ATTRIBUTES],
            options=option_values(draft),
            variants=variants,
            tags=tuple(dict.fromkeys(tag for text in draft.tags if (tag := plain_line(text)[:200])))[:_MAX_TAGS],
            sku=code(draft.sku) or None,
            gtin=self._gtin(draft, product_id),
            mpn=code(draft.mpn) or None,
            added_at=iso_date(draft.added_at),
        )
        if variants:
            product = summed_up(product)
        if product.price is None:
            self._report.tell(Kind.WARNING, draft.line, "no price: shown, not offered", "", product_id)
        return product

    def _id(self, draft: Draft) -> str:
        found = code(draft.id) or code(draft.sku) or code(draft.gtin)
        if not found and not self._style.has_ids:
            return self._made_id(draft)
        if not found:
            raise UnusableError("no id", draft.title)
        if _SCIENTIFIC.fullmatch(found):
            self._report.tell(Kind.WARNING, draft.line, "the id looks damaged by a spreadsheet", found, found)
        return found

    def _made_id(self, draft: Draft) -> str:
        """An id out of the title, the same on every import."""
        title = plain_line(draft.title)
        if not title:
            raise UnusableError("no title")
        name = slug(title)
        parts = (title, *draft.description, *draft.images[:1], draft.url)
        digest = hashlib.blake2s("\n".join(parts).encode("utf-8", "replace")).hexdigest()
        found = f"{name}-{digest[:8]}" if name else digest[:16]
        if found in self._made and self._made[found] != str(draft.price):
            found = f"{found}-{hashlib.blake2s(str(draft.price).encode('utf-8', 'replace')).hexdigest()[:4]}"
        elif len(self._made) < _MAX_MADE:
            self._made[found] = str(draft.price)
        return found

    def _title(self, draft: Draft, product_id: str) -> str:
        title = plain_line(draft.title)
        if not title:
            raise UnusableError("no title", draft.id)
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
        brand = draft.brand or (supplier_in_title(draft) if self._style.supplier_is_brand else "")
        return plain_line(brand) or None

    def _stock(self, draft: Draft, product_id: str) -> tuple[Availability, int | None]:
        pieces = quantity(draft.quantity) if draft.quantity is not None else None
        state = availability(draft.availability) if draft.availability else None
        if draft.availability and state is None:
            self._report.tell(Kind.WARNING, draft.line, "unknown word for availability", draft.availability, product_id)
        if state is None:
            state = state_of(pieces, draft)
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
                own = self._pricer.offer(row, product_id)
            except UnusableError as error:
                self._report.tell(Kind.SKIPPED, row.line, f"variant: {error.reason}", error.value, product_id)
                continue
            state, pieces = self._stock(row, product_id)
            options = tuple(plain_pairs(row.options))
            yield Variant(
                id=variant_id(row, product_id, options, used),
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
                part = part.strip(" ,;|\"'[]")
                if address := self._address(part):
                    found.setdefault(address)
                elif part and not self._told_picture:
                    self._told_picture = True
                    reason = (
                        "a picture without a web address is left out, others alike: --image-base says where they are"
                    )
                    self._report.tell(Kind.WARNING, draft.line, reason, part, product_id)
                if len(found) >= _MAX_IMAGES:
                    return tuple(found)
        return tuple(found)

    def _address(self, text: str) -> str | None:
        if text.startswith("//"):
            text = f"https:{text}"
        if not text.lower().startswith(("http://", "https://")) and self._options.image_base and text:
            text = urljoin(self._options.image_base.rstrip("/") + "/", text.lstrip("/"))
        return web_address(text)

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
