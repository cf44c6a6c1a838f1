"""Graphs that are written as they stand, node by node: each in operations that TensorFlow has."""

from __future__ import annotations

from typing import Final

from ..autodiff.users.custom_in_graphs import CustomGradient
from ..core import tree
from ..graph import ir
from ..graph.operation import Operation
from ..graph.proto.graphdef import PartOfGraph
from ..ops.constant import Const
from ..ops.lists.list_elements import TensorListAdd
from .expansions import EXPANSIONS
from .tensorflow_form import TensorFlowForm

_SPELLED: Final = (CustomGradient, TensorListAdd, *EXPANSIONS)


class WrittenForm:
    """What stands in a GraphDef for the operations and functions of one graph."""

    def __init__(self) -> None:
        self._forms: Final = TensorFlowForm()
        self._made: Final[set[ir.Graph]] = set()

    def of(self, graph: ir.Graph) -> ir.Graph:
        """A function in operations of TensorFlow's; what this gave before stays as it is."""
        if graph in self._made:
            return graph
        found = self._forms.of(graph)
        self._note(found)
        return found

    def _note(self, graph: ir.Graph) -> None:
        if graph in self._made:
            return
        self._made.add(graph)
        for operation in graph.operations:
            for one in tree.flatten(list(operation.attrs.values())):
                if isinstance(one, ir.Graph):
                    self._note(one)

    def part(self, operation: Operation) -> PartOfGraph | None:
        """The operations that stand for one of ours; None for all that TensorFlow has.

        Constants that it takes are among them: rules may ask for numbers.
        """
        if operation.kind not in _SPELLED:
            return None
        constants = {
            tensor.op.results[0]: _application(tensor.op)
            for tensor in operation.inputs
            if tensor.op.kind is Const
        }
        places = dict(zip(operation.operands, operation.inputs, strict=True))
        inputs = tuple(value for value in places if value not in constants)
        own = _application(operation)
        listed = (*constants.values(), own)
        graph = self._forms.of(ir.Graph(operation.name, inputs, (), listed, own.results))
        self._note(graph)
        return PartOfGraph(graph, places)


def _application(operation: Operation) -> ir.Application:
    assert operation.kind is not None
    return ir.Application(
        operation.kind, operation.name, operation.operands, operation.counts, operation.attrs,
        operation.results, (), operation.source, operation.device, operation.replica,
        operation.gradient_type,
    )  # fmt: skip
