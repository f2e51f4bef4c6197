"""Several steps a turn: decide, act, observe, until there is an answer or the limit is reached."""
