"""Windows that slide over images: what they see times filters."""
