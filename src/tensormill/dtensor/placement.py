"""What operations and functions mean for tensors with layouts: the same values, and layouts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextvars import ContextVar
from typing import Any, Final, TypeGuard

import numpy as np

from ..core import context
from ..core.process.with_blocks import block
from ..eager.execute import Eager
from ..eager.tensor import EagerTensor
from ..errors import UnimplementedError, UnknownError
from ..ops.control.layouts import Relayout
from ..ops.dispatch.divisions import Division, Divisions
from ..ops.dispatch.placements import inside, installed
from .graphs import layouts_of_results, mesh_within
from .layout import Layout, Specs
from .merging import LaidOutOperand
from .mesh import Mesh
from .rules import RULES, Around, specs_of_results
from .tensors import PLACED, DTensor, placed_tensor, plain, specs_of

default: Final[ContextVar[Mesh | None]] = ContextVar("default_mesh", default=None)

SMALL: Final = 17  # elements of integers and texts that go to a mesh by themselves
BY_THEMSELVES: Final = frozenset("iuO")


class Placing:
    """The meaning of operations on tensors with layouts (`ops/dispatch/placements.py`)."""

    def concern(self, operands: Sequence[Any]) -> bool:
        return default.get() is not None or _has_placed(operands)

    def concern_call(self, graph: Any, operands: Sequence[Any]) -> bool:
        return self.concern(operands) or mesh_within(graph) is not None

    def applied(
        self, eager: Any, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any],
        name: str | None,
    ) -> tuple[Any, ...]:  # fmt: skip
        flat = flattened(operands)
        mesh = mesh_of(flat, op.name)
        require_placed(flat, f"The op/function {op.name}")
        if op.eager is None and op.name not in RULES:
            with _within():
                return eager.expand(op, operands, attrs)  # type: ignore[no-any-return]
        if op.eager is None and context.top().recorders and op.vjp is None:
            with _within():
                outputs = eager.expand(op, operands, attrs)
        else:
            outputs = eager.run(op, tuple(map(plain, operands)), attrs)
        places = _places(op, operands, attrs, outputs, mesh)
        if op is Relayout:
            mesh = Layout.from_string(attrs["layout"]).mesh
        return tuple(placed(one, mesh, *it) for one, it in zip(outputs, places, strict=True))

    def called(
        self, graph: Any, operands: Sequence[Any], run: Callable[[Sequence[Any], Divisions], Any]
    ) -> tuple[Any, ...]:
        mesh = _mesh_of_call(graph, operands)
        require_placed(operands, f"The op/function {graph.called}")
        found = layouts_of_results(graph, operands, mesh)
        outputs = run([plain(one) for one in operands], tuple(map(_division_of, operands)))
        pairs = zip(outputs, found, strict=True)
        return tuple(placed(one, at, specs, graph.called) for one, (at, specs) in pairs)


def _division_of(operand: Any) -> Division | None:
    layout = operand.placed if isinstance(operand, PLACED) else None
    return None if layout is None else layout.division()


def _has_placed(operands: Sequence[Any]) -> bool:
    for one in operands:
        cls = type(one)
        if cls is not EagerTensor and (cls in PLACED or (cls is tuple and _has_placed(one))):
            return True
    return False


def flattened(operands: Sequence[Any]) -> list[Any]:
    flat: list[Any] = []
    for one in operands:
        flat += one if type(one) is tuple else (one,)
    return flat


def _places(
    op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], outputs: Any, mesh: Mesh
) -> list[tuple[Specs | None, str]]:
    """For each output how it is divided, and what made it."""
    fields = op(*map(_known, operands), **attrs)
    shapes = [tuple(one.shape) if isinstance(one, EagerTensor) else None for one in outputs]
    around = Around(shapes, dict(zip(mesh.dim_names, mesh.shape(), strict=True)), False, [])
    if op is Relayout:
        made = Layout.from_string(attrs["layout"]).mesh
        around = around._replace(parts=dict(zip(made.dim_names, made.shape(), strict=True)))
    flat = flattened([_known(one) for one in operands])
    return [(specs, op.name) for specs in specs_of_results(op, fields, flat, around)]


def _known(operand: Any) -> Any:
    if type(operand) is tuple:
        return tuple(map(_known, operand))
    array = operand._array
    value = array if isinstance(array, np.ndarray) else None
    return LaidOutOperand(specs_of(operand), tuple(operand.shape), value)


def placed(output: Any, mesh: Mesh, specs: Specs | None, made_by: str) -> Any:
    """An output on a mesh; what is no array as it is."""
    if not isinstance(output, EagerTensor):
        return output
    return placed_tensor(
        output._array, mesh, None if specs is None else Layout(specs, mesh), made_by
    )


def mesh_of(operands: Sequence[Any], wanted_by: str) -> Mesh:
    """The one on which all operands lie that lie on one.

    Raises:
        UnknownError: they lie on several.
    """
    found = [one.mesh for one in operands if isinstance(one, PLACED)]
    if not found:
        mesh = default.get()
        assert mesh is not None
        return mesh
    first = found[0]
    for other in found:
        if other is not first and other != first:
            raise UnknownError(
                f"{wanted_by}: all operands must lie on the same mesh, not on {first!r} and "
                f"{other!r}; use dtensor.relayout, or dtensor.copy_to_mesh"
            )
    return first


def _mesh_of_call(graph: Any, operands: Sequence[Any]) -> Mesh:
    if _has_placed(operands) or default.get() is not None:
        return mesh_of(operands, graph.called)
    mesh = mesh_within(graph)
    assert mesh is not None
    return mesh


def require_placed(operands: Sequence[Any], wanted_by: str) -> None:
    """Refuse larger tensors without a layout beside those that have one, as TensorFlow does.

    Raises:
        UnimplementedError: there is one.
    """
    if inside.get() or not any(isinstance(one, PLACED) for one in operands):
        return
    for position, one in enumerate(operands):
        if type(one) is EagerTensor and not _goes_by_itself(one._array):
            raise UnimplementedError(
                f"{wanted_by} got a regular tensor for input {position} (shape "
                f"{list(one.shape)}) but was expecting a DTensor. Only scalars and small integer "
                "and string tensors become DTensors by themselves: use dtensor.copy_to_mesh"
            )


def _goes_by_itself(array: Any) -> bool:
    return not array.ndim or (array.size <= SMALL and array.dtype.kind in BY_THEMSELVES)


class OnMesh(Eager):
    """Eager execution where operations without a layout among their operands run on a mesh."""


ON_MESH: Final = OnMesh()


@block
def on_mesh(mesh: Mesh) -> Generator[Mesh]:
    """A block in which operations run on a mesh by themselves."""
    here = context.top()
    before = default.set(mesh)
    try:
        if here.interpreter.building_graph:
            yield mesh
        else:
            with context.interpreting(ON_MESH, here.recorders):
                yield mesh
    finally:
        default.reset(before)


@block
def _within() -> Generator[None]:
    before = inside.set(True)
    try:
        yield
    finally:
        inside.reset(before)


def is_placed(tensor: Any) -> TypeGuard[DTensor]:
    """Whether a tensor has a layout."""
    return isinstance(tensor, PLACED)


installed.lay_out(Placing())
