"""Operands that do not fit: native code says so where NumPy does, and reads nothing beyond them.

Each operation's samples (tests/ops/samples) and each call of functions (tests/ops/*_calls.py) are
traced without knowing sizes, or even ranks. Then sizes, ranks and numbers are changed at random:
eager execution, which NumPy guards, and the compiled function raise both, or give the same.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

import tensormill as tf
from tests.ops.calls import training_calls

from . import operands
from .limits import limits, little_memory, no_passes
from .operands import REFUSALS, Attempt, Case, cases, composite_cases, refuses_anyway, traced

LIMITS = limits(40, HealthCheck.filter_too_much)
EACH = 10
pytestmark = pytest.mark.usefixtures(no_passes.__name__, little_memory.__name__)


# SciPy says so of roots of singular matrices.
@pytest.mark.sampled(among="random programs")
@pytest.mark.filterwarnings("ignore:Matrix is singular:scipy.linalg.LinAlgWarning")
@LIMITS
@given(st.integers(0, 2**32))
def test_compiled_code_refuses_what_eager_execution_does(seed: int) -> None:
    attempt = Attempt(str(seed)).run(EACH)

    assume(attempt.tried)
    assert attempt.found == []


# Calls that refuse tensors of unknown rank while they are traced, by the words they do it with.
NEED_RANKS = {
    "Number of mask dimensions must be specified": [
        "boolean_mask",
    ],
    "Cannot infer argument `num`": [
        "gradient of eigh of complex numbers",
    ],
    "axis=-1 out of bounds": [
        "ragged: row_lengths of later axes",
    ],
    "axis=2 out of bounds": [
        "reduce_join of deep rows",
    ],
    "ragged tensor of known rank": [
        "ragged: matmul", "ragged: matmul, nested", "ragged: gradient of matmul",
    ],
    "ragged images have the rank 4": [
        "ragged: resize images",
    ],
    "Shifting all axes needs": [
        "fftshift",
    ],
    "Rank of input must be statically known": [
        "bytes_split of rank 3", "unicode_decode of rank 3", "bytes_split",
        "bytes_split of a scalar", "bytes_split of a matrix", "unicode_split",
        "unicode_split of wrong bytes", "unicode_split of a scalar",
        "unicode_split of another encoding", "unicode_split_with_offsets", "unicode_decode",
        "unicode_decode of a scalar", "unicode_decode of a matrix", "unicode_decode of wrong bytes",
        "unicode_decode, control characters", "unicode_decode_with_offsets of a scalar",
        "unicode_encode of rows",
    ],
    "rank must be at least 1 and statically known": [
        "unicode_encode", "unicode_encode of a vector",
    ],
    "Rank of data must be known": [
        "ngrams of rank 3", "ngrams", "ngrams of a vector", "ngrams, padded", "ngrams, padded once",
        "ngrams of short rows",
    ],
    "image_gradients expects a 4D tensor": [
        "image_gradients",
    ],
    "must be either 3 or 4-dimensional": [
        "total_variation", "total_variation of one image", "gradient of total_variation",
    ],
    "the rank must be 3, 4 or 5": [
        "max_pool", "max_pool of rows", "avg_pool", "avg_pool of rows",
    ],
    "to_tensor with a shape needs values of known rank": [
        *(f"RaggedTensorToTensor-{number}" for number in range(7)),
        "ragged: to_tensor", "ragged: to_tensor, of a shape",
        "ragged: to_tensor, of a shape that is a tensor",
        "ragged: to_tensor, of a shape that a run tells", "ragged: to_tensor, nested, of a shape",
        "ragged: to_tensor, filled up with rows",
    ],
    "must be 2, got None": [
        "ragged: from_sparse",
    ],
    "a ragged tensor of known rank is needed": [
        "ragged: concat 0", "ragged: concat 1", "ragged: concat of a tensor", "ragged: stack",
        "ragged: softmax", "ragged: softmax, nested", "ragged: expand_dims", "ragged: reverse",
        "ragged: tile", "ragged: reduce_sum", "ragged: reduce_sum, keepdims",
        "ragged: reduce_mean of integers",
        "ragged: reduce_sum, nested", "ragged: reduce_mean", "ragged: reduce_max and reduce_min",
        "ragged: reduce_any and reduce_all", "ragged: reduce_variance",
        "ragged: reduce_variance, nested", "ragged: reduce_std of integers",
        "ragged: reductions to one element", "ragged: reduce, several axes",
        "ragged: reduce, several axes, keepdims", "ragged: reduce, axes within the values",
        "ragged: reduce_logsumexp of rows", "ragged: reduce_logsumexp of rows, kept",
        "ragged: moments", "ragged: reduce_join, several axes",
        "ragged: cumsum", "ragged: cumsum, nested", "ragged: cumsum, within the values",
        "ragged: split", "ragged: split, within the values", "ragged: split, rows of one length",
        "ragged: boolean_mask of elements", "ragged: reverse, nested",
        "ragged: reverse, within the values", "ragged: concat and stack within the values",
        "ragged: stack of rows", "ragged: concat, nested", "ragged: ragged.stack",
        "ragged: boolean_mask within the values", "ragged: tile, nested",
        "ragged: tile, within the values", "ragged: squeeze",
    ],
    "contains no shape": [
        "v1 resize of one size", "v1 resize in proportion",
        *(f"v1 resize_images {method} {align}" for method in range(4) for align in (False, True)),
    ],
    "bincount needs to know": [
        "sparse: bincount of rows", "sparse: bincount, binary",
    ],
    "ragged rows and a tensor need known ranks": [
        "ragged: a column", "ragged: where, a list as condition",
        "ragged: where, a column as condition", "ragged: operators, a tensor with fewer rows",
        "ragged: operators, a tensor with more axes", "ragged: operators, another ragged rank",
        "ragged: operators, a tensor of all elements", "ragged: operators, rows of one length",
        "ragged: broadcast_to", "ragged: assertions",
    ],
    "needs a tensor of known rank; tf.ensure_shape tells it": [
        "numpy logarithms: logaddexp logaddexp2 kron outer isclose allclose", "numpy average",
        "numpy parts",
        "numpy choices", "numpy places", "numpy products", "numpy gradients of pairs",
        "numpy gradients of selections", "numpy cross", "numpy cross of pairs",
        "tridiagonal_solve", "tridiagonal_solve of a vector", "tridiagonal_solve of batches",
        "tridiagonal_solve of vectors", "tridiagonal_solve, transposed",
        "tridiagonal_solve, conjugated", "tridiagonal_solve of a matrix",
        "tridiagonal_solve without pivots", "tridiagonal_solve of a singular matrix",
        "gradient of tridiagonal_solve", "gradient of tridiagonal_matmul",
        "tridiagonal_solve of parts", "eigh_tridiagonal, a range",
        "v1 pairwise of rows",
    ],
    "known rank to use negative axis": [
        "quantize_and_dequantize along an axis",
    ],
    "the rank of filters must be 3, 4 or 5": [
        "v1 convolution",
    ],
    "only the last axis is known": [
        "isotonic_regression of columns",
    ],
    "the initial value of a variable must be known": [
        *(f"v1 scatter_{kind}" for kind in ("update", "add", "sub", "mul", "div", "max", "min")),
        *(f"v1 scatter_nd_{kind}" for kind in ("update", "add", "sub")),
    ],
    "Unable to lift tensor": [  # of which a variable is made
        *(name for name in training_calls.CALLS if not name.startswith("step ")),
        "DisableCopyOnRead", "ResourceGatherNd", "RngReadAndSkip", "RngSkip",
        "StatefulRandomBinomial", "StatefulStandardNormalV2", "StatefulTruncatedNormal",
        "StatefulUniform", "StatefulUniform of doubles", "StatefulUniformFullInt",
        "StatefulUniformInt",
    ],
    "ksize must be a constant in a graph": [
        "MaxPoolV2", "MaxPoolGradV2", "MaxPoolGradGradV2", "gradient of MaxPoolV2",
    ],
    "compute_average_loss needs losses and weights of known rank": [
        "compute_average_loss, weighted",
    ],
    "sampled_addmm needs mat1 and mat2 of known rank": [
        "sparse: sampled_addmm", "sparse: sampled_addmm of several",
    ],
    "Attempt to convert a value": [
        "ragged: one_hot", "ragged: size and rank",
    ],
}  # fmt: skip


# Cases are divided among so many tests.
PARTS = 12


def needed() -> dict[str, str]:
    """What is said where ranks are wanted, by case."""
    return {name: words for words, names in NEED_RANKS.items() for name in names}


@pytest.mark.sampled
@pytest.mark.parametrize("part", range(PARTS))
def test_what_has_to_know_ranks_is_counted_and_says_so(part: int) -> None:
    asked = [c for c in cases()[part::PARTS] if not refuses_anyway(c.name)]
    found = {c.name: refusal(c, "dtypes") for c in asked}
    expected = {name: words for name, words in needed().items() if name in found}

    assert {name for name, words in found.items() if words} == expected.keys()
    assert [name for name, words in expected.items() if words not in found[name]] == []


def test_only_cases_that_there_are_need_ranks() -> None:
    assert needed().keys() <= {c.name for c in cases() if not refuses_anyway(c.name)}


def composites_that_need_ranks() -> list[Case]:
    return [c for c in composite_cases() if c.name in needed() or refuses_anyway(c.name)]


@pytest.mark.sampled
@pytest.mark.parametrize("part", range(PARTS))
def test_no_call_of_composites_has_to_know_sizes(part: int) -> None:
    """All others are compiled without them (tests/ops/test_rules.py and test_calls.py), and those
    that need no ranks, by the tests above, need no sizes.
    """
    asked = composites_that_need_ranks()[part::PARTS]
    told_ranks = [c.name for c in asked if refusal(c, "ranks")]

    assert len(asked) > 50 // PARTS
    assert [name for name in told_ranks if not refuses_anyway(name)] == []


def refusal(case: Case, knowledge: str) -> str:
    """What tracing says where it does not know enough."""
    try:
        traced(case, knowledge, Random(0))
    except REFUSALS as error:
        return str(error)
    return ""


def test_an_attempt_finds_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else it would find nothing, whatever there is."""

    def run(x: Any) -> list[Any]:
        return [x if tf.executing_eagerly() else tf.expand_dims(x, 0)]

    monkeypatch.setattr(operands, "cases", lambda: [Case("wrong", run, (np.ones(4),))])
    attempt = Attempt("0").run(EACH)

    assert attempt.tried > 0
    assert len(attempt.found) == attempt.tried
