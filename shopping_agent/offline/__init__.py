"""Deciding without a model: a readable dialogue policy, grounded in the catalog's vocabulary.

The model is in `offline.model`; imported here it would close a circle, since references read the same lexicons.
"""
