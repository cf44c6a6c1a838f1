"""Windows that slide over images: tables of where they look, and calls of native code."""
