"""`tf.io.write_graph`: graphs in files."""

from __future__ import annotations

import os
from typing import Any

from google.protobuf import text_format

from ...core.files import gfile
from ...core.files.atomic import rewriting


def write_graph(graph_or_graph_def: Any, logdir: Any, name: str, as_text: bool = True) -> str:
    """Write a graph into a file, and say its path.

    graph_or_graph_def: a `tf.Graph`, or a GraphDef. logdir: the folder, which is made if need be.
    name: the file's name. as_text: whether it is written as text, or else in bytes.

    >>> with tf.Graph().as_default() as graph:
    ...     _ = tf.constant(3, name="three")
    >>> tf.io.write_graph(graph, "graphs", "three.pbtxt")
    'graphs/three.pbtxt'

    Raises:
        PermissionDeniedError, FailedPreconditionError: it cannot be written.
    """
    is_graph = hasattr(graph_or_graph_def, "as_graph_def")
    proto = graph_or_graph_def.as_graph_def() if is_graph else graph_or_graph_def
    data = text_format.MessageToString(proto).encode() if as_text else proto.SerializeToString()
    folder = gfile.text(logdir)
    gfile.makedirs(folder)
    path = os.path.join(folder, name)
    with gfile.translated(path), rewriting(path) as file:
        file.write(data)
    return os.path.join(gfile.said(logdir), name)
