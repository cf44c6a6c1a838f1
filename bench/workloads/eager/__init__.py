"""Operations that run at once, outside any compiled function."""
