"""Noticing that a traced body changed a list or dict that it got as an argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..signature.containers import map_leaves, same_contents
from ..signature.parameters import Parameters


def copies_of(values: Sequence[Any]) -> tuple[Any, ...]:
    """New containers around the same leaves."""
    return tuple(map_leaves(lambda leaf: leaf, value) for value in values)


def check_unchanged(
    parameters: Parameters, before: Sequence[Any], after: Sequence[Any], function: str
) -> None:
    """Compare the arguments with the copies that were taken before the body ran.

    Raises:
        ValueError: a container was changed; the message names the parameters.
    """
    changed = [
        name
        for name, old, new in zip(parameters.names, before, after, strict=True)
        if not same_contents(old, new)
    ]
    if changed:
        raise ValueError(
            f"{function}{parameters.signature} should not modify its Python input arguments. "
            "Modifying a copy is allowed. The following parameter(s) were modified: "
            f"{', '.join(changed)}"
        )
