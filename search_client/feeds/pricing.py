"""What is asked for a draft: sale and list price in exact money, under what holds for the whole file."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from search_client.feeds.currency import choose
from search_client.feeds.draft import Draft
from search_client.feeds.price import Raw, lowest_of, parse_number, prices_in, says_no_price, to_money
from search_client.feeds.report import ImportReport, Kind
from search_client.feeds.survey import Style
from search_client.feeds.words import moments
from search_client.models import Money, currency_exponent


class UnusableError(Exception):
    """A record cannot be imported: reason and value."""

    def __init__(self, reason: str, value: object = "") -> None:
        super().__init__(reason)
        self.reason, self.value = reason, value


class Offer(NamedTuple):
    """The price to pay, and the higher one it is reduced from."""

    price: Money | None
    list_price: Money | None


class Pricer:
    """Reads the prices of one file's drafts; what is rounded or left out is told to the report."""

    def __init__(self, style: Style, report: ImportReport, *, now: datetime) -> None:
        self._style = style
        self._report = report
        self._now = now

    def offer(self, draft: Draft, product_id: str) -> Offer:
        """What is asked now, and before. Raises `UnusableError` where a price cannot be read."""
        currency = self._row_currency(draft)
        regular = self._money(draft.price, draft, product_id, currency)
        sale = self._money(draft.sale_price, draft, product_id, currency, quiet=True)
        listed = self._money(draft.list_price, draft, product_id, currency, quiet=True)
        if regular is None and sale is not None and not draft.price:
            regular, sale = sale, None
        if (
            regular
            and sale
            and sale < regular
            and sale.currency == regular.currency
            and self._on_sale(draft, product_id)
        ):
            return Offer(sale, regular)
        higher = regular and listed and listed.currency == regular.currency and listed > regular
        return Offer(regular, listed if higher else None)

    def _on_sale(self, draft: Draft, product_id: str) -> bool:
        begin, end = (text.strip() for text in draft.sale_dates)
        begun = {self._now >= at for at in moments(begin)} if begin else {True}
        over = {self._now > _end_of(at, end) for at in moments(end)} if end else {False}
        if len(begun) == len(over) == 1:
            return begun == {True} and over == {False}
        if begun == {False} or over == {True}:
            return False
        self._report.tell(
            Kind.REPAIRED, draft.line, "unreadable sale dates: the full price holds", f"{begin}/{end}", product_id
        )
        return False

    def _money(
        self, raw: Raw, draft: Draft, product_id: str, row_currency: str | None, *, quiet: bool = False
    ) -> Money | None:
        """The amount; None where there is none, or zero.

        Raises `UnusableError` where the price cannot be read; a `quiet` one, beside the price, is left out and told.
        """
        if raw is None or raw == "":
            return None
        try:
            amount, currency = self._amount(raw, draft, row_currency)
        except UnusableError as error:
            if not quiet:
                raise
            self._report.tell(Kind.REPAIRED, draft.line, f"left out beside the price: {error.reason}", raw, product_id)
            return None
        if amount is None:
            return None
        if amount < 0:
            self._report.tell(Kind.REPAIRED, draft.line, "a price below zero is no price", raw, product_id)
            return None
        found = to_money(amount, currency, minor=draft.minor or self._style.minor)
        if found is None:
            raise UnusableError("the price is beyond every price", raw)
        if found.rounded:
            self._report.tell(Kind.REPAIRED, draft.line, f"price rounded to {found.money}", raw, product_id)
        if found.money.amount_minor == 0:
            if not quiet:
                self._report.tell(Kind.WARNING, draft.line, "a price of zero is no offer", raw, product_id)
            return None
        return found.money

    def _amount(self, raw: str | int | Decimal, draft: Draft, row_currency: str | None) -> tuple[Decimal | None, str]:
        default = row_currency or self._style.currency
        if isinstance(raw, int | Decimal):
            amount = Decimal(raw)
            if not amount.is_finite():
                raise UnusableError("the price is no number", raw)
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
            raise UnusableError(f"the price names another currency than its column ({row_currency})", raw)
        raise UnusableError(f"the price does not fit the file's decimal sign {self._style.decimal!r}", raw)

    def _lowest(self, raw: str, draft: Draft, default: str) -> tuple[Decimal, str]:
        """The lowest of several amounts in one cell. Raises `UnusableError` where it is not a list of amounts."""
        prices = lowest_of(raw, default)
        amounts = [
            parse_number(each.number, self._style.decimal, three_decimals=self._three(default)) for each in prices
        ]
        known = [amount for amount in amounts if amount is not None]
        if not known or len(known) < len(amounts) or (len(known) == 2 and known[0] > known[1]):
            raise UnusableError("the price cannot be read", raw)
        draft.repairs.append(("of several prices in one cell the lowest is shown", raw))
        return min(known), next((each.currency for each in prices if each.currency), default)

    def _three(self, currency: str) -> bool:
        return self._style.three_decimals or currency_exponent(currency) == 3

    def _row_currency(self, draft: Draft) -> str | None:
        if not draft.currency:
            return None
        found = choose(draft.currency, self._style.currency)
        if found is None:
            raise UnusableError("unknown currency", draft.currency)
        return found


def _end_of(at: datetime, text: str) -> datetime:
    """The end of the day where only a day is named."""
    return at.replace(hour=23, minute=59, second=59) if len(text.strip()) <= 10 else at
