"""How the results of a function are laid out, found before it runs.

The graph is replayed where operations are recorded, with the sizes that the call has and with
layouts beside the tensors, so that one rule serves operations that run at once and traced ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from ..core import context
from ..core.specs import TensorSpec
from ..graph import ir
from ..graph.evaluate import evaluate_tensors
from ..graph.func_graph import ScratchGraph
from ..graph.payload import payload_of
from ..ops.control.functional import Branching, Call, Functional, Loop
from ..ops.control.layouts import Relayout
from ..ops.conversion import known_of
from .layout import Layout, Specs
from .merging import LaidOutOperand, replicated
from .mesh import Mesh
from .rules import RULES, Around, specs_of_results
from .tensors import PLACED, specs_of

Place = tuple[Mesh, Specs | None]
Found = tuple[Place, ...]

GIVEN: Final = ("Placeholder", "ReadVariableOp")

# What was found, as long as somebody has the graph.
_meshes: Final[WeakKeyDictionary[ir.Graph, Mesh | None]] = WeakKeyDictionary()
_layouts: Final[WeakKeyDictionary[ir.Graph, dict[Any, Found]]] = WeakKeyDictionary()


def layouts_of_results(graph: ir.Graph, operands: Sequence[Any], mesh: Mesh) -> Found:
    """For each result of a call its mesh and how it is divided, None where that is unknown."""
    found = _layouts.setdefault(graph, {})
    key = (mesh, *[_key(one) for one in operands])
    places = found.get(key)
    if places is None:
        places = found[key] = _replayed(graph, operands, mesh)
    return places


def mesh_within(graph: ir.Graph) -> Mesh | None:
    """The mesh to which a function takes tensors by itself; None where it does not."""
    if graph not in _meshes:
        _meshes[graph] = _first_mesh(graph)
    return _meshes[graph]


def _first_mesh(graph: ir.Graph) -> Mesh | None:
    for operation in graph.operations:
        if operation.op is Relayout:
            return Layout.from_string(operation.attrs["layout"]).mesh
        if issubclass(operation.op, Functional):
            for inner in operation.op.graphs_of(operation.attrs):
                if (found := mesh_within(cast(ir.Graph, inner))) is not None:
                    return found
    return None


def _key(operand: Any) -> Any:
    placed = operand.placed if isinstance(operand, PLACED) else "plain"
    return placed, tuple(operand.shape.as_list()) if operand.shape.rank is not None else None


def _replayed(graph: ir.Graph, operands: Sequence[Any], mesh: Mesh) -> Found:
    made = LayoutGraph(graph.name, mesh)
    with context.interpreting(made):
        tensors = [
            made.laid_out(_stand_in(made, one, value.spec), (_mesh_of(one, mesh), specs_of(one)))
            for one, value in zip(operands, graph.inputs, strict=True)
        ]
        results = evaluate_tensors(graph, tensors)
    return tuple(made.place(one) for one in results)


def _mesh_of(operand: Any, mesh: Mesh) -> Mesh:
    return operand.mesh if isinstance(operand, PLACED) else mesh


def _stand_in(made: Any, operand: Any, spec: Any) -> Any:
    payload = payload_of(operand)
    if isinstance(spec, TensorSpec) and hasattr(payload, "shape"):
        return made.placeholder(TensorSpec(payload.shape, operand.dtype))
    return made.placeholder(spec)


class LayoutGraph(ScratchGraph):
    """Records operations, and how their results are laid out."""

    def __init__(self, name: str, mesh: Mesh) -> None:
        super().__init__(name)
        self._mesh: Final = mesh
        self._places: Final[dict[int, Place]] = {}

    def laid_out(self, tensor: Any, place: Place) -> Any:
        """The tensor, of which it is known now how it is laid out."""
        self._places[id(tensor)] = place
        return tensor

    def place(self, tensor: Any) -> Place:
        """On which mesh a tensor lies, and how it is divided: constants are everywhere."""
        rank = tensor.shape.rank
        everywhere = None if rank is None else replicated(rank)
        return self._places.get(id(tensor), (self._mesh, everywhere))

    def apply(
        self, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[Any, ...]:
        outputs = super().apply(op, operands, attrs, name)
        if not op.rephrases:
            places = self._places_of(op, operands, attrs, outputs)
            for one, place in zip(outputs, places, strict=True):
                self.laid_out(one, place)
        return outputs

    def _places_of(
        self, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], outputs: Any
    ) -> Sequence[Place]:
        flat = [one for row in operands for one in (row if isinstance(row, tuple) else (row,))]
        if issubclass(op, Call):
            return self._inside(attrs["f"], flat)
        if issubclass(op, Branching):
            branches = cast("Sequence[ir.Graph]", op.graphs_of(attrs))
            return _agreed([self._inside(one, flat[1:]) for one in branches])
        if issubclass(op, Loop):
            return self._loop(attrs["body"], flat)
        if op.expand is not None and op.eager is None and op.name not in RULES:
            return self._expanded(op, operands, attrs, outputs)
        return self._by_rule(op(*map(self._known, operands), **attrs), flat, outputs)

    def _by_rule(self, fields: Any, flat: Sequence[Any], outputs: Sequence[Any]) -> list[Place]:
        mesh = next((self.place(one)[0] for one in flat), self._mesh)
        if isinstance(fields, Relayout):
            mesh = Layout.from_string(fields.layout).mesh
        parts = dict(zip(mesh.dim_names, mesh.shape(), strict=True))
        around = Around([_shape(one) for one in outputs], parts, True, [])
        known = [self._known(one) for one in flat]
        return [(mesh, specs) for specs in specs_of_results(type(fields), fields, known, around)]

    def _expanded(
        self, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], outputs: Any
    ) -> Sequence[Place]:
        result = op(*operands, **attrs).expand()
        made = (result,) if op.single else tuple(result or ())
        return [self.place(one) for one in made] or [(self._mesh, None)] * len(outputs)

    def _inside(self, graph: ir.Graph, operands: Sequence[Any]) -> list[Place]:
        return [self.place(one) for one in evaluate_tensors(graph, operands)]

    def _loop(self, body: ir.Graph, operands: Sequence[Any]) -> list[Place]:
        """What is carried round by round as it began; what is not so is unknown."""
        begun = [self.place(one) for one in operands]
        after = self._inside(body, operands)
        return _agreed([begun, after])

    def _known(self, operand: Any) -> Any:
        if isinstance(operand, tuple):
            return tuple(map(self._known, operand))
        known = known_of(operand)
        is_given = operand.op.type in GIVEN
        return LaidOutOperand(self.place(operand)[1], _shape(operand), known.value, is_given)


def _shape(tensor: Any) -> tuple[int | None, ...] | None:
    return None if tensor.shape.rank is None else tuple(tensor.shape.as_list())


def _agreed(rows: Sequence[Sequence[Place]]) -> list[Place]:
    return [
        column[0] if all(one == column[0] for one in column) else (column[0][0], None)
        for column in zip(*rows, strict=True)
    ]
