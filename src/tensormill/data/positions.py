"""Where an iterator is: what a checkpoint keeps of it.

That is how many elements were taken, and the seeds that random transformations had when the pass
began. Who goes there again starts a pass with these seeds, and leaves so many elements out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import InvalidArgumentError
from .nodes.node import Array, Node
from .seeds import Seeds, SeedState


def seeds_of(node: Node) -> list[Seeds]:
    """The seeds of all transformations on the way to `node`, each once."""
    return list({id(seeds): seeds for seeds in _all_seeds(node)}.values())


def _all_seeds(node: Node) -> Iterator[Seeds]:
    for before in node.inputs:
        yield from _all_seeds(before)
    seeds = getattr(node, "_seeds", None)
    if seeds is not None:
        yield seeds


def encoded(taken: int, states: list[SeedState]) -> Array:
    """A position as numbers: how many were taken, then three for each pair of seeds."""
    return np.array([taken, *(number for state in states for number in state)], np.int64)


def decoded(numbers: Array, seeds: list[Seeds]) -> tuple[int, list[SeedState]]:
    """The position that `numbers` stand for.

    Raises:
        InvalidArgumentError: they are of a dataset with other transformations.
    """
    if numbers.shape != (1 + 3 * len(seeds),):
        raise InvalidArgumentError(
            f"the saved iterator has {max(0, numbers.size - 1) // 3} random transformations, and "
            f"this one has {len(seeds)}: they are over different datasets"
        )
    taken, *rest = numbers.tolist()
    return taken, [SeedState(*rest[at : at + 3]) for at in range(0, len(rest), 3)]
