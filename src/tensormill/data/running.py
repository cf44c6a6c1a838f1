"""What is behind the handle of an iterator."""

from __future__ import annotations

import threading
from typing import Any, Final

from ..core.specs import ObjectSpec, TensorSpec
from ..eager.tensor import wrap, wrap_handle
from .nodes import Element, Node
from .sources import TensorsNode
from .structure import blank


class Running:
    """One pass over a dataset, for any number of threads."""

    def __init__(self, node: Node) -> None:
        self.spec: Final = ObjectSpec("iterator", node.specs)
        # The variables that users' functions on the way may read or assign.
        self.storages: Final = node.storages
        self._elements = node.iterate()
        self._lock = threading.Lock()
        self._ended = False
        self._blanks: Element | None = None

    def next(self) -> Element | None:
        """The next element; None from the end on."""
        with self._lock:
            if self._ended:
                return None
            element = next(self._elements, None)
            if element is None:
                self._ended = True
                self._elements = iter(())
            return element

    @property
    def blanks(self) -> Element:
        """An element for where there is none."""
        if self._blanks is None:
            self._blanks = tuple(map(blank_component, self.spec.elements))
        return self._blanks


def blank_component(spec: Any) -> Any:
    """Some eager tensor, or a handle of an empty dataset, that `spec` describes."""
    if isinstance(spec, TensorSpec):
        return wrap(blank(spec))
    empty: Any = TensorsNode(specs=getattr(spec, "elements", ()))
    return wrap_handle(empty)
