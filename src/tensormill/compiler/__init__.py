"""Graphs become machine code: `pipeline.py` lists the stages.

Python comes in by calling/, whose entry.py writes the native entry of a call; native/ is what
programs call once they run.
"""
