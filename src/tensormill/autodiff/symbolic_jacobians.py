"""Jacobians of what a graph already contains: `tensorflow.python.ops.parallel_for.gradients`."""

from __future__ import annotations

from typing import Any

from ..core import tree
from . import jacobian as rows
from .sources import in_trace
from .symbolic import graph_here, named, recorded_graph
from .tape import UnconnectedGradients, as_operand, gradient_of_source


def jacobian(
    output: Any, inputs: Any, use_pfor: bool = True, parallel_iterations: int | None = None
) -> Any:
    """The derivatives of each element of `output` by each of those of `inputs`; while tracing.

    output: a tensor of floats. inputs: a nest of tensors and variables, which the result is, of
    tensors output.shape + input.shape; None where nothing depends. `use_pfor` and
    `parallel_iterations` change nothing.

    >>> slopes = tf.function(lambda x: jacobian(x * x, x))
    >>> slopes(tf.constant([1.0, 2.0])).numpy()
    array([[2., 0.],
           [0., 4.]], dtype=float32)

    Raises:
        RuntimeError: nothing is being traced.
    """
    graph = graph_here("jacobian")
    sources = tree.flatten(inputs)
    operands = [in_trace(as_operand(one, "source")) for one in sources]
    target = in_trace(as_operand(output, "target"))
    recording = recorded_graph(graph, operands, [])
    with named("jacobian"):
        found = rows.jacobian(recording, target, operands)
        none = UnconnectedGradients.NONE
        answers = [
            gradient_of_source(row, source, none, target)
            for row, source in zip(found, sources, strict=True)
        ]
    return tree.pack_sequence_as(inputs, answers)


def batch_jacobian(
    output: Any, inp: Any, use_pfor: bool = True, parallel_iterations: int | None = None
) -> Any:
    """The Jacobian of each example, of which results depend on their own only; while tracing.

    output: [b, ...]; inp: [b, ...]. The result is [b, *output.shape[1:], *inp.shape[1:]].

    >>> slopes = tf.function(lambda x: batch_jacobian(x * x, x))
    >>> slopes(tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([[[2., 0.],
            [0., 4.]],
    <BLANKLINE>
           [[6., 0.],
            [0., 8.]]], dtype=float32)

    Raises:
        RuntimeError: nothing is being traced.
        ValueError: the first axes are of two sizes.
    """
    graph = graph_here("batch_jacobian")
    target = in_trace(as_operand(output, "target"))
    source = in_trace(as_operand(inp, "source"))
    if not target.shape[:1].is_compatible_with(source.shape[:1]):
        raise ValueError(
            f"Need first dimension of `output` shape ({target.shape}) and `inp` shape "
            f"({source.shape}) to match."
        )
    recording = recorded_graph(graph, [source], [])
    with named("batch_jacobian"):
        return rows.batch_jacobian(recording, target, source, source)
