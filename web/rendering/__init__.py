"""From results of an action to what templates show: words in the shopper's language, facts from records."""
