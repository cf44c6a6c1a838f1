"""What the objects of a SavedModel say of each other, checked before anything is made of them.

The protos are whatever a file holds: numbers of objects, names of functions and files, sizes. All
that loading relies on is checked here, once, and told by file, object and expectation; functions
are checked when they become graphs (`graph/proto/import_checks.py`).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from typing import Any, Final, NoReturn

from ..core.dtypes import BY_ENUM
from ..eager.variable_options import VariableAggregationV2, VariableSynchronization
from ..errors import InvalidArgumentError

# How many elements of lists may be no objects (they come back as None), all lists together.
MOST_PLAIN_ELEMENTS: Final = 1 << 20
LIST_IDENTIFIERS: Final = ("trackable_list_wrapper", "trackable_tuple_wrapper")
_STATELESS: Final = ("resource", "variant")


def validate(meta: Any, path: str, reserved: Collection[str] = ()) -> None:
    """Refuse a MetaGraphDef whose parts do not fit; `path` is its file.

    `reserved` are names that no child of an object may have: the object would not work with it.

    Raises:
        InvalidArgumentError: they do not.
    """
    _Validation(meta, path, reserved).run()


class _Validation:
    """The checks of one MetaGraphDef."""

    def __init__(self, meta: Any, path: str, reserved: Collection[str]) -> None:
        self._meta = meta
        self._path = path
        self._reserved = reserved
        self._nodes = meta.object_graph_def.nodes
        self._traces = meta.object_graph_def.concrete_functions
        self._constants = {
            node.name
            for node in meta.graph_def.node
            if "value" in node.attr and node.attr["value"].HasField("tensor")
        }
        self._library: dict[str, Any] = {}
        self._plain_elements = 0

    def run(self) -> None:
        for function in self._meta.graph_def.library.function:
            name = function.signature.name
            if not name or name in self._library:
                self._refuse(f"the library has several functions called '{name}', or without name")
            self._library[name] = function
        for name in self._traces:
            self._check_trace(name, self._traces[name])
        for number, node in enumerate(self._nodes):
            place = f"object {number}"
            self._check_children(place, node)
            self._check_saveables(place, node)
            check = getattr(self, f"_check_{node.WhichOneof('kind')}", None)
            if check is not None:
                check(place, node)

    def _refuse(self, what: str) -> NoReturn:
        raise InvalidArgumentError(f"{self._path} is damaged: {what}")

    def _require_object(self, place: str, number: int) -> None:
        if not 0 <= number < len(self._nodes):
            self._refuse(f"{place} is object {number}, of {len(self._nodes)} (from 0)")

    # ---- what objects refer to
    def _check_children(self, place: str, node: Any) -> None:
        names: set[str] = set()
        for child in node.children:
            self._require_object(f"the child '{child.local_name}' of {place}", child.node_id)
            if child.local_name in names:
                self._refuse(f"{place} has two children called '{child.local_name}'")
            if not child.local_name or child.local_name in self._reserved:
                self._refuse(f"{place} has a child called '{child.local_name}', which none may be")
            names.add(child.local_name)
        for slot in node.slot_variables:
            for number in (slot.original_variable_node_id, slot.slot_variable_node_id):
                self._require_object(f"the slot variable '{slot.slot_name}' of {place}", number)

    def _check_saveables(self, place: str, node: Any) -> None:
        for name, saveable in node.saveable_objects.items():
            for number in (saveable.save_function, saveable.restore_function):
                self._require_object(f"a function of '{name}' of {place}", number)
                if self._nodes[number].WhichOneof("kind") != "bare_concrete_function":
                    self._refuse(f"{place} is saved as '{name}' by object {number}, no function")

    def _check_user_object(self, place: str, node: Any) -> None:
        identifier = node.user_object.identifier
        if identifier in LIST_IDENTIFIERS:
            self._check_list(place, node)
        if identifier == "signature_map":
            for child in node.children:
                if self._nodes[child.node_id].WhichOneof("kind") != "bare_concrete_function":
                    self._refuse(f"the signature '{child.local_name}' is no function")

    def _check_list(self, place: str, node: Any) -> None:
        positions = list(positions_of(node))
        self._plain_elements += max(positions, default=-1) + 1 - len(positions)
        if self._plain_elements > MOST_PLAIN_ELEMENTS:
            self._refuse(
                f"{place}, a list, has {len(positions)} objects, the last of them at "
                f"{max(positions)}: {self._plain_elements} elements of lists would be None"
            )

    def _check_variable(self, place: str, node: Any) -> None:
        saved = node.variable
        place = f"{place}, the variable '{saved.name}',"
        self._check_spec(place, saved)
        for value, kind in (
            (saved.synchronization, VariableSynchronization),
            (saved.aggregation, VariableAggregationV2),
        ):
            if value not in {int(one.value) for one in kind}:
                called = kind.__name__.removesuffix("V2")
                self._refuse(f"{place} has the {called} {value}, which is none")

    def _check_spec(self, place: str, saved: Any) -> None:
        dtype = BY_ENUM.get(saved.dtype)
        if dtype is None or dtype.name in _STATELESS:
            self._refuse(f"{place} has a dtype of the number {saved.dtype}, which has no values")
        if len(saved.shape.dim) > 254 or any(dim.size < -1 for dim in saved.shape.dim):
            self._refuse(f"{place} has a shape of {len(saved.shape.dim)} axes that is none")

    def _check_asset(self, place: str, node: Any) -> None:
        files, index = self._meta.asset_file_def, node.asset.asset_file_def_index
        if not 0 <= index < len(files):
            self._refuse(f"{place}, an asset, is file {index} of {len(files)} (from 0)")
        name = files[index].filename
        if not is_inside(name):
            self._refuse(
                f"{place}, the asset '{name}', is no file in the model's own folder of assets"
            )

    def _check_constant(self, place: str, node: Any) -> None:
        if node.constant.operation not in self._constants:
            self._refuse(
                f"{place}, a constant, is the value of the node '{node.constant.operation}', "
                "which is not in the graph, or has none"
            )

    # ---- functions
    def _check_function(self, place: str, node: Any) -> None:
        for name in node.function.concrete_functions:
            self._require_trace(place, name)

    def _check_bare_concrete_function(self, place: str, node: Any) -> None:
        self._require_trace(place, node.bare_concrete_function.concrete_function_name)

    def _require_trace(self, place: str, name: str) -> None:
        if name not in self._traces:
            self._refuse(f"{place} has the trace '{name}', which is not among the saved ones")

    def _require_function(self, place: str, name: str) -> None:
        if name not in self._library:
            self._refuse(f"{place} is of the function '{name}', which is not in the library")

    def _check_trace(self, name: str, trace: Any) -> None:
        place = f"the trace '{name}'"
        self._require_function(place, name)
        takes = len(self._library[name].signature.input_arg)
        if len(trace.bound_inputs) > takes:
            self._refuse(f"{place} captures {len(trace.bound_inputs)} tensors and takes {takes}")
        for number in trace.bound_inputs:
            self._require_object(f"a tensor that {place} captures", number)


def positions_of(node: Any) -> Iterator[int]:
    """Where in a list its objects stand. Other children are fields of named tuples, by name."""
    for child in node.children:
        position = position_of(child.local_name)
        if position is not None:
            yield position


def position_of(name: str) -> int | None:
    """The position in a list that a child's name says."""
    return int(name) if name.isascii() and name.isdecimal() and len(name) < 20 else None


def is_inside(name: str) -> bool:
    """Whether a file of that name, as a folder has it, lies in that folder."""
    if not name or "\0" in name or os.path.isabs(name):
        return False
    first = os.path.normpath(name).split(os.path.sep)[0]
    return first not in (os.pardir, os.curdir)
