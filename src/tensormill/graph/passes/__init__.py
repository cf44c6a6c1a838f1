"""Graph to graph: what is decided before loops exist. The order is this list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..ir import Graph
from .folding import fold_constants
from .identities import skip_identities
from .pruning import prune
from .sharing import share_equal_operations

Pass = Callable[[Graph], Graph]

SIMPLIFY: Final[tuple[Pass, ...]] = (
    skip_identities,
    fold_constants,
    share_equal_operations,  # after folding, which makes constants equal
    prune,
)


def simplify(graph: Graph) -> Graph:
    """All passes of `SIMPLIFY`, in order."""
    for one in SIMPLIFY:
        graph = one(graph)
    return graph
