"""Loops become LLVM IR text."""
