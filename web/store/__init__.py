"""What the shop remembers of its shoppers: conversations, carts, feedback. The only place in `web` that speaks SQL."""
