"""Operations that move elements, pick them, or make them from a shape."""
