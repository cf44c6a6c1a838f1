"""`tf.compat.v1.graph_util`: parts of GraphDefs."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "graph.by_hand.graph_defs": (
        "convert_variables_to_constants extract_sub_graph must_run_on_cpu remove_training_nodes "
        "tensor_shape_from_node_def_name"
    ),
    "graph.proto.graph_import": "import_graph_def",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.graph_util")
