"""Talk to the agent in a terminal, or see what it would do: `python -m shopping_agent [decide TEXT]`."""

from __future__ import annotations

import sys

from shopping_agent.terminal import main

if __name__ == "__main__":
    sys.exit(main())
