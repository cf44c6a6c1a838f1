"""Datasets in graphs that are built by hand: their iterators."""
