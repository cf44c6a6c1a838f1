"""Parts of layers, losses and initial values that programs take from private modules."""
