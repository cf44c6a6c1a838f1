"""Datasets: descriptions of sequences of elements, and the iterators over them."""
