"""Programs that JAX has exported, run by JAX; its own functions are the oracle."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest

import tensormill as tf
from tensormill.errors import InvalidArgumentError, NotFoundError, UnimplementedError
from tensormill.ops.control.xla_modules import call_module

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)
Y = np.linspace(0, 1, 12, dtype=np.float32).reshape(4, 3)


def both(x: Any, y: Any) -> Any:
    return jnp.sin(x) @ y + 1, jnp.concatenate([x, x])


def exported(*platforms: str) -> dict[str, Any]:
    rows, columns = jax.export.symbolic_shape("rows, columns")
    made = jax.export.export(jax.jit(both), platforms=platforms or ["cpu"])(
        jax.ShapeDtypeStruct((rows, 4), np.float32), jax.ShapeDtypeStruct((4, columns), np.float32)
    )
    return {
        "version": made.calling_convention_version,
        "module": made.mlir_module_serialized,
        "platforms": [one.upper() for one in made.platforms],
        "Tout": [tf.float32, tf.float32],
        "Sout": [(None, None), (None, 4)],
    }


@cache
def program() -> dict[str, Any]:
    return exported("tpu", "cpu")


def test_a_program_computes_what_jax_does() -> None:
    def run(x: Any, y: Any) -> Any:
        return call_module([x, y], **program())

    signature = [tf.TensorSpec([None, 4]), tf.TensorSpec([4, None])]
    compiled = tf.function(run, input_signature=signature)
    for x, y in ((X, Y), (X[:1], Y[:, :2])):
        wanted = both(x, y)
        for results in (run(x, y), compiled(tf.constant(x), tf.constant(y))):
            for expected, result in zip(wanted, results, strict=True):
                np.testing.assert_allclose(expected, result.numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("operands", "changed", "error", "said"),
    [
        ((X[0], Y), {}, InvalidArgumentError, r"tensor<4xf32>, but the module wants tensor<\?x4xf"),
        ((X[:, :3], Y), {}, InvalidArgumentError, "tensor<2x3xf32>, but the module wants"),
        ((np.float64(X), Y), {}, InvalidArgumentError, "tensor<2x4xf64>, but the module wants"),
        ((X,), {}, InvalidArgumentError, "takes 2 arguments"),
        ((X, Y[:, :0]), {}, InvalidArgumentError, "Expected value >= 1 .* 'columns'"),
        ((X, Y), {"Sout": [(5, 5), (None, 4)]}, InvalidArgumentError, "promise f32\\[5, 5\\]"),
        ((X, Y), {"Tout": [tf.int32, tf.float32]}, InvalidArgumentError, "promise i32"),
        ((X, Y), {"version": 99}, InvalidArgumentError, "version 99 is not supported"),
        ((X, Y), {"platforms": ["CUDA"]}, NotFoundError, "among the platforms required .* \\[CUDA"),
        ((X, Y), {"function_list": ["f"]}, UnimplementedError, "call_tf"),
    ],
)
def test_what_does_not_fit_is_refused(operands: Any, changed: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        call_module(list(operands), **{**program(), **changed})


def test_a_damaged_module_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    damaged: dict[str, Any] = {**program(), "module": b"no module"}

    with pytest.raises(InvalidArgumentError, match="cannot deserialize"):
        call_module([X, Y], **damaged)

    assert "no module" not in capfd.readouterr().out


def test_a_saved_program_is_loaded(tmp_path: Path) -> None:
    module = tf.Module()
    module.run = tf.function(
        lambda x: call_module([x, Y], **program()), input_signature=[tf.TensorSpec([None, 4])]
    )
    tf.saved_model.save(module, str(tmp_path))

    np.testing.assert_allclose(
        both(X, Y)[0], tf.saved_model.load(str(tmp_path)).run(tf.constant(X))[0], rtol=1e-6
    )


def test_a_program_that_calls_python_is_refused() -> None:
    """It says where the function is, as a number: a file's number is anybody's."""
    shown = jax.ShapeDtypeStruct((4,), np.float32)
    target = "xla_ffi_python_cpu_callback"
    calls = jax.jit(jax.ffi.ffi_call(target, shown))
    unsafe = jax.export.DisabledSafetyCheck.custom_call(target)
    made = jax.export.export(calls, disabled_checks=[unsafe])(shown)
    unsafe_program: dict[str, Any] = {"module": made.mlir_module_serialized, "version": 10}

    with pytest.raises(UnimplementedError, match="calls 'xla_ffi_python_cpu_callback'"):
        call_module([X[0]], Tout=[tf.float32], Sout=[(4,)], **unsafe_program)


def test_a_program_for_other_platforms_runs_where_nobody_checks() -> None:
    unchecked: dict[str, Any] = {**exported("cuda"), "disabled_checks": ["platform"]}

    np.testing.assert_allclose(both(X, Y)[0], call_module([X, Y], **unchecked)[0], rtol=1e-6)


def test_it_has_no_gradient_of_its_own() -> None:
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = call_module([x, Y], **program())[0]

    with pytest.raises(LookupError, match="XlaCallModule"):
        tape.gradient(result, x)
