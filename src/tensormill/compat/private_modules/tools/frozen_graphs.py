"""`eager.wrap_function.function_from_graph_def`: a part of a GraphDef as a function."""

from __future__ import annotations

from typing import Any

from ....core.tree import map_structure
from ....function.wrap_function import wrap_function
from ....graph.proto.graph_import import import_graph_def


def function_from_graph_def(graph_def: Any, inputs: Any, outputs: Any, captures: Any = None) -> Any:
    """What leads from `inputs` to `outputs`, nests of names of tensors of a GraphDef.

    captures: values of placeholders, by the names of these operations.
    """
    known = {f"{name}:0": value for name, value in (captures or {}).items()}

    def imported() -> None:
        import_graph_def(graph_def, input_map=known, name="")

    whole = wrap_function(imported, [])
    element = whole.graph.as_graph_element
    return whole.prune(map_structure(element, inputs), map_structure(element, outputs))
