"""Biases, dropout and other pieces of neural networks without state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.broadcasting import sum_in_wide
from ..bind import bind
from ..composed import composed
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import INDEX, NUMBERS, Attr, In, Op, Out, as_eager, usually

if TYPE_CHECKING:
    from ..results import Tensor


def channel_axis(data_format: str, rank: int) -> int:
    """Which axis the channels are: the last, or for "NCHW" the second."""
    return rank - 1 if data_format == "NHWC" else 1


class BiasAdd(Op):
    """A vector added to every slice along the channels.

    data_format: "NHWC", channels last, or "NCHW", channels on axis 1.
    """

    value = In("T ...")
    bias = In("T n")
    output = Out("T ...")
    data_format = Attr("NHWC")
    T = NUMBERS
    xla = as_eager

    def demands(self, sizes: Any) -> int:
        """The axis of the channels."""
        bias = sizes.shape(self.bias, 1)
        sizes.require(len(bias) == 1, ShapeMismatchError, "BiasAdd: Biases must be 1D: {}", bias)
        value = sizes.shape(self.value)
        message = "BiasAdd: Input tensor must be at least 2D: {}"
        sizes.require(len(value) > 1, ShapeMismatchError, message, value)
        axis = channel_axis(self.data_format, len(value))
        fits = sizes.equal(value[axis], bias[0])
        sizes.require(fits, ShapeMismatchError, UNLIKE_CHANNELS, bias, value)
        return axis

    def infer(self) -> TensorSpec:
        value, bias, axis = self.value.shape.entries, self.bias.shape.entries, self.found
        if value is None:
            return TensorSpec(None, self.value.dtype)
        size = value[axis] if value[axis] is not None or bias is None else bias[0]
        return TensorSpec((*value[:axis], size, *value[axis + 1 :]), self.value.dtype)

    def eager(self, np: Any) -> Any:
        inner = self.value.ndim - 1 - self.found
        return self.value + self.bias.reshape(-1, *(1,) * inner)

    def lower(self, loops: Any) -> Any:
        value, bias, axis = self.value, self.bias, self.found
        return loops.map(
            value.shape, value.dtype, lambda *index: value[index] + bias[(index[axis],)]
        )

    def vjp(self, doutput: Any) -> Any:
        return doutput, lambda: bind(BiasAddGrad, doutput, data_format=self.data_format)


UNLIKE_CHANNELS = (
    "BiasAdd: Must provide as many biases as the channel dimension of the input tensor: {} vs. {} "
    "(Dimensions must be equal)"
)


class BiasAddGrad(Op):
    """The sum over all axes but that of the channels."""

    out_backprop = In("T ...")
    output = Out("T n")
    data_format = Attr("NHWC")
    T = NUMBERS
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        shape = sizes.shape(self.out_backprop)
        if len(shape) < 2:
            refuse(ShapeMismatchError, "BiasAddGrad: Input tensor must be at least 2D: {}", shape)

    def infer(self) -> TensorSpec:
        dims = self.out_backprop.shape.entries
        size = dims[channel_axis(self.data_format, len(dims))] if dims else None
        return TensorSpec((size,), self.out_backprop.dtype)

    def eager(self, np: Any) -> Any:
        rank = self.out_backprop.ndim
        axis = channel_axis(self.data_format, rank)
        others = tuple(k for k in range(rank) if k != axis)
        return sum_in_wide(np, self.out_backprop, others, keepdims=False)

    def lower(self, loops: Any) -> Any:
        x = self.out_backprop
        axis = channel_axis(self.data_format, x.rank)
        extents = [*x.shape[:axis], *x.shape[axis + 1 :]]

        def element(outer: Any, inner: Any) -> Any:
            return x[[*inner[:axis], outer[0], *inner[axis:]]]

        return loops.reduce("sum", [x.shape[axis]], extents, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from ..array.fill import zeros_like

        return bind(BiasAdd, zeros_like(self.out_backprop), doutput, data_format=self.data_format)


@dispatchable
def bias_add(
    value: Any, bias: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """`bias`, a vector, added to `value` along its channels.

    value: numbers [..., channels]; with a `data_format` that begins with "NC", [n, channels, ...].
    bias: [channels], of the same dtype. The result has the shape and dtype of `value`.

    >>> tf.nn.bias_add([[1, 2], [3, 4]], [10, 20]).numpy()
    array([[11, 22],
           [13, 24]], dtype=int32)

    Raises:
        ValueError: an unknown `data_format`.
        ShapeMismatchError: `value` has fewer than two axes, or the sizes differ.
    """
    form = "NHWC"
    if data_format is not None:
        if data_format.startswith("NC"):
            form = "NCHW"
        elif not (data_format.startswith("N") and data_format.endswith("C")):
            raise ValueError(
                f"`data_format` begins with N and has C next or last, as NHWC: not {data_format!r}"
            )
    return bind(BiasAdd, value, bias, data_format=form, name=name)


@dispatchable
@composed("dropout")
def dropout(
    x: Any,
    rate: Any,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`x` with each element set to 0 with probability `rate`, the others divided by 1 - rate.

    x: floats of any shape; the result has this shape and dtype. rate: a scalar tensor of the same
    dtype, or a number in [0, 1); 0 gives `x` itself. noise_shape: broadcasts to the shape of `x`;
    elements share their fate along axes of size 1. None in a list stands for the size that `x` has.

    >>> np.unique(tf.nn.dropout(tf.ones([100]), rate=0.5))
    array([0., 2.], dtype=float32)

    Raises:
        ValueError: `rate` is no such number, or `x` is not floating.
    """
    from ..random.uniform_and_normal import uniform

    def draw(size: Any, dtype: dtypes.DType) -> Any:
        return uniform(size, seed=seed, dtype=dtype)

    return _dropped(x, rate, noise_shape, draw, name)


@dispatchable
@composed("stateless_dropout")
def stateless_dropout(
    x: Any,
    rate: Any,
    seed: Any,
    rng_alg: Any = None,
    noise_shape: Any = None,
    name: str | None = None,
) -> Any:
    """`dropout` whose randomness is `seed` alone: two integers.

    x, rate, noise_shape: as of `dropout`. rng_alg: as `alg` of `tf.random.stateless_uniform`; None:
    its default.

    >>> tf.nn.experimental.stateless_dropout(tf.ones([6]), rate=0.5, seed=[1, 2]).numpy()
    array([2., 0., 2., 0., 0., 2.], dtype=float32)

    Raises:
        ValueError: as `dropout` does.
    """
    from ..random.stateless import stateless_uniform

    def draw(size: Any, dtype: dtypes.DType) -> Any:
        return stateless_uniform(size, seed, dtype=dtype, alg=rng_alg or "auto_select")

    return _dropped(x, rate, noise_shape, draw, name)


@dispatchable
@composed("general_dropout")
def general_dropout(
    x: Any, rate: Any, uniform_sampler: Any, noise_shape: Any = None, name: str | None = None
) -> Any:
    """`dropout` whose randomness comes from a function.

    x, rate, noise_shape: as of `dropout`. uniform_sampler: a function `(shape, dtype)` that gives
    numbers in [0, 1).

    >>> def halves(shape, dtype):
    ...     return tf.cast(tf.range(shape[0]) % 2, dtype)
    >>> tf.nn.experimental.general_dropout(tf.ones([4]), 0.5, halves).numpy()
    array([0., 2., 0., 2.], dtype=float32)

    Raises:
        ValueError: as `dropout` does.
    """

    def draw(size: Any, dtype: dtypes.DType) -> Any:
        return uniform_sampler(shape=size, dtype=dtype)

    return _dropped(x, rate, noise_shape, draw, name)


def _dropped(
    x: Any, rate: Any, noise_shape: Any, draw: Callable[[Any, dtypes.DType], Any], name: str | None
) -> Any:
    from ..array.select import where
    from ..math.comparison import greater_equal

    x = as_tensor(x)
    _require_rate(rate)
    if not x.dtype.is_floating:
        raise ValueError(
            f"dropout scales what it leaves, so `x` must be floating point, not {x.dtype.name}"
        )
    if not isinstance(rate, TensorLike) and rate == 0:
        return x
    if isinstance(rate, TensorLike):
        rate = _as_rate(rate, x.dtype)
        scaled = x / (1.0 - rate)
    else:
        scaled = x * (1 / (1 - rate))
    noise = draw(_noise_shape(x, noise_shape), x.dtype)
    return where(greater_equal(noise, rate), scaled, as_tensor(0, x.dtype), name=name)


def _require_rate(rate: Any) -> None:
    is_number = isinstance(rate, (int, float)) and not isinstance(rate, bool)
    if isinstance(rate, TensorLike) or (is_number and 0 <= rate < 1):
        return
    raise ValueError(
        f"`rate` is the share that is dropped, a scalar in the range [0, 1), not {rate!r}"
    )


def _as_rate(rate: Any, dtype: dtypes.DType) -> Any:
    rate = as_tensor(rate)
    if rate.dtype is not dtype:
        raise ValueError(
            f"x.dtype is {dtype.name} but rate.dtype {rate.dtype.name}: cast one of them"
        )
    if rate.shape.rank not in (0, None):
        raise ValueError(f"`rate` must be a scalar tensor: Shape {rate.shape} must have rank 0")
    return rate


def _noise_shape(x: Any, noise_shape: Any) -> Any:
    from ..array.shapes import shape_of

    if noise_shape is None:
        return shape_of(x)
    if isinstance(noise_shape, TensorLike):
        return noise_shape
    listed = list(noise_shape)
    if x.shape.rank == len(listed) and None in listed:
        full = shape_of(x)
        return [full[k] if size is None else size for k, size in enumerate(listed)]
    return listed


UNLIKE_TARGETS = "First dimension of predictions {} must match length of targets {}"


class InTopKV2(Op):
    """For each row: whether fewer than k predictions are larger than that of the target.

    False where the target or the prediction is not finite or does not exist.
    """

    native_from = MANY

    predictions = In("f32 n c")
    targets = In("T n")
    k = In("T")
    precision = Out("bool n")
    T = INDEX
    usual = usually(T="i32")
    differentiable = False
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        rows, count = sizes.shape(self.predictions, 2)[0], sizes.shape(self.targets, 1)[0]
        fits = sizes.equal(rows, count)
        sizes.require(fits, InvalidArgumentError, UNLIKE_TARGETS, rows, count)

    def eager(self, np: Any) -> Any:
        rows, count = self.predictions.shape
        exists = (self.targets >= 0) & (self.targets < count)
        place = np.where(exists, self.targets, 0)[:, None]
        own = np.take_along_axis(self.predictions, place, 1) if count else np.zeros((rows, 1))
        larger = np.sum(self.predictions > own, 1)
        finite = np.isfinite(self.predictions).all(1) & np.isfinite(own[:, 0])
        return exists & finite & (larger < self.k)

    def lower(self, loops: Any) -> Any:
        x, s = self.predictions, loops.scalars
        lead, width = x.shape[:1], x.shape[1:]
        last = loops.constant(0, dtypes.int64)

        def target(row: Any) -> Any:
            return s.cast(self.targets[(row,)], dtypes.int64)

        def exists(row: Any) -> Any:
            return (target(row) >= 0) & (target(row) < width[0])

        def larger(outer: Any, inner: Any) -> Any:
            own = x[(outer[0], s.where(exists(outer[0]), target(outer[0]), last))]
            return s.cast(x[(outer[0], inner[0])] > own, dtypes.int64)

        counts = loops.reduce("sum", lead, width, dtypes.int64, larger)
        finite = loops.reduce(
            "all", lead, width, dtypes.bool_, lambda o, r: s.is_finite(x[(o[0], r[0])])
        )
        k = s.cast(self.k[()], dtypes.int64)
        return loops.map(
            lead, dtypes.bool_, lambda i: exists(i) & finite[(i,)] & (counts[(i,)] < k)
        )


@dispatchable
@composed("in_top_k", keeps_name=True)
def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Tensor:
    """For each row of `predictions`, whether the target's is among the `k` largest.

    targets: class numbers, int32 or int64 [rows]. predictions: float32 [rows, classes]. k: a
    scalar. The result is bool [rows]. Equals of the last one count too; a row that is not finite
    has none, nor has a target that is no class.

    >>> tf.math.in_top_k([0, 2], [[0.1, 0.7, 0.2], [0.1, 0.7, 0.2]], k=2).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: there are not as many targets as rows.
    """
    targets = as_tensor(targets)
    return bind(InTopKV2, predictions, targets, as_tensor(k, targets.dtype), name=name)
