"""What a message says, as values: one reading a clause, without looking at the conversation."""

from __future__ import annotations

from dataclasses import dataclass, field

from shopping_agent.offline.amounts import Bounds
from shopping_agent.offline.phrases import Match

# Acts of small talk, the most telling first.
TALK = (
    "feedback", "repeat", "cancel", "about_you", "goodbye", "thanks", "capabilities", "greeting", "plan", "no", "ack",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """What one clause says."""

    words: tuple[str, ...]
    guesses: tuple[str, ...]
    """The words, misspelt cue words mended."""
    acts: frozenset[str]
    asked: bool
    joined: bool
    """Whether an “and” with an article joins it to the clause before: it may be a wish of its own."""
    keywords: tuple[str, ...]
    """Content words as typed, in order."""
    norms: tuple[str, ...]
    """The same, folded."""
    roots: tuple[str, ...]
    """The same, misspelt product nouns mended."""
    bounds: Bounds = field(default_factory=Bounds)
    colors: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sort: str | None = None
    in_stock: bool = False
    on_sale: bool = False
    aspects: tuple[str, ...] = ()
    """Facts that are asked about: price, size, material."""
    ordinal: int | None = None
    """“the second one” is 2, “the last one” -1."""
    singular: bool = False
    """Whether it, this or that stands for a product."""
    plural: bool = False
    definite: bool = False
    """Whether the, this or that stands before something."""
    named: bool = False
    """Whether the, this or that stands right before the content: “the helmet”."""
    indefinite: bool = False
    """Whether a, an, any or some stands before what is named."""
    one_wished: bool = False
    """Whether one of some kind is named and not one in particular: “a wooden one”, “bigger ones”."""
    gift: bool = False
    """Whether a gift is wished for."""
    compares: bool = False
    """Whether a comparative stands in it: “anything lighter”."""
    inverted: bool = False
    """Whether a verb stands before what it asks about: “does it”, “is the strap”, “will these”."""
    generic: bool = False
    """Whether the head is something, one, items: no product is named."""
    people: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    """The content outside of phrases that ask for errands or terms: nothing in “make me a coffee”, “take my card”."""
    object_refers: bool = False
    """Whether what is requested is a pronoun: “recommend it”, “get this”."""
    other: bool = False
    """Whether “the other one” is meant."""
    leans: bool = False
    """Whether it opens with a preposition and goes on with what was said before: “for hiking”, “in blue”."""
    to_you: bool = False
    """Whether it is said about the assistant: “you should …”."""
    talks_first: bool = False
    """Whether small talk opens it: “great, a mug”, and not “the great mug”."""
    content_first: bool = False
    """Whether what is named stands before any thanks: “a mug, thank you”, and not “thank you for the mug”."""
    generic_head: bool = False
    """Whether something, one or a pair is what is named first: “something with a good camera”."""
    names: tuple[str, ...] = ()
    """Content typed with a capital in the middle of a sentence."""
    makers: tuple[str, ...] = ()
    """Of them, those behind by or from: “any from Nike”."""
    told: bool = False
    """Whether it is a sentence about somebody or something: a pronoun and a verb of being or having."""
    formed: bool = False
    """Whether it has the form of a question, whatever the mark at its end."""
    question: bool = False
    """Whether it is put as a question: a question word or verb stands first, or a question mark last."""
    matches: tuple[Match, ...] = ()

    @property
    def bounded(self) -> bool:
        """Whether a price or a rating is stated."""
        return self.bounds != Bounds()

    @property
    def has_constraint(self) -> bool:
        return bool(
            self.bounds != Bounds()
            or self.colors
            or self.sizes
            or self.brands
            or self.exclude
            or self.sort
            or self.on_sale
            or self.in_stock
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole message."""

    language: str
    clauses: tuple[ClauseReading, ...] = field(default=())
