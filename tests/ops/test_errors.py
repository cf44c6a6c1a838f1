"""Wrong values raise TensorFlow's class with its key words: eagerly, and in compiled code."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.errors import InvalidArgumentError, ShapeMismatchError, UnimplementedError

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)
V = np.array([1, 2, 3], np.int32)

# What is wrong lies in values or sizes, which only run time knows in the compiled variant.
AT_RUN_TIME: dict[str, tuple[Callable[..., Any], list[Any], str]] = {
    "division by zero": (lambda x, y: x // y, [V, V - 1], "Integer division by zero"),
    "division by a scalar zero": (lambda x, y: x // y, [V, V[0] - 1], "Integer division by zero"),
    "remainder by zero": (lambda x, y: x % y, [V, V - 1], "Integer division by zero"),
    "truncated division": (tf.truncatediv, [V, V - 1], "Integer division by zero"),
    "a band of more rows": (
        lambda x, n: tf.linalg.band_part(x, n, 0),
        [X, V[2]],
        r"number of rows \(2\) got: 3",
    ),
    "a band of more columns": (
        lambda x, n: tf.linalg.band_part(x, 0, n),
        [X, V[2] + 1],
        r"number of columns \(3\) got: 4",
    ),
    "labels of another number": (
        lambda x, i: tf.nn.sparse_softmax_cross_entropy_with_logits(i, tf.cast(x, tf.float32)),
        [X, V],
        "must have the same first dimension, got 2 and 3",
    ),
    "negative power": (lambda x, y: x**y, [V, V - 2], "negative integer powers"),
    "broadcasting": (
        lambda x, y: x + y,
        [V, V[:2]],
        "ncompatible shapes: |Dimensions must be equal",
    ),
    "matmul": (tf.matmul, [X, X], "Matrix size-incompatible"),
    "reshape": (lambda x: tf.reshape(x, [4]), [X], "Input to reshape is a tensor with 6 values"),
    "reshape by a multiple": (
        lambda x: tf.reshape(x, [4, -1]),
        [X],
        "nput to reshape is a tensor with 6",
    ),
    "squeeze": (lambda x: tf.squeeze(x, 1), [X], r"Can not squeeze dim\[1\]"),
    "index": (lambda x, i: x[i], [V, V[2]], "slice index 3 of dimension 0 out of bounds"),
    "negative index": (
        lambda x, i: x[i],
        [V, V[2] - 7],
        "slice index -4 of dimension 0 out of bounds",
    ),
    "slice": (
        lambda x, i: tf.slice(x, [i], [2]),
        [V, V[1]],
        r"Expected size\[0\] in \[0, 1\], but got 2",
    ),
    "slice begin": (
        lambda x, i: tf.slice(x, [i], [0]),
        [V, V[2] + 1],
        r"Expected begin\[0\] in \[0, 3\]",
    ),
    "gather": (tf.gather, [V, V], r"indices\[2\] = 3 is not in \[0, 3\)"),
    "gather, negative": (tf.gather, [V, V - 2], r"indices\[0\] = -1 is not in \[0, 3\)"),
    "gather a scalar": (tf.gather, [V, V[2]], r"indices = 3 is not in \[0, 3\)"),
    "gather_nd": (tf.gather_nd, [X, V[1:]], r"does not index into param shape \[2, ?3\]"),
    "scatter_nd": (
        lambda i: tf.scatter_nd(i, [1], [1]),
        [V[:1, None]],
        "does not index into shape",
    ),
    "tensor_scatter": (
        tf.tensor_scatter_nd_update,
        [V, V[:1, None] + 2, V[:1]],
        r"indices\[0\] = \[3\] does not index",
    ),
    "segments": (
        lambda x, i: tf.math.unsorted_segment_sum(x, i, 2),
        [V, V],
        r"segment_ids\[1\] = 2 is out of range",
    ),
    "concat": (lambda x, y: tf.concat([x, y], 0), [X, X[:, :2]], "ConcatOp : Dimension"),
    "stack": (lambda x, y: tf.stack([x, y]), [V, V[:2]], "Shapes of all inputs must match"),
    "split": (lambda x: tf.split(x, 2), [V], "evenly divide the split dimension"),
    "split sizes": (lambda x: tf.split(x, [1, 1]), [V], "Determined shape must"),
    "unstack": (lambda x: tf.unstack(x, 2), [V], "Input shape axis 0 must equal 2"),
    "tile": (
        lambda x, n: tf.tile(x, [n]),
        [V, V[0] - 2],
        r"Expected multiples\[0\] >= 0, but got -1",
    ),
    "fill": (lambda n: tf.fill([n], 1), [V[0] - 2], "must be >= 0"),
    "range": (lambda n: tf.range(n, 0), [V[2]], "Requires start <= limit when delta > 0"),
    "range without a step": (lambda n: tf.range(0, 3, n), [V[0] - 1], "Requires delta != 0"),
    "one_hot": (lambda n: tf.one_hot([0], n), [V[0] - 2], "depth must be non-negative"),
    "mirror_pad": (lambda x: tf.pad(x, [[3, 0]], "REFLECT"), [V], "paddings"),
    "ensure_shape": (lambda x: tf.ensure_shape(x, [4]), [V], "not compatible with expected shape"),
    "check_numerics": (
        lambda x: tf.debugging.check_numerics(x, "bad"),
        [X * np.inf],
        "bad : Tensor had Inf",
    ),
    "a permutation": (lambda x, p: tf.transpose(x, p), [X, V[:2]], "out of range|missing from"),
    "bias_add": (tf.nn.bias_add, [X, X[0, :2]], "Must provide as many biases"),
    "top_k": (lambda x: tf.math.top_k(x, 4), [X], "input must have at least k columns"),
    "to_number": (
        lambda x: tf.strings.to_number(tf.strings.as_string(x) + "?"),
        [V],
        "could not correctly convert",
    ),
    "Assert": (lambda x: tf.debugging.Assert(tf.reduce_all(x > 1), ["no", x]), [V], "no"),
    "assert_equal": (
        lambda x: tf.debugging.assert_equal(x, 1, "why"),
        [V],
        "why(.|\n)*Condition x == y did not hold",
    ),
    "assert_rank": (lambda x: tf.debugging.assert_rank(x, 2), [V], "must have rank 2"),
}


def raised(run: Callable[[], Any]) -> Exception:
    with np.errstate(all="ignore"), pytest.raises((InvalidArgumentError, ValueError)) as caught:
        run()
    return caught.value


@pytest.mark.parametrize("name", AT_RUN_TIME)
def test_eager_errors_have_tensorflows_words(name: str) -> None:
    function, arrays, words = AT_RUN_TIME[name]
    error = raised(lambda: function(*map(tf.constant, arrays)))

    assert re.search(words, str(error)), str(error)


@pytest.mark.sampled
@pytest.mark.parametrize("name", AT_RUN_TIME)
def test_compiled_errors_have_tensorflows_words(name: str) -> None:
    function, arrays, words = AT_RUN_TIME[name]
    specs = [tf.TensorSpec([None] * np.ndim(array), array.dtype) for array in arrays]

    @tf.function(input_signature=specs, autograph=False)
    def compiled(*operands: Any) -> Any:
        result = function(*operands)
        return None if isinstance(result, tf.Operation) else result

    error = raised(lambda: compiled(*map(tf.constant, arrays)))

    assert re.search(words, str(error)), str(error)


AT_ONCE: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "saturating a string": (
        lambda: tf.saturate_cast(tf.constant("a"), tf.complex64),
        TypeError,
        r"Cannot find minimum value of <dtype: 'string'>",
    ),
    "saturating to a string": (
        lambda: tf.saturate_cast(1, tf.string),
        TypeError,
        r"Cannot find minimum value of <dtype: 'string'>",
    ),
    "saturating truth": (
        lambda: tf.saturate_cast(True, tf.int32),
        TypeError,
        r"Cannot find minimum value of <dtype: 'bool'>",
    ),
    "an axis only the graph knows": (
        lambda: tf.function(tf.squeeze)(tf.ones([1, 2]), tf.constant(0)),
        TypeError,
        r"Expected int for argument 'axis' of tf\.squeeze, not <tf\.Tensor 'axis:0'",
    ),
    "an axis within a list": (
        lambda: tf.function(lambda x, axis: tf.squeeze(x, [axis]))(tf.ones([1, 2]), tf.constant(0)),
        TypeError,
        r"Expected int for argument 'axis' of tf\.squeeze, not <tf\.Tensor 'axis:0'",
    ),
    "an axis in words": (
        lambda: tf.squeeze(tf.ones([1, 2]), "0"),
        TypeError,
        "Expected int for argument 'axis' of tf.squeeze, not '0'",
    ),
    "limits of a larger shape": (
        lambda: tf.clip_by_value([1.0, 2.0], [[0.0, 0.0]], 1.0),
        ShapeMismatchError,
        "a limit of",
    ),
    "labels that would broadcast": (
        lambda: tf.nn.weighted_cross_entropy_with_logits([1.0], [1.0, 2.0], 1.0),
        ShapeMismatchError,
        "must have the same shape",
    ),
    "targets that would broadcast": (
        lambda: tf.nn.log_poisson_loss([[1.0]], [1.0]),
        ShapeMismatchError,
        "the same shape",
    ),
    "a scalar of classes": (
        lambda: tf.nn.softmax_cross_entropy_with_logits(1.0, 1.0),
        ShapeMismatchError,
        "of classes",
    ),
    "fewer labels than rows": (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([0], [[1.0], [2.0]]),
        ShapeMismatchError,
        "must have the same first dimension",
    ),
    "axes that the output drops": (
        lambda: tf.einsum("...i->i", [[1.0]]),
        ShapeMismatchError,
        "has no place for: 1 axes",
    ),
    "counts along another axis": (
        lambda: tf.math.bincount([1], axis=1),
        ValueError,
        "Only 0 and -1 are supported",
    ),
    "weights of a binary count": (
        lambda: tf.math.bincount([1], [2.0], binary_output=True),
        ValueError,
        "mutually exclusive",
    ),
    "counts of rows of rank 3": (
        lambda: tf.math.bincount([[[1]]], axis=-1),
        ShapeMismatchError,
        "rows of a matrix",
    ),
    "a bias's gradient of a vector": (
        lambda: tf.raw_ops.BiasAddGrad(out_backprop=[1.0, 2.0], data_format="NCHW"),
        ShapeMismatchError,
        "at least 2D",
    ),
    "splits that are a number": (
        lambda: tf.raw_ops.RaggedTensorToSparse(rt_nested_splits=[3], rt_dense_values=[1.0]),
        ShapeMismatchError,
        "splits are vectors",
    ),
    "an input too many": (
        lambda: tf.raw_ops.Einsum(inputs=[[1.0], [2.0]], equation="i->i"),
        InvalidArgumentError,
        "an output of 2 inputs",
    ),
    "a letter too many": (
        lambda: tf.einsum("ij->i", [1.0]),
        ShapeMismatchError,
        "does not fit a tensor of rank 1",
    ),
    "cast to string": (lambda: tf.cast(1, tf.string), UnimplementedError, "Cast int32 to string"),
    "cast of strings": (lambda: tf.cast("a", tf.int32), UnimplementedError, "Cast string to int32"),
    "an axis that is not there": (
        lambda: tf.reduce_sum([1], 1),
        InvalidArgumentError,
        "Invalid reduction dimension",
    ),
    "an axis twice": (
        lambda: tf.reduce_sum([[1]], [0, 0]),
        InvalidArgumentError,
        "duplicate dimension",
    ),
    "expand_dims": (
        lambda: tf.expand_dims(1, 2),
        InvalidArgumentError,
        "Tried to expand dim index 2",
    ),
    "matmul of vectors": (lambda: tf.matmul([1.0], [1.0]), InvalidArgumentError, "ndims must be"),
    "matmul twice flipped": (
        lambda: tf.matmul([[1.0]], [[1.0]], transpose_a=True, adjoint_a=True),
        ValueError,
        "Only one of",
    ),
    "stack beyond the last axis": (
        lambda: tf.stack([[1], [2]], 2),
        ValueError,
        r"`axis` = 2 not in range \[-2, 2\)",
    ),
    "concat of scalars": (
        lambda: tf.concat([1, 2], 0),
        InvalidArgumentError,
        "Can't concatenate scalars",
    ),
    "where with one value": (lambda: tf.where([True], 1), ValueError, "both be non-None"),
    "mask of a scalar": (lambda: tf.boolean_mask([1], True), ValueError, "mask cannot be scalar"),
    "add_n of nothing": (lambda: tf.add_n([]), ValueError, "at least one Tensor"),
    "truediv of bools": (lambda: tf.math.truediv(True, False), TypeError, "Invalid dtype tf.bool"),
    "one_hot of two dtypes": (
        lambda: tf.one_hot(0, 2, tf.constant(1), dtype=tf.float32),
        TypeError,
        "does not match",
    ),
    "a pad mode": (lambda: tf.pad([1], [[1, 1]], "X"), ValueError, "Value of argument `mode`"),
    "an order": (lambda: tf.sort([1], direction="UP"), ValueError, "should be one of"),
    "a norm": (lambda: tf.norm([1.0], "x"), ValueError, "must be a supported vector norm"),
    "einsum of no letters": (lambda: tf.einsum("i1->i", [[1.0]]), ValueError, "not letters"),
    "einsum to a diagonal": (lambda: tf.einsum("i->ii", [1.0]), ValueError, "more than once"),
    "an einsum": (lambda: tf.einsum("ij,jk", [[1.0]]), ValueError, "Got 1 arguments"),
    "a format": (
        lambda: tf.strings.format("{} {}", (1,)),
        ValueError,
        "The template expects 2 tensors",
    ),
    "variance of integers": (
        lambda: tf.math.reduce_variance([1]),
        TypeError,
        "either real or complex",
    ),
    "a dropout rate": (lambda: tf.nn.dropout([1.0], 1.0), ValueError, "rate"),
    "a clipped list": (
        lambda: tf.clip_by_global_norm(tf.constant([1.0]), 1.0),
        TypeError,
        "should be a sequence",
    ),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_mistakes_in_arguments_are_refused_at_once(name: str) -> None:
    call, error, words = AT_ONCE[name]

    with pytest.raises(error, match=words):
        call()


# What TensorFlow's errors are called: eagerly, and while tracing.
NAMES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "shapes": (lambda: tf.ones([2, 3]) + tf.ones([3, 2]), "InvalidArgumentError", "ValueError"),
    "products": (lambda: tf.ones([2, 3]) @ tf.ones([2, 3]), "InvalidArgumentError", "ValueError"),
    "dtypes": (lambda: tf.ones(2) + tf.constant(1), "InvalidArgumentError", "TypeError"),
    "a number added": (lambda: tf.constant(1) + 1.5, "InvalidArgumentError", "TypeError"),
    "a number added to": (lambda: 1.5 + tf.constant(1), "TypeError", "TypeError"),
    "a factor": (lambda: tf.constant(1) * 1.5, "TypeError", "TypeError"),
    "a constant": (lambda: tf.constant("a", tf.int32), "TypeError", "TypeError"),
    "a shape of a shape": (
        lambda: tf.TensorShape([2]).merge_with([3]),
        "ValueError",
        "ValueError",
    ),
    "rows beyond the last": (
        lambda: tf.ragged.constant([[1], [2]])[2],
        "IndexError",
        "ValueError",
    ),
    "rows before the first": (
        lambda: tf.ragged.constant([[1], [2]])[-3],
        "InvalidArgumentError",
        "ValueError",
    ),
    "a number beside ragged ones": (
        lambda: tf.ragged.constant([[1], [2]]) + 1.5,
        "InvalidArgumentError",
        "TypeError",
    ),
    "ragged ones beside a number": (
        lambda: 1.5 * tf.ragged.constant([[1], [2]]),
        "InvalidArgumentError",
        "TypeError",
    ),
    "ranks of labels": (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([[1]], [[1.0, 2.0]]),
        "ValueError",
        "ValueError",
    ),
    "sizes of labels": (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([[1, 1]], [[[1.0, 2.0]]]),
        "ValueError",
        "ValueError",
    ),
    "no floats": (lambda: tf.nn.gelu(tf.constant([1, 2])), "ValueError", "ValueError"),
    "elements kept": (
        lambda: tf.sparse.retain(tf.sparse.eye(2), [True]),
        "ValueError",
        "ValueError",
    ),
    "room for elements": (
        lambda: tf.sparse.reset_shape(tf.sparse.eye(2), [2, 1]),
        "ValueError",
        "ValueError",
    ),
    "axes of elements": (
        lambda: tf.sparse.transpose(tf.sparse.eye(2), [0]),
        "ValueError",
        "ValueError",
    ),
    "keys of a table": (
        lambda: tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1).lookup(
            tf.constant([1])
        ),
        "ValueError",
        "ValueError",
    ),
    "an assertion": (
        lambda: tf.debugging.Assert(tf.constant(False), ["x"]) and None,
        "InvalidArgumentError",
        "InvalidArgumentError",
    ),
}


@pytest.mark.parametrize(("call", "eager", "traced"), NAMES.values(), ids=NAMES)
def test_errors_have_the_names_that_tensorflow_gives_them(
    call: Callable[[], Any], eager: str, traced: str
) -> None:
    found: list[BaseException] = []
    for way in (call, tf.function(call)):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError, TypeError)) as failure:
            way()
        found.append(failure.value)

    assert [eager, traced] == [type(one).__name__ for one in found]
    for one in found:
        again = pickle.loads(pickle.dumps(one))
        assert (type(one), str(one)) == (type(again), str(again))


def test_errors_are_caught_by_either_class_under_any_name() -> None:
    for way in (lambda f: f, tf.function):
        with pytest.raises(ShapeMismatchError) as failure:
            way(lambda: tf.ones([2, 3]) + tf.ones([3, 2]))()
        assert isinstance(failure.value, InvalidArgumentError)
        assert isinstance(failure.value, ValueError)
