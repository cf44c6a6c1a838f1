"""Derivatives: tapes that watch programs run, and the differentiation of graphs."""

from .python_functions import install

install()
