"""`tf.train.CheckpointView`: the objects of a checkpoint, beside those of a program."""

from __future__ import annotations

import os
from collections import deque
from typing import Any

from ..formats.tensor_bundle import BundleReader
from .object_graph import TrackableView, has_state, reachable_objects
from .restoration import read_object_graph


class CheckpointView:
    """The graph of objects in a checkpoint. Objects have numbers there; 0 is the root.

    Raises:
        NotFoundError: there is no such checkpoint, or it knows no objects.
        DataLossError: it is damaged.
    """

    def __init__(self, save_path: Any) -> None:
        self._graph = read_object_graph(BundleReader(os.fspath(save_path)))

    def children(self, node_id: int) -> dict[str, int]:
        """The numbers of an object's children, by name."""
        return {child.local_name: child.node_id for child in self._graph.nodes[node_id].children}

    def descendants(self) -> list[int]:
        """The numbers of all objects below the root, and its own, breadth first."""
        return list(reachable_objects(self._graph))

    def match(self, obj: Any) -> dict[int, Any]:
        """Which of the objects below `obj` a restoration would take for which number."""
        matched = {0: obj}
        pending = deque([0])
        while pending:
            number = pending.popleft()
            present = TrackableView.children(matched[number])
            for name, child in self.children(number).items():
                if name in present and child not in matched:
                    matched[child] = present[name]
                    pending.append(child)
        return matched

    def diff(self, obj: Any) -> tuple[dict[int, Any], list[int], list[Any]]:
        """What `match` finds; numbers without object; objects with values, without number."""
        matched = self.match(obj)
        found = {id(value) for value in matched.values()}
        return (
            matched,
            [number for number in self.descendants() if number not in matched],
            [
                value
                for value in TrackableView(obj).descendants()
                if id(value) not in found and has_state(value)
            ],
        )
