"""Derivatives: tapes that watch programs run, and the differentiation of graphs."""
