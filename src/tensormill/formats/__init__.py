"""Formats of files, as bytes: tensor bundles and what they consist of."""
