"""Bringing the values of a checkpoint to the objects of a program, now or when they are made."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError

from ..core import context
from ..core.process.logs import logger
from ..core.trackable import Trackable
from ..eager.tensor import wrap
from ..eager.variable_saving import VARIABLE_VALUE
from ..errors import DataLossError, KnownShapeError, OpError, UnimplementedError
from ..formats.tensor_bundle import BundleReader
from ..graph.proto.messages import message
from .object_graph import OBJECT_GRAPH_KEY, TrackableView, paths_of, state_to_restore, tensor_keys


def read_object_graph(reader: BundleReader) -> Any:
    """The TrackableObjectGraph of a checkpoint.

    Raises:
        DataLossError: what the checkpoint has there is none.
    """
    value = reader.read(OBJECT_GRAPH_KEY)
    if value.shape or value.dtype != object:
        raise DataLossError(f"no object graph in checkpoint {reader.prefix}: it is {value.dtype}")
    try:
        graph = message("TrackableObjectGraph").FromString(value.item())
    except DecodeError as error:
        raise DataLossError(f"no object graph in checkpoint {reader.prefix}: {error}") from None
    size = len(graph.nodes)
    wrong = [what for what, number in _references(graph) if not 0 <= number < size]
    if wrong or not size:
        raise DataLossError(
            f"the object graph of checkpoint {reader.prefix} is damaged: it has {size} objects, "
            f"and {wrong[0] if wrong else 'no root'} is none of them"
        )
    return graph


def _references(graph: Any) -> Iterator[tuple[str, int]]:
    """What refers to an object, and the number by which it does."""
    for number, node in enumerate(graph.nodes):
        for child in node.children:
            yield f"the child '{child.local_name}' of object {number}", child.node_id
        for slot in node.slot_variables:
            what = f"the slot variable '{slot.slot_name}' of object {number}"
            yield what, slot.slot_variable_node_id
            yield what, slot.original_variable_node_id


class Progress:
    """What of a checkpoint has reached its object. `bound` are objects by number."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.bound: dict[int, Any] = {}
        self.unused: set[tuple[int, str]] = set()  # values that the object there does not take
        self.is_expected_partial = False

    def unresolved(self) -> list[str]:
        """Where in the checkpoint values are that no object has taken: `(root).layers.0`."""
        missing = {
            number
            for number, node in enumerate(self.graph.nodes)
            if node.attributes and number not in self.bound
        }
        paths = paths_of(self.graph, missing | {number for number, _ in self.unused})
        found = [pretty(paths.get(number, ("?",))) for number in sorted(missing)]
        return found + [
            f"{pretty(paths.get(number, ('?',)))} ({name})" for number, name in sorted(self.unused)
        ]


class Restoration:
    """One restoring of one checkpoint. It lives while an object waits for a child of its own."""

    def __init__(self, reader: BundleReader, view: TrackableView) -> None:
        self.reader = reader
        self.view = view
        self.progress = Progress(read_object_graph(reader))
        self.bind(view.root, 0)

    def bind(self, value: Any, number: int) -> None:
        """Let `value`, and what is below it, be the object `number` of the checkpoint."""
        pending = deque([(value, number)])
        with context.init_scope():  # objects may be made while a function is traced
            while pending:
                value, number = pending.popleft()
                if self._takes(value, number):
                    self._restore(value, number)
                    pending.extend(self._children(value, number))

    def _takes(self, value: Any, number: int) -> bool:
        """Whether the object `number` had no counterpart so far."""
        bound = self.progress.bound
        if number not in bound:
            bound[number] = value
            return True
        if bound[number] is not value:
            logger.warning(
                "Inconsistent references when restoring checkpoint %s: it has one object where the "
                "program has two. The values went to %r, and not to %r.",
                self.reader.prefix, bound[number], value,
            )  # fmt: skip
        return False

    def _restore(self, value: Any, number: int) -> None:
        """Hand an object its tensors, if they are those that it would save."""
        stored = self.progress.graph.nodes[number].attributes
        attributes = {one.name: one.checkpoint_key for one in stored}
        if _awaits_its_value(value):
            return self._initialise_by(value, attributes)
        state = state_to_restore(value)
        keys = tensor_keys(value, state, attributes)
        expected = state.keys()
        for name in keys.keys() & _foreign_state_of(value).keys():
            raise UnimplementedError(
                f"{keys[name]} of {self.reader.prefix}: {_foreign_state_of(value)[name]}"
            )
        self.progress.unused |= {(number, name) for name in keys.keys() - expected}
        if not expected or not expected <= keys.keys():
            return
        tensors = {name: wrap(self.reader.read(keys[name])) for name in expected}
        try:
            value._restore_from_tensors(tensors)
        except OpError as error:
            error.add_note(f"while restoring {', '.join(keys.values())} of {self.reader.prefix}")
            raise

    def _initialise_by(self, value: Any, keys: dict[str, str]) -> None:
        """Let a variable of Keras that has no value yet get the one of the checkpoint."""
        if VARIABLE_VALUE not in keys:
            return
        restored = wrap(self.reader.read(keys[VARIABLE_VALUE]))

        def initializer(shape: Any, dtype: Any = None) -> Any:
            if tuple(shape) != tuple(restored.shape):
                _forget_awaiting_variables()
                raise KnownShapeError(
                    f"Received incompatible tensor with shape {tuple(restored.shape)} for the "
                    f"variable {value.name}, whose shape is {tuple(shape)}: "
                    f"{keys[VARIABLE_VALUE]} of {self.reader.prefix}"
                )
            return restored

        value._initializer = initializer

    def _children(self, value: Any, number: int) -> Iterator[tuple[Any, int]]:
        """Children that are there, with their numbers; the others are expected from now on."""
        present = self.view.all_children(value)
        for child in self.progress.graph.nodes[number].children:
            found = present.get(child.local_name)
            if found is not None:
                yield found, child.node_id
            elif isinstance(value, Trackable):
                value._defer_dependency(child.local_name, partial(self.bind, number=child.node_id))

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        progress = getattr(self, "progress", None)
        if progress is not None and not is_finalizing():
            _warn_of_unrestored(progress)


def _foreign_state_of(value: Any) -> Mapping[str, str]:
    return value._foreign_state if isinstance(value, Trackable) else {}


def _awaits_its_value(value: Any) -> bool:
    """Whether Keras has made this variable while it learns shapes, and will initialise it after.

    With TensorFlow, restoring such a variable fails where Keras hides the error: the layer is built
    a second time and trains from new values, the optimizer has its variables twice.
    """
    return getattr(value, "_value", value) is None and callable(
        getattr(value, "_initializer", None)
    )


def _forget_awaiting_variables() -> None:
    """Have Keras initialise no more of them: the call that made them fails.

    Its list would stay as it is, and stop the next model from getting its values.
    """
    state = sys.modules.get("keras.src.backend.common.global_state")
    if state is not None:
        state.set_global_attribute("uninitialized_variables", [])


def _warn_of_unrestored(progress: Progress) -> None:
    missing = [] if progress.is_expected_partial else progress.unresolved()
    if not missing:
        return
    logger.warning(
        "What was restored is being deleted with unrestored values: no object has asked for them. "
        "`status.expect_partial()` says that this is meant."
    )
    for place in missing:
        logger.warning("Value in checkpoint could not be found in the restored object: %s", place)


def pretty(path: Sequence[str]) -> str:
    """`(root).layers.0`."""
    return ".".join(("(root)", *path))
