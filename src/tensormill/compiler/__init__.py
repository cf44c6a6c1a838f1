"""Graphs become machine code: `pipeline.py` lists the stages."""
