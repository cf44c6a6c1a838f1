"""Level 1: traced functions. `ir` says what they are; `builder` makes them."""
