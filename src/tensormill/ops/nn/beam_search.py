"""The search for the most probable sequences of labels: a beam of paths through a tree.

What a path is worth depends on which others are followed, so the order in which paths enter and
leave the beam is TensorFlow's: kept paths first, then new ones, by the paths that they extend.
"""

from __future__ import annotations

import heapq
import math
from itertools import count
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
LOWEST = -math.inf


class Ends(NamedTuple):
    """Logarithms of how probable a path is with a blank, and with its last label, at its end."""

    blank: float
    label: float
    total: float


NOWHERE = Ends(LOWEST, LOWEST, LOWEST)


class LabelPath:
    """Some labels: a node of the tree of all paths that were looked at."""

    __slots__ = ("before", "children", "label", "now", "parent")

    def __init__(self, parent: LabelPath | None, label: int, now: Ends) -> None:
        self.parent, self.label = parent, label
        self.before, self.now = NOWHERE, now  # at the last step, and at this one
        self.children: dict[int, LabelPath] = {}

    @property
    def labels(self) -> list[int]:
        found: list[int] = []
        path = self
        while path.parent is not None:
            found.append(path.label)
            path = path.parent
        return found[::-1]


class Beam:
    """The `width` most probable paths."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._heap: list[tuple[float, int, LabelPath]] = []  # the least probable one first
        self._order = count(0, -1)

    @property
    def least(self) -> float:
        """A path has to be more probable than this."""
        return self._heap[0][0] if len(self._heap) == self._width else LOWEST

    def add(self, path: LabelPath) -> None:
        """Take a path in; if there is no room, the least probable one goes."""
        entry = (path.now.total, next(self._order), path)
        if len(self._heap) < self._width:
            heapq.heappush(self._heap, entry)
            return
        _, _, gone = heapq.heapreplace(self._heap, entry)
        gone.now = NOWHERE

    def ranked(self) -> list[LabelPath]:
        """The paths, the most probable one first."""
        return [path for _, _, path in sorted(self._heap, reverse=True)]


def most_probable(steps: Array, width: int) -> list[LabelPath]:
    """The paths of a beam through steps [time, classes], logarithms of probabilities, the best one
    first; the last class is the blank.
    """
    beam = Beam(width)
    beam.add(LabelPath(None, -1, Ends(0.0, LOWEST, 0.0)))
    for scores in steps:
        beam = _stepped(beam.ranked(), scores, Beam(width))
    return beam.ranked()


def _stepped(paths: list[LabelPath], scores: Array, beam: Beam) -> Beam:
    for path in paths:
        path.before = path.now
    for path in paths:
        path.now = _kept(path, scores)
        beam.add(path)
    for path in paths:
        if path.before.total > beam.least:
            _extend(path, scores, beam)
    return beam


def _kept(path: LabelPath, scores: Array) -> Ends:
    """The path one step later: after a blank, its last label again, or that label for the first
    time, if the path before that label is followed, too.
    """
    blank = path.before.total + float(scores[-1])
    label, parent = path.before.label, path.parent
    if parent is not None:
        if parent.now.total > LOWEST:
            repeats = parent.label == path.label
            label = log_sum(label, parent.before.blank if repeats else parent.before.total)
        label += float(scores[path.label])
    return Ends(blank, label, log_sum(blank, label))


def _extend(path: LabelPath, scores: Array, beam: Beam) -> None:
    """Put the path with one more label into the beam, for each label that is probable enough."""
    totals = scores[:-1] + path.before.total
    if path.parent is not None:
        totals[path.label] = scores[path.label] + path.before.blank
    for label in sorted({*np.flatnonzero(totals > beam.least).tolist(), *path.children}):
        child, total = path.children.get(label), float(totals[label])
        if child is not None and child.now.total > LOWEST:
            continue
        if total > beam.least:
            child = path.children.setdefault(label, child or LabelPath(path, label, NOWHERE))
            child.now = Ends(LOWEST, total, total)
            beam.add(child)
        elif child is not None:
            child.before = child.now = NOWHERE


def log_sum(x: float, y: float) -> float:
    """log(exp(x) + exp(y))."""
    low, high = (x, y) if x < y else (y, x)
    return high if low == LOWEST else high + math.log1p(math.exp(low - high))
