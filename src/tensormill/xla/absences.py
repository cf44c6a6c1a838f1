"""Why XLA does not have the operations that have no rule for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..core import dtypes
from ..core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec
from ..graph.ir import Value
from ..ops.op import Op
from .values import dtype_is_usual

STRINGS: Final = "XLA has no strings"
FILES: Final = "it reads or writes files, or what is in them"
OBJECTS: Final = "it works on an object of Python's"
PYTHON: Final = "it runs Python"
SIZES: Final = "how much it gives depends on the elements of its operands"
QUANTIZED: Final = "XLA has no quantized numbers"
TURNS: Final = "it goes from element to element, and how far depends on them"
LISTS: Final = "its list stays in Python"
DRAWS: Final = "its random numbers are drawn on the CPU"
FUNCTIONS: Final = "JAX has no such function that GPUs have as well"

# By the module of operations, or the folder of it; the longest name counts.
_REASONS: Final = {
    "array.broadcasting": SIZES, "array.distinct": SIZES, "array.select": SIZES,
    "audio": FILES, "checks": "what it says is worded in Python", "constant": "it is a constant",
    "control.clock": "it asks the clock",
    "control.collectives": "it waits for other processes",
    "control.optionals": OBJECTS, "control.python_functions": PYTHON,
    "control.xla_modules": "its program is read by Python", "image.files": FILES,
    "image.distorted_boxes": DRAWS, "image.suppression": SIZES,
    "linalg.clustering": DRAWS, "linalg.matrix_functions": FUNCTIONS, "lists": LISTS,
    "lists.tensor_maps": OBJECTS,
    "math.special": FUNCTIONS, "nn.ctc": TURNS, "nn.ctc_decoding": SIZES,
    "nn.fractional_pooling": SIZES, "nn.isotonic": TURNS, "nn.sampled_losses": SIZES,
    "older.arrays": SIZES, "older.file_names": STRINGS, "older.recurrent_cells": TURNS,
    "quantized": QUANTIZED, "ragged": STRINGS, "ragged.encoded": OBJECTS,
    "raising": PYTHON, "random": DRAWS,
    "records": FILES, "sparse": SIZES, "sparse.csr_matrices": OBJECTS,
    "sparse.csr_products": OBJECTS, "state": OBJECTS, "state.gpu_rnn": TURNS,
    "state.array_gradients": LISTS, "state.tensor_arrays": LISTS, "state.variables": TURNS,
    "strings": STRINGS, "strings.files": FILES,
}  # fmt: skip


def absence_of(op: type[Op]) -> str:
    """Why there is no rule, in one line."""
    fields = (*op.inputs, *op.outputs)
    if any(field.fixed_dtype is dtypes.string for field in fields):
        return STRINGS
    module = op.__module__.partition(".ops.")[2]
    while module:
        if module in _REASONS:
            return _REASONS[module]
        module = module.rpartition(".")[0]
    return "it has no rule for XLA"


def absence_among(values: Iterable[Value]) -> str | None:
    """Why programs have none of these values, the operands or results of an operation; None where
    they have all.
    """
    for value in values:
        spec = value.spec
        if isinstance(spec, TensorSpec) and not dtype_is_usual(spec.dtype):
            return f"XLA has no tensors of {spec.dtype.name}"
        if isinstance(spec, ResourceSpec) and not dtype_is_usual(spec.state.dtype):
            return f"XLA has no variables of {spec.state.dtype.name}"
        if isinstance(spec, ListSpec) and not dtype_is_usual(spec.element.dtype):
            return f"XLA has no lists of {spec.element.dtype.name}"
        if isinstance(spec, ObjectSpec):
            return f"what it uses, a {spec.kind}, is an object of Python's"
    return None
