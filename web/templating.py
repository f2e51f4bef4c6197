"""Templates of one language: its words, the icons and the parts are put in place when a template is compiled.

A page is then rendered by a few long functions in place of hundreds of small ones: half the time, the same bytes.
"""

from __future__ import annotations

import re

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from markupsafe import escape

from web.strings import Strings

_INCLUDE = re.compile(r'{% include "([\w/.]+)" %}')
_WORDS = re.compile(r"{{ t\('([\w.]+)'\) }}")
_ICON = re.compile(r"{{ icon\.(\w+)\(\) }}")
_ICONS = "icons.html"
_IMPORT_OF_ICONS = f'{{%- import "{_ICONS}" as icon -%}}\n'
_compiled: dict[str, bytes] = {}


def in_language(templates: Environment, language: str) -> Environment:
    """The same templates, compiled for `language`; `t` must be of that language when they are rendered."""
    own = templates.overlay(bytecode_cache=Compiled(language))
    own.extend(strings=Strings(language), original=templates)
    own.add_extension(InPlace)
    return own


class Compiled(BytecodeCache):
    """Code of one language's templates, for every app of this process and of those that are forked from it."""

    def __init__(self, language: str) -> None:
        self._language = language

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """One for each template and language; a template that has changed is known by its checksum."""
        return f"{self._language}:{filename or name}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Nothing where it was not compiled before."""
        code = _compiled.get(bucket.key)
        if code is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """For the next one."""
        _compiled[bucket.key] = bucket.bytecode_to_string()


class InPlace(Extension):
    """Replaces what is known before rendering. Includes of a computed name and words with values stay as they are."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with words, icons and parts in it."""
        if name == _ICONS:
            return source
        body = _ICON.sub(self._icon, _WORDS.sub(self._words, source.replace(_IMPORT_OF_ICONS, "")))
        return _INCLUDE.sub(self._part, body)

    def _part(self, match: re.Match[str]) -> str:
        """A part in a scope of its own, so that what it sets ends with it."""
        loader = self.environment.loader
        assert loader is not None
        source, _, _ = loader.get_source(self.environment, match[1])
        return f"{{% with %}}{self.preprocess(source.removesuffix(chr(10)), match[1])}{{% endwith %}}"

    def _words(self, match: re.Match[str]) -> str:
        text = self.environment.strings(match[1])  # type: ignore[attr-defined]  # set by `in_language`
        return match[0] if "{" in text or text != text.strip() else str(escape(text))

    def _icon(self, match: re.Match[str]) -> str:
        icons = self.environment.original.get_template(_ICONS).module  # type: ignore[attr-defined]  # as above
        return str(getattr(icons, match[1])())
