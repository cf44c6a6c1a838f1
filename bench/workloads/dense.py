"""A dense layer, relu(x w + b), 128×1024 by 1024×4096: a billion arithmetic operations.

The bare call is OpenBLAS's product alone, from Python, into memory that is there already.
"""

from __future__ import annotations

import ctypes
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, on_xla, tf2

ROWS, INNER, COLUMNS = 128, 1024, 4096
ROW_MAJOR, NO_TRANSPOSE = 101, 111


def operands() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    x = generator.standard_normal((ROWS, INNER), dtype=np.float32)
    weights = generator.standard_normal((INNER, COLUMNS), dtype=np.float32) / 32
    return x, weights, generator.standard_normal(COLUMNS, dtype=np.float32)


def with_tf2(tf: Any) -> Timed:
    x, weights, bias = operands()
    x, weights, bias = tf.constant(x), tf.Variable(weights), tf.Variable(bias)

    @tf.function
    def layer(x: Any) -> Any:
        return tf.nn.relu(tf.matmul(x, weights) + bias)

    return Timed(lambda: layer(x), check=mean(layer(x)))


def with_jax() -> Timed:
    jax = import_module("jax")
    x, weights, bias = (jax.numpy.asarray(value) for value in operands())
    layer = jax.jit(lambda x, weights, bias: jax.nn.relu(x @ weights + bias))
    check = mean(layer(x, weights, bias))
    return Timed(lambda: layer(x, weights, bias), jax.block_until_ready, check)


def with_torch() -> Timed:
    torch = import_module("torch")
    x, weights, bias = (torch.from_numpy(value) for value in operands())
    check = mean(torch.relu(torch.addmm(bias, x, weights)))
    return Timed(lambda: torch.relu(torch.addmm(bias, x, weights)), check=check)


def with_blas() -> Timed:
    blas = import_module("scipy_openblas32")
    folder, name = Path(blas.get_lib_dir()), blas.get_library()
    product = ctypes.CDLL(str(next(folder.glob(f"lib{name}.*")))).scipy_cblas_sgemm
    pointer, integer, number = ctypes.c_void_p, ctypes.c_int, ctypes.c_float
    product.argtypes = [integer] * 6 + [number, pointer, integer] + [pointer, integer]
    product.argtypes += [number, pointer, integer]
    product.restype = None
    x, weights, bias = operands()
    out = np.zeros((ROWS, COLUMNS), np.float32)

    def call(a: int = x.ctypes.data, b: int = weights.ctypes.data, c: int = out.ctypes.data) -> Any:
        product(
            ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, ROWS, COLUMNS, INNER,
            1.0, a, INNER, b, COLUMNS, 0.0, c, COLUMNS,
        )  # fmt: skip
        return x, weights, out  # which must live as long as their addresses are used

    call()
    return Timed(call, check=mean(np.maximum(out + bias, 0)))


def mean(result: Any) -> float:
    return float(np.asarray(result).mean(dtype=np.float64))


WORK = Work(
    title="dense layer, 128×1024 by 1024×4096, relu",
    unit="call",
    programs=tf2(with_tf2)
    | on_xla(with_tf2)
    | {"jax": with_jax, "torch": with_torch, "blas": with_blas},
    goals=(Goal("blas", 1.05), Goal("jax", 1.1, "xla")),
)
