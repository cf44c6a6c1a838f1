"""Operations on numbers, element by element and along axes."""
