"""What is looked for, and how a later turn amends it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from search_client.analysis import stem
from shopping_agent.actions import MAX_KEYWORDS, Search


@dataclass(frozen=True, slots=True)
class Wish:
    """Words and conditions of a search. Empty: nothing wished for yet."""

    keywords: tuple[str, ...] = ()
    norms: tuple[str, ...] = ()
    """The keywords folded and mended, for comparison."""
    min_price: float | None = None
    max_price: float | None = None
    min_rating: float | None = None
    colors: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sort: str | None = None
    in_stock: bool = False
    on_sale: bool = False
    seen: int = 0
    """How many products this wish has shown already: where “more” goes on."""

    def __bool__(self) -> bool:
        return self != Wish(seen=self.seen)

    def amended(self, other: Wish) -> Wish:
        """This wish with what `other` says on top: words add up, a condition said again replaces the old one."""
        said = dict(zip(other.norms, other.keywords, strict=True))
        roots = {stem(norm) for norm in self.norms}
        added = [(k, n) for n, k in said.items() if stem(n) not in roots]
        bounded = other.min_price is not None or other.max_price is not None
        excluded = set(other.exclude)
        kept = [(said.get(n, k), n) for k, n in zip(self.keywords, self.norms, strict=True) if n not in excluded]
        return replace(
            self,
            keywords=tuple(k for k, _ in [*kept, *added]),
            norms=tuple(n for _, n in [*kept, *added]),
            min_price=other.min_price if bounded else self.min_price,
            max_price=other.max_price if bounded else self.max_price,
            min_rating=self.min_rating if other.min_rating is None else other.min_rating,
            colors=other.colors or tuple(c for c in self.colors if c.lower() not in excluded),
            sizes=other.sizes or self.sizes,
            brands=other.brands or tuple(b for b in self.brands if b.lower() not in excluded),
            exclude=tuple(dict.fromkeys([*self.exclude, *other.exclude])),
            sort=other.sort or self.sort,
            in_stock=self.in_stock or other.in_stock,
            on_sale=self.on_sale or other.on_sale,
            seen=0,
        )

    def to_search(self, *, offset: int = 0, category: str | None = None) -> Search:
        """The wish as an action."""
        return Search(
            category=category,
            keywords=_bounded(self.keywords),
            min_price=self.min_price,
            max_price=self.max_price,
            brands=list(self.brands),
            colors=list(self.colors),
            sizes=list(self.sizes),
            min_rating=self.min_rating,
            in_stock=self.in_stock,
            on_sale=self.on_sale,
            exclude=list(self.exclude),
            sort=self.sort or "relevance",  # type: ignore[arg-type]  # read from the four names of the lexicon
            offset=offset,
        )


def _bounded(keywords: tuple[str, ...]) -> list[str]:
    """At most `MAX_KEYWORDS`: the thing stands first, the amendments last, what is between may go."""
    half = MAX_KEYWORDS // 2
    return list(keywords if len(keywords) <= MAX_KEYWORDS else (*keywords[:half], *keywords[-half:]))
