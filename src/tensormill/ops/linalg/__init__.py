"""Operations on matrices."""
