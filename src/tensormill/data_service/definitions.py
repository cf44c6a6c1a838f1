"""Datasets as messages: functions in TensorFlow's form, one of which makes the dataset."""

from __future__ import annotations

from ..core import context
from ..data.dataset import DatasetV2
from ..data.graphs.tracing import traced
from ..data.graphs.writing import UnwritableDatasetError
from ..data.nodes.node import Node
from ..errors import FailedPreconditionError
from ..function.callee import captures_as_parameters
from ..graph.func_graph import FuncGraph
from ..graph.ir import Graph
from ..graph.nested_graphs import every_operation
from ..graph.proto.graphdef import FunctionLibrary
from ..graph.proto.graphdef_import import Functions
from ..graph.proto.import_checks import OF_ONE_PROCESS
from ..graph.proto.messages import message
from ..saved_model.tensorflow_form import DATASETS, TensorFlowForm

NAME = "dataset"


def defined(dataset: DatasetV2) -> bytes:
    """The functions that make a dataset.

    Raises:
        FailedPreconditionError: it calls Python, or uses variables.
    """
    library = FunctionLibrary()
    library.name_of(traced_form(dataset.node), NAME)
    return message("FunctionDefLibrary")(function=library.functions).SerializeToString()


def traced_form(node: Node) -> Graph:
    """The graph that makes a dataset, in TensorFlow's operations.

    Raises:
        FailedPreconditionError: it calls Python, or uses variables.
    """
    graph, form = FuncGraph(NAME), TensorFlowForm()
    try:
        with context.interpreting(graph):
            handle = traced(node, whole=True)
        made = form.of(captures_as_parameters(graph.finish([handle])))
    except UnwritableDatasetError as error:
        raise _refused(str(error)) from None
    if graph.passed_captures():
        raise _refused("it uses variables or other objects of this process")
    names = {one.op.name for one in every_operation(made)}
    if there := sorted(names & {*OF_ONE_PROCESS, *DATASETS}):
        raise _refused(", ".join(form.unwritten or there))
    return made


def _refused(why: str) -> FailedPreconditionError:
    return FailedPreconditionError(
        "the dataset cannot be given to other processes, which do not have what it is made of: "
        f"{why}"
    )


def made_of(definition: bytes) -> Node:
    """The dataset that such functions make."""
    library = message("FunctionDefLibrary").FromString(definition)
    (node,) = Functions(library.function).graph(NAME, []).run([])
    return node
