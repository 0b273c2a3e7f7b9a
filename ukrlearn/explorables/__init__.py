"""Pictures that answer the hand: their mathematics and drawing run in the browser."""
