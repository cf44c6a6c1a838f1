"""Lists of tensors in memory: of one shape, or of several."""
