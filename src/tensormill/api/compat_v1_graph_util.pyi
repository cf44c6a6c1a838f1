# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.graph_util`: parts of GraphDefs."""

from ..graph.by_hand.graph_defs import convert_variables_to_constants as convert_variables_to_constants
from ..graph.by_hand.graph_defs import extract_sub_graph as extract_sub_graph
from ..graph.proto.graph_import import import_graph_def as import_graph_def
from ..graph.by_hand.graph_defs import must_run_on_cpu as must_run_on_cpu
from ..graph.by_hand.graph_defs import remove_training_nodes as remove_training_nodes
from ..graph.by_hand.graph_defs import tensor_shape_from_node_def_name as tensor_shape_from_node_def_name

__all__ = ['convert_variables_to_constants', 'extract_sub_graph', 'import_graph_def', 'must_run_on_cpu', 'remove_training_nodes', 'tensor_shape_from_node_def_name']
