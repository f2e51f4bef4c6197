"""Text to terms: one analyzer for indexing, querying and the offline model. Pure: no file, no engine, no clock."""

from search_client.analysis.fold import fold, transcribed
from search_client.analysis.foreign import translated
from search_client.analysis.kind import chief, kind_terms, names_goods, shelf_terms
from search_client.analysis.query import FILLERS, ParsedQuery, Word, parse_query
from search_client.analysis.stem import stem
from search_client.analysis.synonyms import DEFAULT_SYNONYMS, Synonym, SynonymError, Synonyms
from search_client.analysis.terms import terms_of
from search_client.analysis.tokens import Chunk, Reading, chunks
from search_client.analysis.typos import Candidate, TypoCorrector
from search_client.analysis.units import amount, is_measure, merge_measures

__all__ = [
    "DEFAULT_SYNONYMS",
    "FILLERS",
    "Candidate",
    "Chunk",
    "ParsedQuery",
    "Reading",
    "Synonym",
    "SynonymError",
    "Synonyms",
    "TypoCorrector",
    "Word",
    "amount",
    "chief",
    "chunks",
    "fold",
    "is_measure",
    "kind_terms",
    "merge_measures",
    "names_goods",
    "parse_query",
    "shelf_terms",
    "stem",
    "terms_of",
    "transcribed",
    "translated",
]
