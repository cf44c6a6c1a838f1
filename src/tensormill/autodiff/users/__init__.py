"""What users say of gradients: of a call of theirs, or of a type of operations."""
