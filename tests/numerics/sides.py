"""Who computes: compiled functions, eager execution, and TensorFlow in a process of its own."""

from __future__ import annotations

import pickle
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import tensormill as tf

from .calls import call
from .operands import Array

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = ROOT / ".venv-tensorflow" / "bin" / "python"
PIECE: Final = 4096  # so few elements are the kernels', where many would be compiled


@cache
def _function(name: str, dtype: str, shapes: tuple[tuple[int | None, ...], ...]) -> Any:
    signature = [tf.TensorSpec(shape, dtype) for shape in shapes]
    return tf.function(lambda *x: call(tf, name, *x), input_signature=signature)


def compiled(name: str, dtype: str, operands: list[Array]) -> Array:
    shapes = tuple((None,) if one.ndim == 1 else one.shape for one in operands)
    function = _function(name, dtype, shapes)
    tensors = [tf.cast(tf.constant(operand), dtype) for operand in operands]
    return _wide(function(*tensors))


def eager(name: str, dtype: str, operands: list[Array]) -> Array:
    tensors = [tf.cast(tf.constant(operand), dtype) for operand in operands]
    return _wide(call(tf, name, *tensors))


def eager_in_pieces(name: str, dtype: str, operands: list[Array]) -> Array:
    """A function of elements, by the kernels that few of them have."""
    pieces = [slice(first, first + PIECE) for first in range(0, len(operands[0]), PIECE)]
    found = [eager(name, dtype, [one[piece] for one in operands]) for piece in pieces]
    return np.concatenate(found)


def _wide(found: Any) -> Array:
    return tf.cast(found, tf.float64).numpy()


@cache
def _process() -> subprocess.Popen[bytes]:
    command, pipe = [str(PYTHON), "-m", "tests.numerics.other_side"], subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)


def tensorflow(name: str, dtype: str, operands: list[Array]) -> Array | None:
    """None where TensorFlow is not there, or has no such kernel."""
    if not PYTHON.exists():
        return None
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    pickle.dump((name, dtype, operands), process.stdin)
    process.stdin.flush()
    return pickle.load(process.stdout)


SIDES: Final = {"compiled": compiled, "eager": eager_in_pieces, "tensorflow": tensorflow}
WHOLE: Final = {"compiled": compiled, "eager": eager, "tensorflow": tensorflow}
