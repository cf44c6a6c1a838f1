"""`tf.compat.v1.nn` where its arguments were others."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...eager.convert import convert_to_tensor
from ...ops.array.rearrangement import transpose
from ...ops.bind import bind
from ...ops.composed import composed
from ...ops.control.flow import stop_gradient
from ...ops.conversion import as_tensor
from ...ops.linalg.matmul import matmul
from ...ops.math import moments as statistics
from ...ops.math.cast import cast
from ...ops.nn import (
    activations,
    bias_and_dropout,
    ctc_decoding,
)  # fmt: skip
from ...ops.nn import (
    convolution_functions as convolutions,
)
from ...ops.nn import (
    losses as weighted,
)
from ...ops.nn import (
    pooling_functions as pooling,
)
from ...ops.nn import (
    softmax as softmaxes,
)
from ...ops.nn import (
    space_to_depth as blocks,
)
from ...ops.older.networks import CTCLoss
from ...ops.sparse import embeddings
from ...ops.sparse.sparse_tensor import SparseTensor
from .arguments import either, required


def avg_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Any:
    """The means of windows (`tf.nn.avg_pool2d`).

    >>> tf.compat.v1.nn.avg_pool(tf.ones([1, 2, 2, 1]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    given = either("input", input, "value", value)
    return pooling.avg_pool2d(given, ksize, strides, padding, data_format, name)


def max_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Any:
    """The largest of windows (`tf.nn.max_pool2d`).

    >>> tf.compat.v1.nn.max_pool(tf.ones([1, 2, 2, 1]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    given = either("input", input, "value", value)
    return pooling.max_pool2d(given, ksize, strides, padding, data_format, name)


def conv1d(
    value: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: Any = None,
    data_format: str | None = None,
    name: str | None = None,
    input: Any = None,
    dilations: Any = None,
) -> Any:
    """A convolution along one axis (`tf.nn.conv1d`).

    >>> tf.compat.v1.nn.conv1d(tf.ones([1, 4, 1]), tf.ones([2, 1, 1]), 1, "VALID").shape
    TensorShape([1, 3, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    given = either("input", input, "value", value)
    return convolutions.conv1d(
        given, filters, stride, padding, data_format or "NWC", dilations, name
    )


def conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Any:
    """A convolution of images (`tf.nn.conv2d`).

    >>> image = tf.ones([1, 4, 4, 1])
    >>> tf.compat.v1.nn.conv2d(image, tf.ones([2, 2, 1, 1]), [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 4, 4, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    kernel = either("filters", filters, "filter", filter)
    return convolutions.conv2d(input, kernel, strides, padding, data_format, dilations, name)


def conv2d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Any:
    """The transpose of a convolution of images (`tf.nn.conv2d_transpose`).

    >>> image, kernel = tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1])
    >>> tf.compat.v1.nn.conv2d_transpose(image, kernel, [1, 4, 4, 1], [1, 2, 2, 1]).shape
    TensorShape([1, 4, 4, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    given = either("input", input, "value", value)
    kernel = either("filters", filters, "filter", filter)
    return convolutions.conv2d_transpose(
        given, kernel, output_shape, strides, padding, data_format, dilations, name
    )


def conv3d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str = "NDHWC",
    dilations: Any = (1, 1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Any:
    """A convolution of volumes (`tf.nn.conv3d`).

    >>> volume, kernel = tf.ones([1, 3, 3, 3, 1]), tf.ones([2, 2, 2, 1, 1])
    >>> tf.compat.v1.nn.conv3d(volume, kernel, [1, 1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 2, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    kernel = either("filters", filters, "filter", filter)
    return convolutions.conv3d(input, kernel, strides, padding, data_format, dilations, name)


def convolution(
    input: Any,
    filter: Any,
    padding: Any,
    strides: Any = None,
    dilation_rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Any:
    """A convolution along as many axes as there are (`tf.nn.convolution`).

    >>> tf.compat.v1.nn.convolution(tf.ones([1, 4, 1]), tf.ones([2, 1, 1]), "SAME").shape
    TensorShape([1, 4, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    kernel = either("filters", filters, "filter", filter)
    wide = either("dilations", dilations, "dilation_rate", dilation_rate)
    return convolutions.convolution(input, kernel, strides, padding, data_format, wide, name)


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Any:
    """A convolution of each channel by itself (`tf.nn.depthwise_conv2d`).

    >>> image, kernel = tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 1])
    >>> tf.compat.v1.nn.depthwise_conv2d(image, kernel, [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 4, 4, 2])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    wide = either("dilations", dilations, "rate", rate)
    return convolutions.depthwise_conv2d(input, filter, strides, padding, data_format, wide, name)


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Any:
    """A convolution of each channel, then one of points (`tf.nn.separable_conv2d`).

    >>> image, deep, point = tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 3])
    >>> tf.compat.v1.nn.separable_conv2d(image, deep, point, [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 4, 4, 3])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    wide = either("dilations", dilations, "rate", rate)
    return convolutions.separable_conv2d(
        input, depthwise_filter, pointwise_filter, strides, padding, data_format, wide, name
    )


def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """Zeros in the place of some elements, the others larger (`tf.nn.dropout`).

    keep_prob: which part stays: 1 - rate.

    >>> tf.compat.v1.nn.dropout(tf.ones([3]), keep_prob=1.0).numpy()
    array([1., 1., 1.], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names, or under none.
    """
    dropped = either("rate", rate, "keep_prob", None if keep_prob is None else 1 - keep_prob)
    return bias_and_dropout.dropout(x, required("rate", dropped), noise_shape, seed, name)


def moments(
    x: Any,
    axes: Any,
    shift: Any = None,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Any, Any]:
    """Mean and variance over axes (`tf.nn.moments`).

    >>> [float(one) for one in tf.compat.v1.nn.moments(tf.constant([1.0, 3.0]), [0])]
    [2.0, 1.0]

    Raises:
        ValueError: an argument is given under both of its names.
    """
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return statistics.moments(x, axes, shift, bool(kept), name)


def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """exp(logits), divided by their sum along an axis (`tf.nn.softmax`).

    >>> tf.compat.v1.nn.softmax([0.0, 0.0], dim=0).numpy()
    array([0.5, 0.5], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return softmaxes.softmax(logits, either("axis", axis, "dim", dim), name)


def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """The logarithm of `softmax` (`tf.nn.log_softmax`).

    >>> tf.compat.v1.nn.log_softmax([0.0], dim=0).numpy()
    array([0.], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return softmaxes.log_softmax(logits, either("axis", axis, "dim", dim), name)


def softmax_cross_entropy_with_logits_v2(
    labels: Any, logits: Any, axis: Any = None, name: str | None = None, dim: Any = None
) -> Any:
    """The cross entropy of distributions; both have gradients.

    labels, logits: floats of one dtype [..., classes]; the result is [...].

    >>> tf.compat.v1.nn.softmax_cross_entropy_with_logits_v2([[1.0, 0.0]], [[0.0, 0.0]]).numpy()
    array([0.6931472], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    along = either("axis", axis, "dim", dim)
    return softmaxes.softmax_cross_entropy_with_logits(
        labels, logits, -1 if along is None else along, name
    )


def softmax_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: Any = None,
) -> Any:
    """The cross entropy of distributions; labels have no gradient.

    labels, logits: floats of one dtype [..., classes]; the result is [...].

    >>> labels, logits = tf.constant([[1.0, 0.0]]), tf.constant([[0.0, 0.0]])
    >>> tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits).numpy()
    array([0.6931472], dtype=float32)

    Raises:
        ValueError: an argument is missing.
    """
    wanted, given = required("labels", labels), required("logits", logits)
    along = dim if axis is None else axis
    return softmaxes.softmax_cross_entropy_with_logits(
        stop_gradient(as_tensor(wanted)), given, along, name
    )


def sparse_softmax_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """The cross entropy of classes (`tf.nn.sparse_softmax_cross_entropy_with_logits`).

    >>> logits = tf.constant([[0.0, 0.0]])
    >>> loss = tf.compat.v1.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=logits)
    >>> loss.numpy()
    array([0.6931472], dtype=float32)

    Raises:
        ValueError: an argument is missing.
    """
    return softmaxes.sparse_softmax_cross_entropy_with_logits(
        required("labels", labels), required("logits", logits), name
    )


def weighted_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    pos_weight: Any = None,
    name: str | None = None,
    targets: Any = None,
) -> Any:
    """`tf.nn.weighted_cross_entropy_with_logits`.

    >>> loss = tf.compat.v1.nn.weighted_cross_entropy_with_logits(
    ...     targets=[1.0], logits=tf.constant([0.0]), pos_weight=2.0)
    >>> loss.numpy()
    array([1.3862944], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    wanted = either("labels", labels, "targets", targets)
    return weighted.weighted_cross_entropy_with_logits(wanted, logits, pos_weight, name)


def embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: Any = None,
) -> Any:
    """Rows of a matrix (`tf.nn.embedding_lookup`).

    >>> tf.compat.v1.nn.embedding_lookup(tf.constant([[1.0], [2.0]]), [1]).numpy()
    array([[2.]], dtype=float32)

    A matrix in n parts, a list: row i is in part i % n where `partition_strategy` is "mod"; for
    "div" parts follow each other, and the first of them have a row more where n does not divide.

    >>> parts = [tf.constant([[0.0], [2.0]]), tf.constant([[1.0]])]
    >>> tf.compat.v1.nn.embedding_lookup(parts, [2, 1]).numpy()
    array([[2.],
           [1.]], dtype=float32)

    Raises:
        ValueError: there is no such strategy.
        InvalidArgumentError: the matrix, or that part of it, has no such row.
    """
    params = embeddings.parts_of_table(params)
    if isinstance(params, list) and len(params) > 1:
        return embeddings.rows_of_parts(params, ids, partition_strategy, max_norm, name)
    return embeddings.embedding_lookup(params, ids, max_norm, name)


def ctc_loss(
    labels: Any,
    inputs: Any = None,
    sequence_length: Any = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: Any = None,
) -> Any:
    """The loss of connectionist temporal classification (Graves and others 2006).

    labels: a SparseTensor of classes [batch, time]; the last class of `inputs`, [time, batch,
    classes], is the blank one. preprocess_collapse_repeated: whether of equal labels in a row only
    one counts. ctc_merge_repeated: whether equal outputs in a row are one label, and not as many.
    ignore_longer_outputs_than_inputs: whether sequences with too few steps for their labels have no
    loss, rather than being refused.

    >>> labels = tf.SparseTensor([[0, 0]], [0], [1, 1])
    >>> loss = tf.compat.v1.nn.ctc_loss(tf.cast(labels, tf.int32), tf.zeros([2, 1, 3]), [2])
    >>> loss.numpy()
    array([1.0986123], dtype=float32)

    Raises:
        TypeError: `labels` is no SparseTensor.
        InvalidArgumentError: labels are the blank or no classes, too many for the steps, or none.
    """
    given = either("inputs", inputs, "logits", logits)
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    scores = as_tensor(given)
    scores = scores if time_major else transpose(scores, [1, 0, 2])
    narrow = scores.dtype.size < 4
    loss, _ = bind(
        CTCLoss, cast(scores, dtypes.float32) if narrow else scores, labels.indices,
        cast(labels.values, dtypes.int32),
        cast(as_tensor(sequence_length, None, dtypes.int32), dtypes.int32),
        preprocess_collapse_repeated=preprocess_collapse_repeated,
        ctc_merge_repeated=ctc_merge_repeated,
        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )  # fmt: skip
    return cast(loss, scores.dtype) if narrow else loss


def ctc_beam_search_decoder(
    inputs: Any,
    sequence_length: Any,
    beam_width: int = 100,
    top_paths: int = 1,
    merge_repeated: bool = True,
) -> Any:
    """The likeliest paths (`tf.nn.ctc_beam_search_decoder`).

    merge_repeated: of labels of a path that are equal and in a row one is left, even where a blank
    was between them.

    >>> inputs = tf.one_hot([[0], [2], [0], [1]], 3) * 8.0
    >>> for merges in (False, True):
    ...     (path,), _ = tf.compat.v1.nn.ctc_beam_search_decoder(inputs, [4], merge_repeated=merges)
    ...     print(path.values.numpy())
    [0 0 1]
    [0 1]

    Raises:
        FailedPreconditionError: a length is beyond the time; not one length for each sequence.
        InvalidArgumentError: there are more paths than beams.
    """
    return ctc_decoding.decoded_paths(
        inputs, sequence_length, beam_width, top_paths, merge_repeated
    )


def crelu(features: Any, name: str | None = None, axis: int = -1) -> Any:
    """relu of features and of what is opposite to them (`tf.nn.crelu`).

    >>> tf.compat.v1.nn.crelu(tf.constant([1.0, -2.0])).numpy()
    array([1., 0., 0., 2.], dtype=float32)

    Raises:
        DTypeMismatchError: features are not real numbers that have a sign.
        InvalidArgumentError: there is no such axis.
    """
    return weighted.crelu(features, axis, name)


def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Any:
    """Whether each target is among the k largest predictions (`tf.math.in_top_k`).

    >>> tf.compat.v1.nn.in_top_k([[0.1, 0.9]], [1], 1).numpy()
    array([ True])

    Raises:
        InvalidArgumentError: `predictions` are not [n, classes], or `targets` not [n].
        DTypeMismatchError: `predictions` are not float32, or `targets` not integers.
    """
    return bias_and_dropout.in_top_k(targets, predictions, k, name)


@composed("xw_plus_b", names_result=True)
def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Any:
    """matmul(x, weights) + biases.

    x: [n, k], weights: [k, m], biases: [m], numbers of one dtype, which the result [n, m] has.

    >>> tf.compat.v1.nn.xw_plus_b([[1.0]], [[2.0]], [3.0]).numpy()
    array([[5.]], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not go together.
        DTypeMismatchError: the dtypes differ, or are not numbers.
    """
    x, weights, biases = map(convert_to_tensor, (x, weights, biases))
    return bias_and_dropout.bias_add(matmul(x, weights), biases, name=name)


@composed("relu_layer", names_result=True)
def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Any:
    """relu(matmul(x, weights) + biases).

    x: [n, k], weights: [k, m], biases: [m], numbers of one dtype, which the result [n, m] has.

    >>> tf.compat.v1.nn.relu_layer([[1.0]], [[-2.0]], [1.0]).numpy()
    array([[0.]], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not go together.
        DTypeMismatchError: the dtypes differ, or are not numbers.
    """
    x, weights, biases = map(convert_to_tensor, (x, weights, biases))
    return activations.relu(bias_and_dropout.bias_add(matmul(x, weights), biases), name=name)


def space_to_depth(
    input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC"
) -> Any:
    """Blocks of pixels as channels (`tf.nn.space_to_depth`).

    >>> tf.compat.v1.space_to_depth(tf.ones([1, 2, 2, 1]), 2).shape
    TensorShape([1, 1, 1, 4])

    Raises:
        InvalidArgumentError: there are not four axes, `block_size` is below 2 or does not divide
            height and width; or there is no such format.
    """
    return blocks.space_to_depth(input, block_size, data_format, name)


def depth_to_space(
    input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC"
) -> Any:
    """Channels as blocks of pixels (`tf.nn.depth_to_space`).

    >>> tf.compat.v1.depth_to_space(tf.ones([1, 1, 1, 4]), 2).shape
    TensorShape([1, 2, 2, 1])

    Raises:
        InvalidArgumentError: there are not four axes, `block_size` is below 2, or its square does
            not divide the channels; or there is no such format.
    """
    return blocks.depth_to_space(input, block_size, data_format, name)
