"""Matrices that are factored and solved: by loops where they are small, by LAPACK elsewhere."""
