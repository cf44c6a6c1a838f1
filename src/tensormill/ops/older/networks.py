"""Networks' operations in older forms, which files and `tf.raw_ops` have."""

from __future__ import annotations

from typing import Any, ClassVar

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import UnimplementedError
from ..array.concatenation import stack
from ..array.fill import zeros_like
from ..array.grids import sequence_mask
from ..array.padding import pad
from ..array.select import boolean_mask, where
from ..array.shapes import shape_of
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..demands import refuse
from ..families import Rephrased
from ..image.resize import ResizeBilinear
from ..math.cast import cast
from ..math.comparison import equal, logical_and
from ..math.elementwise import sigmoid
from ..math.reduce import reduce_sum
from ..nn.batch_normalisation import FusedBatchNormGradV3, FusedBatchNormV3
from ..nn.bias_and_dropout import InTopKV2
from ..nn.convolution import Conv2D
from ..nn.ctc import CtcLoss, dense_labels
from ..nn.ctc_decoding import BeamSearch, batch_of
from ..nn.pooling import MaxPool, MaxPoolGrad, MaxPoolGradGrad
from ..op import FLOATS, INDEX, REALS, Attr, In, Op, Out, as_float32, ints, types
from ..sparse.sparse_tensor import SparseTensor
from .sequence_labels import collapsed, first_unless, which_fit


class SoftplusGrad(Rephrased):
    """The gradient of softplus."""

    gradients = In("T *s")
    features = In("T *s")
    backprops = Out("T *s")
    T = FLOATS

    def expand(self) -> Any:
        return self.gradients * sigmoid(self.features)


class InTopK(Rephrased):
    """For each row: whether fewer than k predictions are larger than that of the target."""

    predictions = In("f32 n c")
    targets = In("T n")
    precision = Out("bool n")
    k = Attr(int)
    T = INDEX
    differentiable = False

    def expand(self) -> Any:
        return bind(InTopKV2, self.predictions, self.targets, as_tensor(self.k, self.targets.dtype))


class TensorWindows(Rephrased, abstract=True):
    """Pooling by windows that tensors tell: a graph must know them."""

    ksize: Any
    strides: Any
    padding: Any
    data_format: Any

    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = {"padding": self.padding, "data_format": self.data_format}
        for name in ("ksize", "strides"):
            value = static_value(getattr(self, name))
            if value is None:
                refuse(UnimplementedError, UNKNOWN_WINDOWS, self.name, name)
            found[name] = tuple(int(one) for one in value)
        return found


UNKNOWN_WINDOWS = "{}: {} must be a constant in a graph"


class MaxPoolV2(TensorWindows):
    """The largest element of every window."""

    input = In("T ...")
    ksize = In("i32 n")
    strides = In("i32 n")
    output = Out("T ...")
    padding = Attr(str)
    data_format = Attr("NHWC", "NHWC NCHW")
    T = REALS - types("u32 u64")

    def expand(self) -> Any:
        return bind(MaxPool, self.input, **self.told())


class MaxPoolGradV2(TensorWindows):
    """The gradient of MaxPoolV2."""

    orig_input = In("T ...")
    orig_output = In("T ...")
    grad = In("T ...")
    ksize = In("i32 n")
    strides = In("i32 n")
    output = Out("T ...")
    padding = Attr(str)
    data_format = Attr("NHWC", "NHWC NCHW")
    T = REALS
    means: ClassVar[type[Op]] = MaxPoolGrad

    def expand(self) -> Any:
        return bind(self.means, self.orig_input, self.orig_output, self.grad, **self.told())


class MaxPoolGradGradV2(TensorWindows):
    """The gradient of that."""

    orig_input = In("T ...")
    orig_output = In("T ...")
    grad = In("T ...")
    ksize = In("i32 n")
    strides = In("i32 n")
    output = Out("T ...")
    padding = Attr(str)
    data_format = Attr("NHWC", "NHWC NCHW")
    T = REALS

    def expand(self) -> Any:
        operands = (self.orig_input, self.orig_output, self.grad)
        return bind(MaxPoolGradGrad, *operands, **self.told())


class FusedBatchNorm(Rephrased):
    """Batch normalisation; see FusedBatchNormV3."""

    x = In("T ...")
    scale = In("T c")
    offset = In("T c")
    mean = In("T m")
    variance = In("T v")
    y = Out("T ...")
    batch_mean = Out("T c")
    batch_variance = Out("T c")
    reserve_space_1 = Out("T c")
    reserve_space_2 = Out("T c")
    epsilon = Attr(as_float32(0.0001))
    exponential_avg_factor = Attr(1.0)
    data_format = Attr("NHWC", "NHWC NCHW")
    is_training = Attr(True)
    T = types("f32")

    def expand(self) -> Any:
        return first_five(self, FusedBatchNormV3)


class FusedBatchNormV2(Rephrased):
    """Batch normalisation, of statistics in another dtype; see FusedBatchNormV3."""

    x = In("T ...")
    scale = In("U c")
    offset = In("U c")
    mean = In("U m")
    variance = In("U v")
    y = Out("T ...")
    batch_mean = Out("U c")
    batch_variance = Out("U c")
    reserve_space_1 = Out("U c")
    reserve_space_2 = Out("U c")
    epsilon = Attr(as_float32(0.0001))
    exponential_avg_factor = Attr(1.0)
    data_format = Attr("NHWC", "NHWC NCHW")
    is_training = Attr(True)
    T = types("f16 bf16 f32")
    U = types("f32")

    def expand(self) -> Any:
        return first_five(self, FusedBatchNormV3)


class FusedBatchNormGrad(Rephrased):
    """The gradient of FusedBatchNorm."""

    y_backprop = In("T *s")
    x = In("T *s")
    scale = In("T c")
    reserve_space_1 = In("T c")
    reserve_space_2 = In("T c")
    x_backprop = Out("T ...")
    scale_backprop = Out("T c")
    offset_backprop = Out("T c")
    reserve_space_3 = Out("T")
    reserve_space_4 = Out("T")
    epsilon = Attr(as_float32(0.0001))
    data_format = Attr("NHWC", "NHWC NCHW")
    is_training = Attr(True)
    T = types("f32")

    def expand(self) -> Any:
        return first_five(self, FusedBatchNormGradV3, self.scale)


class FusedBatchNormGradV2(Rephrased):
    """The gradient of FusedBatchNormV2."""

    y_backprop = In("T *s")
    x = In("T *s")
    scale = In("f32 c")
    reserve_space_1 = In("U c")
    reserve_space_2 = In("U c")
    x_backprop = Out("T ...")
    scale_backprop = Out("U c")
    offset_backprop = Out("U c")
    reserve_space_3 = Out("U")
    reserve_space_4 = Out("U")
    epsilon = Attr(as_float32(0.0001))
    data_format = Attr("NHWC", "NHWC NCHW")
    is_training = Attr(True)
    T = types("f16 bf16 f32")
    U = types("f32")

    def expand(self) -> Any:
        return first_five(self, FusedBatchNormGradV3, self.scale)


def first_five(application: Any, op: type[Op], *more: Any) -> tuple[Any, ...]:
    """What the newest version gives, but for its last output."""
    operands = (*application.operand_list(), *more)
    return tuple(bind(op, *operands, **application.attr_values())[:5])


class FusedPadConv2D(Rephrased):
    """A convolution of an image with mirrored margins."""

    input = In("T ...")
    paddings = In("i32 ...")
    filter = In("T ...")
    output = Out("T ...")
    mode = Attr(str)
    strides = Attr(ints)
    padding = Attr(str)
    T = types("bf16 f16 f32 f64")

    def expand(self) -> Any:
        return padded_convolution(self, self.input)


class FusedResizeAndPadConv2D(Rephrased):
    """A convolution of an image that is resized and then gets mirrored margins."""

    input = In("T ...")
    size = In("i32 2")
    paddings = In("i32 ...")
    filter = In("T ...")
    output = Out("T ...")
    mode = Attr(str)
    strides = Attr(ints)
    padding = Attr(str)
    resize_align_corners = Attr(False)
    T = types("f16 f32 f64")

    def expand(self) -> Any:
        corners = self.resize_align_corners
        resized = bind(ResizeBilinear, self.input, self.size, align_corners=corners)
        return padded_convolution(self, cast(resized, self.input.dtype))


def padded_convolution(application: Any, x: Any) -> Any:
    """x with margins, convolved."""
    told = application
    margins = pad(x, told.paddings, told.mode)
    strides = tuple(told.strides)
    return bind(Conv2D, margins, told.filter, strides=strides, padding=told.padding)


class CTCLoss(Rephrased):
    """-log of the probability of label sequences, and its gradient; the last class is the blank."""

    inputs_ = In("T t b c", keyword="inputs")
    labels_indices = In("i64 n 2")
    labels_values = In("i32 n")
    sequence_length = In("i32 b")
    loss = Out("T b")
    gradient = Out("T t b c")
    preprocess_collapse_repeated = Attr(False)
    ctc_merge_repeated = Attr(True)
    ignore_longer_outputs_than_inputs = Attr(False)
    T = types("f32 f64")

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        shape = self.inputs_.shape
        return TensorSpec(shape[1:2], self.inputs_.dtype), TensorSpec(shape, self.inputs_.dtype)

    def expand(self) -> tuple[Any, Any]:
        rows, lengths = cast(shape_of(self.inputs_)[1], dtypes.int64), self.sequence_length
        labels = SparseTensor(self.labels_indices, self.labels_values, stack([rows, rows]))
        fits = which_fit(labels, lengths)
        if self.preprocess_collapse_repeated:
            labels = collapsed(labels, fits)
        ignores = self.ignore_longer_outputs_than_inputs
        if ignores:
            labels = first_unless(labels, fits)
            lengths = where(fits, lengths, shape_of(self.inputs_)[0])
        dense, counts = dense_labels(labels.indices, labels.values, rows)
        counts = cast(counts, dtypes.int32) - self._blanks(dense, counts)
        found = bind(
            CtcLoss, self.inputs_, dense, counts, lengths,
            blank_index=-1, strict=True, merges=self.ctc_merge_repeated,
        )  # fmt: skip
        if not ignores:
            return tuple(found)
        loss, gradient = found
        return where(fits, loss, zeros_like(loss)), where(
            fits[:, None], gradient, zeros_like(gradient)
        )

    def _blanks(self, dense: Any, counts: Any) -> Any:
        """How many labels of each row are the blank: behind the others they do not count. (Others
        behind one are refused, as one of these blanks is then left among those that do).
        """
        blank = shape_of(self.inputs_)[2] - 1
        is_label = sequence_mask(counts, shape_of(dense)[1])
        return reduce_sum(cast(logical_and(equal(dense, blank), is_label), dtypes.int32), 1)


class CTCBeamSearchDecoder(Rephrased):
    """The `top_paths` most probable label sequences; the last class is the blank."""

    inputs_ = In("T t b c", keyword="inputs")
    sequence_length = In("i32 b")
    decoded_indices = Out("top_paths * i64 ...")
    decoded_values = Out("top_paths * i64 ...")
    decoded_shape = Out("top_paths * i64 ...")
    log_probability = Out("T b k")
    beam_width = Attr(int)
    top_paths = Attr(int)
    merge_repeated = Attr(True)
    T = types("f32 f64")
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        long, count = dtypes.int64, self.top_paths
        batch = batch_of(self.inputs_, self.sequence_length)
        scores = TensorSpec((batch, count), self.inputs_.dtype)
        return (
            *[TensorSpec((None, 2), long)] * count, *[TensorSpec((None,), long)] * count,
            *[TensorSpec((2,), long)] * count, scores,
        )  # fmt: skip

    def expand(self) -> tuple[Any, ...]:
        path, indices, values, shapes, scores = bind(
            BeamSearch, self.inputs_, self.sequence_length, beam_width=self.beam_width,
            top_paths=self.top_paths, merge_repeated=self.merge_repeated,
        )  # fmt: skip
        numbers = range(self.top_paths)
        return (
            *[boolean_mask(indices, path == k) for k in numbers],
            *[boolean_mask(values, path == k) for k in numbers],
            *[shapes[k] for k in numbers], scores,
        )  # fmt: skip
