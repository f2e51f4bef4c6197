"""What a product is called and what is said of it: every sentence but the pitch comes from a stated fact."""

from __future__ import annotations

from search_client.demo.chance import number
from search_client.demo.tables import Facts, Item, Shelf, table

MAX_FACT_SENTENCES = 3  # with the pitch: two to four sentences
_PROPER = ("Turkish",)


def title(shelf: Shelf, item: Item, *, brand: str, model: str, facts: Facts, twin: tuple[str, str] | None) -> str:
    """The name on the card; what tells a near-twin apart stands in it."""
    known = dict(facts)
    name = item.name
    if "Gender" in known and known["Gender"] != "Unisex":
        name = f"{known['Gender']}'s {name}"
    if twin is not None and twin[1] == "Yes":
        name = f"{twin[0]} {name}"
    elif twin is not None and twin[1] != "No":
        name = f"{name}, {table('phrases')['twins'].get(twin[0], '{value}').format(value=twin[1])}"
    return shelf.title.format(brand=brand, model=model, name=name, **{key.lower(): text for key, text in facts})


def description(item: Item, facts: Facts, *, seed: str) -> str:
    """The pitch, then up to three facts in whole sentences: those of the item first, then those of its shelf."""
    said = [sentence for name, value in facts if (sentence := _sentence(name, value, seed=seed))]
    return " ".join([item.pitch, *said[:MAX_FACT_SENTENCES]])


def _sentence(name: str, value: str, *, seed: str) -> str:
    """One of the phrases for a fact; empty where the fact is for the table alone."""
    entry = table("phrases")["phrases"].get(name, [])
    if isinstance(entry, dict):
        entry = entry.get(value, entry.get("*", []))
    if not entry:
        return ""
    lower = value if value[:2].isupper() or value.startswith(_PROPER) else value[:1].lower() + value[1:]
    text: str = entry[number(f"{seed}/{name}", len(entry))].format(value=value, lower=lower)
    return text[0].upper() + text[1:]
