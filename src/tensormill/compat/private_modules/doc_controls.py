"""`tensorflow.tools.docs.doc_controls`: what generators of documentation look for, not programs."""

from __future__ import annotations

from typing import TypeVar

Described = TypeVar("Described")


def unchanged(described: Described) -> Described:
    """The decorated object as it is: nothing of ours is made into pages by these decorators."""
    return described
