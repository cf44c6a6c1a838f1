"""What graphs calculate and how many parameters they have, as TensorFlow's profiler counts: I10."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
PICTURES, FILTERS, ROWS = [2, 8, 8, 3], [3, 3, 3, 16], [3, 4]

# What is built of placeholders of these shapes, and what it counts without and with its gradients.
COUNTS: dict[str, tuple[Any, list[Any], list[int]]] = {
    "matmul": (lambda x, y: tf.matmul(x, y), [ROWS, [4, 5]], [120, 360]),
    "of unknown sizes": (lambda x, y: tf.matmul(x, y), [[None, 4], [4, 5]], [0, 0]),
    "transposed": (lambda x, y: tf.matmul(x, y, transpose_a=True), [[4, 3], [4, 5]], [120, 360]),
    "batch": (lambda x, y: tf.matmul(x, y), [[2, *ROWS], [2, 4, 5]], [240]),
    "conv2d": (lambda x, w: tf.nn.conv2d(x, w, 2, "VALID"), [PICTURES, FILTERS], [15552, 70848]),
    "conv3d": (
        lambda x, w: tf.nn.conv3d(x, w, [1] * 5, "SAME"), [[1, 4, 4, 4, 2], [3, 3, 3, 2, 5]],
        [34560],
    ),
    "depthwise": (
        lambda x, w: tf.nn.depthwise_conv2d(x, w, [1] * 4, "SAME"), [PICTURES, [3, 3, 3, 2]],
        [13824],
    ),
    "max_pool2d": (lambda x: tf.nn.max_pool2d(x, 3, 2, "VALID"), [PICTURES], [486, 1026]),
    "avg_pool2d": (lambda x: tf.nn.avg_pool2d(x, 3, 2, "VALID"), [PICTURES], [486, 1458]),
    "bias_add": (tf.nn.bias_add, [ROWS, [4]], [12, 20]),
    "softmax": (tf.nn.softmax, [ROWS], [60, 105]),
    "sum of one axis": (lambda x: tf.reduce_sum(x, 1), [ROWS], [9]),
    "mean": (tf.reduce_mean, [ROWS], [12]),
    "argmax": (lambda x: tf.argmax(x, 1), [ROWS], [9]),
    "l2_normalize": (lambda x: tf.math.l2_normalize(x, 1), [ROWS], [42]),
    "clip_by_value": (lambda x: tf.clip_by_value(x, 0.0, 1.0), [ROWS], [24]),
    "tanh": (tf.tanh, [ROWS], [0]),
}  # fmt: skip


def options_for(build: Any) -> dict[str, Any]:
    return v1.profiler.ProfileOptionBuilder(build()).with_empty_output().build()


def float_operations(build: Any, shapes: list[Any], with_gradients: bool) -> int:
    with tf.Graph().as_default() as graph:
        operands = [v1.placeholder(tf.float32, shape) for shape in shapes]
        result = build(*operands)
        if with_gradients:
            tf.gradients(result, operands)
    options = options_for(v1.profiler.ProfileOptionBuilder.float_operation)
    return v1.profiler.profile(graph, options=options).total_float_ops


@behaviour("I10")
@pytest.mark.parametrize("name", COUNTS)
def test_operations_count_as_often_as_there(name: str) -> None:
    build, shapes, expected = COUNTS[name]

    assert expected == [
        float_operations(build, shapes, with_gradients)
        for with_gradients in (False, True)[: len(expected)]
    ]


def layer() -> Any:
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [8, 4], "x")
        with v1.variable_scope("layer"):
            w = v1.get_variable("w", [4, 5], initializer=v1.zeros_initializer())
            b = v1.get_variable("b", [5], initializer=v1.zeros_initializer())
            tf.nn.softmax(tf.nn.bias_add(tf.matmul(x, w), b, name="out"), name="prob")
    return graph


@behaviour("I10")
def test_names_are_a_tree_and_kinds_a_chain(capfd) -> None:
    builder = v1.profiler.ProfileOptionBuilder
    root = v1.profiler.profile(layer(), options=options_for(builder.float_operation))
    kinds = v1.profiler.profile(layer(), cmd="op", options=options_for(builder.float_operation))

    assert [("layer/MatMul", 320), ("layer/prob", 200), ("layer/out", 40)] == [
        (one.name, one.float_ops) for one in root.children
    ]
    assert [8, 4] == [dim.size for dim in root.children[0].input_shapes[0].dim]
    assert 560 == kinds.total_float_ops
    assert ("Softmax", 200, 240) == (
        (second := kinds.children[0].children[0]).name, second.float_ops, second.total_float_ops
    )  # fmt: skip
    assert "" == capfd.readouterr().out


@behaviour("I10")
def test_parameters_are_those_of_trainable_variables(capfd) -> None:
    scope = v1.profiler.profile(layer()).children[0]

    assert ("layer", 25, 3) == (scope.name, scope.total_parameters, scope.total_definition_count)
    found = [(one.name, one.parameters) for one in scope.children]
    assert [("layer/b", 5), ("layer/w", 20)] == found
    lines = capfd.readouterr().out.splitlines()
    start = lines.index("node name | # parameters")
    assert ["_TFProfRoot (--/25 params)", "  layer (--/25 params)"] == lines[start + 1 : start + 3]
