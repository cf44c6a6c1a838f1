# Written by `make stubs` from the table beside it.

"""`tf.graph_util`: GraphDefs into graphs."""

from ..graph.proto.graph_import import import_graph_def as import_graph_def

__all__ = ['import_graph_def']
