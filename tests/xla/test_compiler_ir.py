"""What XLA is given and makes can be read, by TensorFlow's names of stages (2.21)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tensormill as tf
from tensormill import backends
from tensormill.eager.devices import choices

X = tf.ones([2, 3])
W = tf.ones([3, 4])


@pytest.fixture(autouse=True)
def on_xla() -> Iterator[None]:
    with backends.using("xla"):
        yield


def compiled() -> Any:
    return tf.function(lambda x, w: tf.nn.relu(x @ w) + 1.0, jit_compile=True)


def test_texts_are_those_of_the_program_that_is_compiled() -> None:
    texts = compiled().experimental_get_compiler_ir(X, W)

    head = "(f32[2,3]{1,0}, f32[3,4]{1,0})->f32[2,4]{1,0}"
    assert head in texts() == texts(stage="hlo")
    assert [1, 1] == [texts("hlo").count(one) for one in (" dot(", " maximum(")]
    assert "fusion(" in texts("optimized_hlo")
    assert "stablehlo.dot_general" in texts("stablehlo")
    assert texts("optimized_hlo_dot").startswith("digraph")


@pytest.mark.parametrize(
    ("asked", "precision"), [(None, "highest"), (True, "high"), (False, "highest")]
)
def test_products_of_float32_are_less_exact_where_somebody_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, asked: bool | None, precision: str
) -> None:
    monkeypatch.setattr(choices, "tensor_float_32", None)
    if asked is not None:
        tf.config.experimental.enable_tensor_float_32_execution(asked)
    kernel = tf.ones([2, 2, 3, 4])

    product = compiled().experimental_get_compiler_ir(X, W)()
    image = tf.function(lambda x: tf.nn.conv2d(x, kernel, 1, "SAME"), jit_compile=True)
    convolution = image.experimental_get_compiler_ir(tf.ones([1, 5, 5, 3]))()

    for text in (product, convolution):
        assert f"operand_precision={{{precision},{precision}}}" in text
    is_enabled = tf.config.experimental.tensor_float_32_execution_enabled()
    assert is_enabled is (asked is not False)  # True at first, as in TensorFlow


@pytest.mark.parametrize("stage", ["hlo_serialized", "optimized_hlo_serialized"])
def test_serialized_stages_are_bytes(stage: str) -> None:
    assert isinstance(compiled().experimental_get_compiler_ir(X, W)(stage), bytes)


def test_specs_stand_for_tensors_and_variables_are_changed_in_place() -> None:
    v = tf.Variable([[1.0, 2.0, 3.0]])
    add = tf.function(lambda x: v.assign_add(x) * 2.0, jit_compile=True)

    texts = add.experimental_get_compiler_ir(tf.TensorSpec([1, 3]))

    assert "input_output_alias" in texts("hlo", device_name="/device:CPU:0")
    assert [[1.0, 2.0, 3.0]] == v.numpy().tolist()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda f: f.experimental_get_compiler_ir(X, W)("nope"), "Invalid stage selected: 'nope'"),
        (lambda f: f.experimental_get_compiler_ir(X, W)("hlo", "/GPU:0"), "No matching device"),
        (
            lambda f: f.experimental_get_compiler_ir(tf.TensorSpec([None, 3]), W),
            "static input shape",
        ),
        (
            lambda _: tf.function(lambda x: x + 1.0).experimental_get_compiler_ir(X),
            "jit_compile=True",
        ),
    ],
)
def test_what_has_no_texts_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask(compiled())


def test_the_compiler_of_the_cpu_has_no_texts_of_xla() -> None:
    with backends.using("cpu"), pytest.raises(ValueError, match="TENSORMILL_BACKEND=xla"):
        compiled().experimental_get_compiler_ir(X, W)


def test_texts_are_not_asked_for_while_tracing() -> None:
    function = compiled()

    with pytest.raises(TypeError, match="outside of a function"):
        tf.function(lambda: function.experimental_get_compiler_ir(X, W)("hlo"))()
