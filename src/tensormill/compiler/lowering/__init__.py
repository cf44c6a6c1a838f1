"""Graphs become loops: operations through their `lower` rules, control flow natively."""
