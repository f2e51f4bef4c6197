"""Merchant files in, products out: `open_feed`."""

from search_client.feeds.feed import Feed, open_feed
from search_client.feeds.options import FeedLimits, FeedOptions
from search_client.feeds.report import Detected, Finding, ImportReport, Kind

__all__ = ["Detected", "Feed", "FeedLimits", "FeedOptions", "Finding", "ImportReport", "Kind", "open_feed"]
