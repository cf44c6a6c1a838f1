"""Sizes of arrays: what operations make of them, and which ones loops keep."""
