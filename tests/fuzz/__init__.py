"""Seeded, bounded fuzzing: `python -m tests.fuzz.feeds --count 20000`."""
