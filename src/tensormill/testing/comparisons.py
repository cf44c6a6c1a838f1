"""What `tf.test` asks besides: graphs that are equal, processors that code can be made for."""

from __future__ import annotations

from typing import Any, Final

from ..graph.proto.messages import message

# LLVM's back ends that its wheel brings along, as TensorFlow calls them.
TARGETS: Final = frozenset(("x86", "aarch64", "arm", "ppc", "systemz"))


def is_cpu_target_available(target: str) -> bool:
    """Whether LLVM can make code for a kind of processor.

    >>> tf.test.is_cpu_target_available("x86")
    True

    Raises:
        AssertionError: it is none of "x86", "aarch64", "arm", "ppc" and "systemz".
    """
    if target not in TARGETS:
        raise AssertionError(f"Unknown CPU target: {target!r}, not one of {sorted(TARGETS)}")
    return True


def sync_devices() -> None:
    """Wait until operations are done: they are.

    >>> tf.test.experimental.sync_devices()
    """


def assert_equal_graph_def(expected: Any, actual: Any) -> None:
    """Check that two GraphDefs say the same; their nodes may stand in any order.

    >>> graph = tf.Graph()
    >>> with graph.as_default():
    ...     _ = tf.constant(1.0)
    >>> tf.test.assert_equal_graph_def(graph.as_graph_def(), graph.as_graph_def())

    Raises:
        TypeError: one is no GraphDef.
        AssertionError: they differ; which node does, and how.
    """
    for name, one in (("expected", expected), ("actual", actual)):
        if getattr(getattr(one, "DESCRIPTOR", None), "name", "") != "GraphDef":
            raise TypeError(f"Expected tf.GraphDef for {name}, got {type(one).__name__}")
    nodes, others = (_nodes(one) for one in (expected, actual))
    missing, extra = nodes.keys() - others.keys(), others.keys() - nodes.keys()
    if missing or extra:
        raise AssertionError(
            f"The graphs have other nodes: missing are {sorted(missing)}, not expected are "
            f"{sorted(extra)}"
        )
    for name, node in nodes.items():
        if node != others[name]:
            raise AssertionError(f"Node '{name}' differs. Expected:\n{node}\nGot:\n{others[name]}")


def _nodes(graph: Any) -> dict[str, Any]:
    copy = message("GraphDef").FromString(graph.SerializeToString())
    return {node.name: node for node in copy.node}
