"""Operations that call graphs or Python, and those that only order others."""
