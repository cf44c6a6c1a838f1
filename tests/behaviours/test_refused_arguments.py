"""Arguments that mean nothing to TensorFlow, and raw operands of another rank that do."""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf
from tests.behaviours.modes import both, traced

UNCHECKED: Any = tf  # type checkers would see what is wrong
UNCHECKED_TUPLE: Any = typing.Tuple  # noqa: UP006
RAW: Any = tf.raw_ops
EYE = np.eye(2, dtype=np.float32)
INVALID = tf.errors.InvalidArgumentError


def table(keys: Any, default: Any) -> Any:
    entries = tf.lookup.KeyValueTensorInitializer(keys, [1])
    return tf.lookup.StaticHashTable(entries, default)


def no_elements(n: Any) -> None:
    """A function of elements that returns nothing."""


def counted(values: Any, weights: Any, **options: Any) -> Any:
    return RAW.DenseBincount(input=values, size=4, weights=weights, **options)


class Marked(tf.experimental.ExtensionType):
    """A field of it has a default, which a spec has not."""

    x: tf.Tensor  # pyright: ignore[reportInvalidTypeForm]
    tag: str = "p"


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception]]] = {
    "a word for a bool": (lambda: UNCHECKED.matmul(EYE, EYE, transpose_a="no"), TypeError),
    "a number for a bool": (lambda: UNCHECKED.cumsum([1.0, 2.0], reverse=1), TypeError),
    "NumPy's bool": (lambda: RAW.Sum(input=[1.0], axis=[0], keep_dims=np.True_), TypeError),
    "a word among numbers": (
        lambda: UNCHECKED.nn.max_pool2d(np.ones([1, 3, 3, 1], np.float32), ["2", 1], 1, "SAME"),
        TypeError,
    ),
    "a default of several values": (lambda: table(["a"], [1, 2]), ValueError),
    "a spec without a field that has a default": (
        lambda: Marked.Spec(tf.TensorSpec([2])), TypeError,
    ),
    "a field of a spec that is another": (
        lambda: setattr(Marked.Spec(tf.TensorSpec([2]), "p"), "x", tf.TensorSpec([3])),
        AttributeError,
    ),
    "the base of extension types": (lambda: UNCHECKED.experimental.ExtensionType(), AssertionError),
    "a field that is any tuple": (
        lambda: type("Told", (tf.experimental.ExtensionType,), {
            "__annotations__": {"parts": UNCHECKED_TUPLE}, "__module__": __name__,
        }), TypeError,
    ),
    "vectors for sets": (lambda: tf.sets.union([1, 2], [2, 3]), INVALID),
    "a sparse vector for sets": (lambda: tf.sets.size(tf.sparse.from_dense([1, 2])), INVALID),
    "an image without rows, mirrored": (
        lambda: tf.image.flip_left_right(np.zeros([0, 3, 3])), ValueError,
    ),
    "images without columns, padded": (
        lambda: tf.image.pad_to_bounding_box(np.zeros([1, 3, 0, 3]), 0, 0, 4, 4), ValueError,
    ),
    "an image without channels, cut": (
        lambda: tf.image.resize_with_crop_or_pad(np.zeros([3, 3, 0]), 2, 2), ValueError,
    ),
    "an image without rows, standardized": (
        lambda: tf.image.per_image_standardization(np.zeros([0, 3, 3])), ValueError,
    ),
    "a diagonal with NaN that is to be non-singular": (
        lambda: tf.linalg.LinearOperatorDiag([1.0, np.nan]).assert_non_singular(), INVALID,
    ),
    "a triangle with NaN that is to be non-singular": (
        lambda: tf.linalg.LinearOperatorLowerTriangular(
            [[1.0, 0.0], [1.0, np.nan]]
        ).assert_non_singular(), INVALID,
    ),
    "a spectrum with NaN that is to be non-singular": (
        lambda: tf.linalg.LinearOperatorCirculant(
            tf.constant([1.0, np.nan], tf.complex64)
        ).assert_non_singular(), INVALID,
    ),
    "a float for a key": (lambda: table([1.0], 1), tf.errors.NotFoundError),
    "floats for keys": (
        lambda: tf.lookup.experimental.MutableHashTable(tf.float32, tf.int64, -1),
        tf.errors.NotFoundError,
    ),
    "integers of a gamma distribution": (
        lambda: tf.random.gamma([2], 1, dtype=tf.int32), ValueError,
    ),
    "elements of no tensor": (lambda: tf.data.Dataset.range(3).map(no_elements), INVALID),
    "frames that do not move": (
        lambda: tf.signal.overlap_and_add(np.ones([2, 3], np.float32), 0), INVALID,
    ),
    "an element behind the end, in a function": (
        lambda: tf.function(lambda i: tf.TensorArray(tf.float32, 2).write(i, 1.0).stack())(
            tf.constant(5)
        ),
        INVALID,
    ),
    "weights of another shape than what is counted": (
        lambda: counted([[0, 0, 3, 1]], [1.0] * 4), INVALID,
    ),
    "weights that nobody reads, of another shape": (
        lambda: counted([0, 0, 3], [1.0] * 4, binary_output=True), INVALID,
    ),
    "a list of fewer than no elements": (
        lambda: RAW.TensorListScatterV2(
            tensor=[1.0], indices=[0], element_shape=UNCHECKED.constant([], tf.int32),
            num_elements=-2,
        ),
        INVALID,
    ),
}  # fmt: skip


@behaviour("T1")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_and_by_which_class(name: str):
    call, kind = REFUSED[name]
    with pytest.raises(kind) as caught:
        call()

    assert kind.__name__ == type(caught.value).__name__


# As kernels take them; while tracing, their shapes are refused.
TAKEN: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "a size": (lambda: RAW.Fill(dims=3, value=1), [1, 1, 1]),
    "a value in a list": (lambda: RAW.Fill(dims=[2], value=[7]), [7, 7]),
    "the size of a shape": (lambda: RAW.Reshape(tensor=[[5]], shape=1), [5]),
    "limits in lists": (lambda: RAW.Range(start=[0], limit=3, delta=[1]), [0, 1, 2]),
    "an axis in a list": (lambda: RAW.ConcatV2(values=[[1], [2]], axis=[0]), [1, 2]),
    "an axis in a list that comes first": (
        lambda: RAW.Concat(concat_dim=[0], values=[[1], [2]]), [1, 2],
    ),
    "an axis of parts in a list": (
        lambda: RAW.SplitV(value=[1, 2], size_splits=[1, 1], axis=[0], num_split=2)[1], [2],
    ),
}  # fmt: skip


@behaviour("T1")
@pytest.mark.parametrize("name", TAKEN)
def test_raw_operands_of_one_number_may_be_vectors_and_the_other_way_round(name: str):
    call, wanted = TAKEN[name]

    assert call().numpy().tolist() == wanted


@behaviour("T1")
def test_what_candidate_samplers_give_is_called_as_they_are():
    drawn = tf.random.uniform_candidate_sampler([[0]], 1, 2, True, 10, seed=1)

    assert type(drawn).__name__ == "UniformCandidateSampler"


ON_FLOATS: dict[str, Callable[[], Any]] = {
    "a number": lambda: tf.exp(1),
    "numbers": lambda: tf.sqrt([4, 9]),
    "a bool": lambda: tf.sin(True),
    "an array": lambda: tf.math.is_nan(np.arange(2)),
    "two": lambda: tf.atan2(1, 2),
    "two in lists": lambda: tf.math.xlogy([1], [True]),
    "three": lambda: tf.math.betainc(1, 2, 1),
    "a matrix": lambda: tf.linalg.inv([[1]]),
    "activations": lambda: tf.nn.elu([1, 2]),
}


@both
@pytest.mark.parametrize("name", ON_FLOATS)
def test_functions_of_floats_take_no_integers(mode: Any, name: str) -> None:
    with pytest.raises((INVALID, TypeError), match="list of allowed values"):
        mode(ON_FLOATS[name])()


STRICT: dict[str, Callable[[], Any]] = {
    "repeats": lambda: tf.repeat([1, 2], 2.0),
    "repeats for each": lambda: tf.repeat([1, 2], tf.constant([1.0, 2.0])),
    "words to repeat by": lambda: tf.repeat([1, 2], "a"),
    "a limit of quantization": lambda: tf.quantization.fake_quant_with_min_max_vars(
        [1.0], tf.constant(0), 1.0
    ),
    "doubles to quantize": lambda: tf.quantization.fake_quant_with_min_max_vars(
        tf.constant([1.0], tf.float64), 0.0, 1.0
    ),
}


@both
@pytest.mark.parametrize("name", STRICT)
def test_operands_of_another_dtype_are_not_converted(mode: Any, name: str) -> None:
    with pytest.raises((INVALID, TypeError, ValueError)):
        mode(STRICT[name])()


@both
def test_integers_have_no_real_quotient(mode: Any) -> None:
    with pytest.raises((tf.errors.NotFoundError, INVALID, TypeError)):
        mode(lambda: tf.realdiv(1, 2))()


@both
def test_the_first_number_beside_others_decides_what_they_are(mode: Any) -> None:
    assert mode(lambda: tf.atan2(1.0, 2))().dtype == tf.float32
    assert mode(lambda: tf.realdiv(tf.constant([1.0, 2.0]), 2))().dtype == tf.float32


def elements() -> Any:
    return tf.TensorArray(tf.float32, 3).unstack([1.0, 2.0, 3.0])


# What is refused, by which class eagerly, and by which in a function.
BY_CLASS: dict[str, tuple[Callable[[], Any], type[Exception], type[Exception]]] = {
    "a limit that the clipped tensor does not have": (
        lambda: tf.clip_by_value(1.0, [0.0, 1.0], 2.0), ValueError, ValueError,
    ),
    "limits that do not broadcast": (
        lambda: tf.clip_by_value([1.0, 2.0], [0.0, 1.0, 2.0], 2.0), INVALID, ValueError,
    ),
    "limits of a raw operation that broadcast": (
        lambda: RAW.ClipByValue(t=EYE, clip_value_min=[0.0, 1.0], clip_value_max=2.0),
        INVALID, INVALID,
    ),
    "an element of an array by a float": (lambda: elements().read(1.0), TypeError, TypeError),
    "an element of an array by a word": (lambda: elements().read("a"), TypeError, TypeError),
    "a place in an array by a float": (
        lambda: elements().write(1.0, 1.0), TypeError, TypeError,
    ),
    "places in an array by floats": (
        lambda: elements().scatter([1.0], [1.0]).stack(), TypeError, TypeError,
    ),
    "elements of an array that are not there": (
        lambda: elements().gather([0, 3]), IndexError, INVALID,
    ),
    "a raw axis that stands in no list": (
        lambda: RAW.Squeeze(input=[[1.0]], axis=0), TypeError, TypeError,
    ),
    "a raw axis that is a word": (
        lambda: RAW.Squeeze(input=[[1.0]], axis=["a"]), TypeError, TypeError,
    ),
    "boundaries that are words": (
        lambda: RAW.Bucketize(input=[1.0], boundaries=["a"]), TypeError, TypeError,
    ),
    "boundaries that are nothing": (
        lambda: RAW.Bucketize(input=[1.0], boundaries=[None]), TypeError, TypeError,
    ),
    "transforms of no rows": (lambda: tf.signal.rfft(1.0), ValueError, ValueError),
    "transforms of no planes": (
        lambda: tf.signal.irfft2d(tf.constant([1j])), ValueError, ValueError,
    ),
    "gray images of three channels": (
        lambda: tf.image.grayscale_to_rgb(tf.ones([2, 2, 3])), ValueError, ValueError,
    ),
    "frames of a scalar": (lambda: tf.signal.frame(1.0, 2, 1), ValueError, ValueError),
    "one boundary": (lambda: RAW.Bucketize(input=[1.0], boundaries=2.0), TypeError, TypeError),
}  # fmt: skip


@behaviour("T1")
@pytest.mark.parametrize("name", BY_CLASS)
def test_the_class_that_a_refusal_has_eagerly_and_in_a_function(name: str) -> None:
    call, eagerly, inside = BY_CLASS[name]
    for mode, kind in ((call, eagerly), (lambda: traced(call), inside)):
        with pytest.raises(kind) as caught:
            mode()
        assert kind.__name__ == type(caught.value).__name__


@behaviour("T1")
@both
def test_axes_of_raw_operations_are_integers_below_the_floats(mode: Any) -> None:
    assert mode(lambda: RAW.Squeeze(input=[[1.0]], axis=[0.5]))().shape == [1]


def ones(*sizes: int) -> Any:
    return np.ones(sizes, np.float32)


TOO_WIDE: dict[str, Callable[[], Any]] = {
    "in a row": lambda: tf.nn.conv1d(ones(1, 2, 2), ones(3, 2, 1), 1, "VALID"),
    "in an image": lambda: tf.nn.conv2d(ones(1, 9, 2, 2), ones(3, 3, 2, 1), 2, "VALID"),
    "with stated margins": lambda: tf.nn.conv2d(
        ones(1, 2, 2, 2), ones(3, 3, 2, 1), 1, [[0, 0]] * 4
    ),
    "by channels": lambda: tf.nn.depthwise_conv2d(
        ones(1, 2, 2, 2), ones(3, 3, 2, 1), [1] * 4, "VALID"
    ),
    "with the most": lambda: tf.nn.max_pool2d(ones(1, 2, 2, 2), 3, 2, "VALID"),
    "with the mean of a volume": lambda: tf.nn.avg_pool3d(ones(1, 2, 2, 2, 2), 3, 1, "VALID"),
}


@behaviour("T1")
@pytest.mark.parametrize("name", TOO_WIDE)
def test_windows_that_do_not_fit_are_refused_in_functions_and_eagerly_there_are_none(
    name: str,
) -> None:
    call = TOO_WIDE[name]

    assert 0 in call().shape
    with pytest.raises(ValueError, match="Negative dimension size") as caught:
        traced(call)
    assert type(caught.value).__name__ == "ValueError"


@behaviour("T1")
def test_other_windows_that_do_not_fit_are_none_in_functions_too() -> None:
    patches = traced(lambda: tf.image.extract_patches(
        ones(1, 2, 2, 2), [1, 3, 3, 1], [1] * 4, [1] * 4, "VALID"
    ))  # fmt: skip

    assert patches.shape == (1, 0, 0, 18)
