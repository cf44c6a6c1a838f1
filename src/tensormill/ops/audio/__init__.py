"""Operations on sound."""
