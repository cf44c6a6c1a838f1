"""Operations that only `tf.raw_ops` has, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

RNG = np.random.default_rng(7)
X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)
ROWS = np.array([[1, 2], [3, 4], [5, 6]], np.int32)
Z = np.array([[1 + 2j, 3, 0.5j], [0, -1j, 2 - 1j]])
IMAGE = RNG.normal(size=(1, 4, 4, 2)).astype(np.float32)
PIXELS = RNG.normal(size=(2, 3, 3, 2)).astype(np.float32)
TIMES = RNG.normal(size=(4, 2, 3)).astype(np.float32)
LABELS = [np.array([[0, 0], [0, 1], [1, 0]], np.int64), np.array([0, 1, 1], np.int32)]
LENGTHS = np.array([4, 3], np.int32)
KERNEL = RNG.normal(size=(2, 2, 2, 1)).astype(np.float32)
MARGINS = np.array([[0, 0], [1, 1], [1, 0], [0, 0]], np.int32)
SCALE, OFFSET = np.array([1.0, 2.0], np.float32), np.array([0.5, -1.0], np.float32)
MEAN, VARIANCE = np.array([0.1, 0.2], np.float32), np.array([1.5, 0.5], np.float32)
STATE = np.array([1, 2, 3], np.int64)
PLACES = np.array([[0], [1]], np.int64), np.array([[1], [3]], np.int64)
SPREAD = np.array([[-2.0, -1.0], [0.0, 1.0], [2.0, 3.0]], np.float32)
NONE = np.zeros(0, np.float32)


def raw(name: str, inputs: str, **told: Any) -> Callable[..., Any]:
    """The call of an operation with tensors for these inputs."""

    def call(tf: Any, *tensors: Any) -> Any:
        given = dict(zip(inputs.split(), tensors, strict=True))
        return list(tf.nest.flatten(getattr(tf.raw_ops, name)(**given, **told)))

    return call


def derived(name: str, inputs: str, by: int = 1, **told: Any) -> Callable[..., Any]:
    """The gradients of the first result's squares by the first inputs."""

    def call(tf: Any, *tensors: Any) -> Any:
        def value(tf: Any, *watched: Any) -> Any:
            return raw(name, inputs, **told)(tf, *watched, *tensors[by:])[0] ** 2

        return gradient(value)(tf, *tensors[:by])

    return call


def from_state(name: str, **told: Any) -> Call:
    """Numbers of a generator, and its state after that."""

    def call(tf: Any, state: Any) -> Any:
        variable = tf.Variable(state)
        given = {key: tf.constant(*value) for key, value in told.items() if type(value) is tuple}
        plain = {key: value for key, value in told.items() if type(value) is not tuple}
        found = [
            getattr(tf.raw_ops, name)(resource=variable.handle, **given, **plain) for _ in range(2)
        ]
        return [one for one in (*found, variable.value()) if one is not None]

    return call, [STATE]


def drawn(name: str, **told: Any) -> Call:
    return from_state(f"Stateful{name}", algorithm=1, shape=[3], **told)


def of_lists(tf: Any, x: Any) -> Any:
    """What lists give that TensorList operations make."""
    raw_ops, told = tf.raw_ops, {"element_shape": [2], "element_dtype": tf.int32}
    first = raw_ops.TensorListFromTensor(tensor=x, element_shape=[2])
    lists = [
        raw_ops.TensorListConcatLists(input_a=first, input_b=first, element_dtype=tf.int32),
        raw_ops.TensorListScatter(tensor=x, indices=[4, 0, 2], element_shape=[2]),
        raw_ops.TensorListScatterV2(tensor=x, indices=[1, 0, 2], element_shape=[2], num_elements=5),
    ]
    joined = raw_ops.TensorListConcat(input_handle=first, element_dtype=tf.int32, element_shape=[2])
    return [*(raw_ops.TensorListStack(input_handle=one, **told) for one in lists), *joined]


def of_arrays(tf: Any, x: Any) -> Any:
    """What comes out of arrays and stacks behind handles."""
    raw_ops, told = tf.raw_ops, {"dtype": tf.int32}
    handle, flow = raw_ops.TensorArrayV3(size=3, **told, clear_after_read=False, dynamic_size=True)
    flow = raw_ops.TensorArrayScatterV3(handle=handle, indices=[2, 0, 1], value=x, flow_in=flow)
    flow = raw_ops.TensorArrayWriteV3(handle=handle, index=4, value=x[0] * 7, flow_in=flow)
    flow = raw_ops.TensorArrayWriteV3(handle=handle, index=3, value=x[1] * 7, flow_in=flow)
    here = {"handle": handle, "flow_in": flow}
    found = [raw_ops.TensorArrayReadV3(**here, index=4, **told), raw_ops.TensorArraySizeV3(**here),
             raw_ops.TensorArrayGatherV3(**here, indices=[0, 3], **told),
             *raw_ops.TensorArrayConcatV3(**here, **told)]  # fmt: skip
    handle, flow = raw_ops.TensorArrayV3(size=2, **told)
    lengths = tf.constant([1, 2], tf.int64)
    flow = raw_ops.TensorArraySplitV3(handle=handle, value=x, lengths=lengths, flow_in=flow)
    found += [raw_ops.TensorArrayReadV3(handle=handle, flow_in=flow, index=1, **told)]
    raw_ops.TensorArrayCloseV3(handle=handle)
    return found


def of_stacks(tf: Any, x: Any) -> Any:
    raw_ops = tf.raw_ops
    stack = raw_ops.StackV2(max_size=5, elem_type=tf.int32)
    pushed = [raw_ops.StackPushV2(handle=stack, elem=one) for one in (x, x[0])]
    return [*pushed, *(raw_ops.StackPopV2(handle=stack, elem_type=tf.int32) for _ in range(2))]


def wrong_array(steps: Callable[..., Any]) -> Callable[..., Any]:
    """An array of two elements, of which the first is written, and what is then done wrong."""

    def call(tf: Any, x: Any) -> Any:
        handle, flow = tf.raw_ops.TensorArrayV3(size=2, dtype=tf.int32)
        tf.raw_ops.TensorArrayWriteV3(handle=handle, index=0, value=x, flow_in=flow)
        return steps(tf.raw_ops, {"handle": handle, "flow_in": flow}, x)

    return call


def of_gradients(tf: Any, x: Any) -> Any:
    """What comes out of arrays of gradients."""
    raw_ops, told = tf.raw_ops, {"dtype": tf.int32}
    handle, flow = raw_ops.TensorArrayV3(size=3, **told, dynamic_size=True)
    raw_ops.TensorArrayWriteV3(handle=handle, index=0, value=x[0], flow_in=flow)
    own, flow = raw_ops.TensorArrayGradV3(handle=handle, flow_in=flow, source="a")
    same, flow = raw_ops.TensorArrayGradV3(handle=handle, flow_in=flow, source="a")
    other, flow = raw_ops.TensorArrayGradWithShape(
        handle=handle, flow_in=flow, shape_to_prepend=[3], source="b")  # fmt: skip
    for target, value in ((own, x[1]), (same, x[2]), (other, x)):
        raw_ops.TensorArrayWriteV3(handle=target, index=1, value=value, flow_in=flow)
    reads = [(same, 1), (same, 0), (other, 0), (other, 1)]
    found = [
        raw_ops.TensorArrayReadV3(handle=one, index=k, flow_in=flow, **told) for one, k in reads
    ]
    return [*found, raw_ops.TensorArraySizeV3(handle=other, flow_in=flow), flow]


def wrong_gradient(steps: Callable[..., Any]) -> Callable[..., Any]:
    """An array that may grow, the array of its gradients, and what is then done wrong."""

    def call(tf: Any, x: Any) -> Any:
        handle, flow = tf.raw_ops.TensorArrayV3(size=2, dtype=tf.int32, dynamic_size=True)
        tf.raw_ops.TensorArrayWriteV3(handle=handle, index=0, value=x[0], flow_in=flow)
        made = tf.raw_ops.TensorArrayGradV3(handle=handle, flow_in=flow, source="a")
        return steps(tf.raw_ops, handle, {"handle": made[0], "flow_in": flow}, x)

    return call


def of_queues(tf: Any, x: Any) -> Any:
    """What comes out of queues that operations make."""
    raw_ops, found = tf.raw_ops, []
    for name, told in (
        ("FIFOQueueV2", {"component_types": [tf.int32]}),
        ("PaddingFIFOQueueV2", {"component_types": [tf.int32], "shapes": [[None]]}),
        ("RandomShuffleQueueV2", {"component_types": [tf.int32], "shapes": [[2]], "seed": 3,
                                  "seed2": 4}),
    ):  # fmt: skip
        queue = getattr(raw_ops, name)(**told, capacity=5)
        raw_ops.QueueEnqueueManyV2(handle=queue, components=[x])
        found += [*raw_ops.QueueDequeueV2(handle=queue, component_types=[tf.int32]),
                  raw_ops.QueueSizeV2(handle=queue)]  # fmt: skip
    queue = raw_ops.PriorityQueueV2(shapes=[[2]], component_types=[tf.int32])
    order = tf.constant([3, 1, 2], tf.int64)
    raw_ops.QueueEnqueueManyV2(handle=queue, components=[order, x])
    both = [tf.int64, tf.int32]
    return found + list(raw_ops.QueueDequeueV2(handle=queue, component_types=both))


TRIANGLES = np.random.default_rng(3).normal(size=(2, 3, 3)) + 3 * np.eye(3)
SEQUENCE = RNG.normal(size=(4, 2, 3)) / 2
CELLS = [RNG.normal(size=shape) for shape in ((2, 5), (2, 5))]
PEEPHOLES = [RNG.normal(size=5) for _ in range(3)]
LSTM = [RNG.normal(size=(8, 20)) / 2, *PEEPHOLES, RNG.normal(size=20)]
GRU = [RNG.normal(size=shape) for shape in ((8, 10), (8, 5), (10,), (5,))]
CELL, GRU_CELL = "x cs_prev h_prev w wci wcf wco b", "x h_prev w_ru w_c b_ru b_c"


def float32(arrays: list[Any]) -> list[Any]:
    return [array.astype(np.float32) for array in arrays]


def backwards(name: str, inputs: str, **told: Any) -> Callable[..., Any]:
    """What the gradient of a cell gives of its results and of gradients."""

    def call(tf: Any, *tensors: Any) -> Any:
        given = dict(zip(inputs.split(), tensors, strict=True))
        if name == "GRUBlockCell":
            found = tf.raw_ops.GRUBlockCell(**given)
            results = {"r": found.r, "u": found.u, "c": found.c, "d_h": found.h * 2}
            return list(tf.raw_ops.GRUBlockCellGrad(**given, **results))
        found = getattr(tf.raw_ops, name)(**given, **told)
        results = {one: getattr(found, one) for one in ("i", "cs", "f", "o", "ci", "co")}
        if name.startswith("Block"):
            results["h"] = found.h
        grad = getattr(tf.raw_ops, "BlockLSTMGradV2" if name == "BlockLSTMV2" else f"{name}Grad")
        flags = {"use_peephole": told.get("use_peephole", False)}
        return list(grad(**given, **results, cs_grad=found.cs * 2, h_grad=found.h * 3, **flags))

    return call


def first_three(call: Callable[..., Any]) -> Callable[..., Any]:
    """The results of so many steps: TensorFlow leaves what is behind them as memory has it."""
    return lambda tf, *tensors: [one[:3] for one in call(tf, *tensors)]


def of_cells() -> dict[str, Call]:
    """Cells and LSTMs over time, and their gradients."""
    step, whole = float32([SEQUENCE[0], *CELLS, *LSTM]), float32([SEQUENCE, *CELLS, *LSTM])
    gru = float32([SEQUENCE[0], CELLS[1], *GRU])
    found: dict[str, Call] = {
        "GRUBlockCell": (raw("GRUBlockCell", GRU_CELL), gru),
        "GRUBlockCellGrad": (backwards("GRUBlockCell", GRU_CELL), gru),
    }
    for title, told in (("", {}), (", peepholes", {"use_peephole": True}),
                        (", clipped", {"cell_clip": 0.25})):  # fmt: skip
        found[f"LSTMBlockCell{title}"] = raw("LSTMBlockCell", CELL, **told), step
        found[f"LSTMBlockCellGrad{title}"] = backwards("LSTMBlockCell", CELL, **told), step
        for name in ("BlockLSTM", "BlockLSTMV2"):
            operands = [np.array(3), *whole]
            forwards = raw(name, f"seq_len_max {CELL}", **told)
            found[f"{name}{title}"] = first_three(forwards), operands
            back = backwards(name, f"seq_len_max {CELL}", **told)
            found[f"{name} backwards{title}"] = back, [np.array(4), *whole]
    return found


def through_time(tf: Any, x: Any, w: Any, b: Any) -> Any:
    """The gradients of an LSTM by what it is given."""
    cells = [tf.constant(one) for one in float32([*CELLS, *PEEPHOLES])]

    def value(tf: Any, x: Any, w: Any, b: Any) -> Any:
        given = dict(zip(["cs_prev", "h_prev", "wci", "wcf", "wco"], cells, strict=True))
        steps = tf.constant(4, tf.int64)
        return tf.raw_ops.BlockLSTM(seq_len_max=steps, x=x, w=w, b=b, **given).h ** 2

    return gradient(value)(tf, x, w, b)


POOL = [np.array([1, 2, 2, 1], np.int32), np.array([1, 1, 1, 1], np.int32)]

CALLS: dict[str, Call] = {
    "ConjugateTranspose": (raw("ConjugateTranspose", "x perm"), [Z, np.array([1, 0], np.int32)]),
    "ConjugateTranspose of reals": (raw("ConjugateTranspose", "x perm"), [X, np.array([1, 0])]),
    "UnravelIndex": (raw("UnravelIndex", "indices dims"), [np.array([2, 5, 7]), np.array([3, 3])]),
    "UnravelIndex of one": (raw("UnravelIndex", "indices dims"), [np.array(5), np.array([3, 3])]),
    "UnravelIndex outside": (raw("UnravelIndex", "indices dims"), [np.array([9]), np.array([3])]),
    "ParallelConcat": (
        lambda tf, x, y: tf.raw_ops.ParallelConcat(values=[x, y], shape=[2, 3]), [X[:1], X[1:]],
    ),
    "ParallelConcat of no rows": (
        lambda tf, x: tf.raw_ops.ParallelConcat(values=[x, x], shape=[2, 3]), [X[0]],
    ),
    **of_cells(),
    "gradient of BlockLSTM": (through_time, float32([SEQUENCE, LSTM[0], LSTM[-1]])),
    **{
        f"{name}": (
            lambda tf, base, name=name, told=told: getattr(tf.raw_ops, name)(basename=base, **told),
            [np.array(b"ckpt", object)],
        )
        for name, told in (
            ("ShardedFilename", {"shard": 3, "num_shards": 12}),
            ("ShardedFilespec", {"num_shards": 12}),
        )
    },
    "CholeskyGrad": (raw("CholeskyGrad", "l grad"), [np.tril(TRIANGLES), TRIANGLES * 2]),
    "CholeskyGrad of float32": (
        raw("CholeskyGrad", "l grad"), float32([np.tril(TRIANGLES[0]), TRIANGLES[1]]),
    ),
    "DisableCopyOnRead": (
        lambda tf, x: [tf.raw_ops.DisableCopyOnRead(resource=tf.Variable(x).handle), x][1], [ROWS],
    ),
    "NonDeterministicInts": (
        lambda tf: tf.shape(tf.raw_ops.NonDeterministicInts(shape=[2, 3], dtype=tf.int32)), [],
    ),
    "DeepCopy": (raw("DeepCopy", "x"), [X]),
    "Fact": (lambda tf: tf.raw_ops.Fact(), []),
    "FakeParam": (lambda tf: tf.shape(tf.raw_ops.FakeParam(dtype=tf.int32, shape=[2, 3])), []),
    **{
        f"{name} at {i}": (raw(name, "x i v"), [ROWS, np.array(i, np.int32), ROWS[: len(i)] * 10])
        for name in ("InplaceAdd", "InplaceSub", "InplaceUpdate")
        for i in ([0, 0], [2, 1], [-1, 4], [])
    },
    "InplaceAdd of other rows": (
        raw("InplaceAdd", "x i v"), [ROWS, np.array([0], np.int32), ROWS[:1, :1]],
    ),
    "ScatterNdNonAliasingAdd": (
        raw("ScatterNdNonAliasingAdd", "input indices updates"),
        [ROWS, np.array([[0], [2]]), ROWS[:2]],
    ),
    "PopulationCount": (
        lambda tf, x: [tf.raw_ops.PopulationCount(x=tf.bitcast(x, d) if d else x) for d in
                       (None, tf.int32, tf.uint16, tf.int8)],
        [np.array([-1, 0, 3, 2**40 + 7, -(2**63)])],
    ),
    "NthElement": (raw("NthElement", "input n"), [ROWS[:, ::-1].T.copy(), np.array(1, np.int32)]),
    "NthElement reversed": (
        raw("NthElement", "input n", reverse=True), [X, np.array(0, np.int32)],
    ),
    "NthElement beyond": (raw("NthElement", "input n"), [X, np.array(3, np.int32)]),
    "NthElement, negative": (raw("NthElement", "input n"), [X, np.array(-1, np.int32)]),
    "gradient of NthElement with ties": (
        derived("NthElement", "input n"), [np.array([[2.0, 1, 2]]), np.array(1, np.int32)],
    ),
    "TensorStridedSliceUpdate": (
        raw("TensorStridedSliceUpdate", "input begin end strides value"),
        [ROWS, np.array([1, 0]), np.array([3, 2]), np.array([1, 1]), ROWS[:2] * 10],
    ),
    "TensorStridedSliceUpdate with masks": (
        raw("TensorStridedSliceUpdate", "input begin end strides value", begin_mask=1, end_mask=1,
            shrink_axis_mask=2),
        [ROWS, np.array([0, 1]), np.array([0, 2]), np.array([-1, 1]), ROWS[:, 0] * 10],
    ),
    "DataFormatDimMap": (raw("DataFormatDimMap", "x"), [np.array([0, 1, 2, 3, -1, -4, 4])]),
    "DataFormatDimMap back": (
        raw("DataFormatDimMap", "x", src_format="NCHW", dst_format="NHWC"), [np.arange(4)],
    ),
    "DataFormatDimMap of volumes": (
        raw("DataFormatDimMap", "x", src_format="NDHWC", dst_format="NCDHW"),
        [np.array([0, 4, -5, 2], np.int32)],
    ),
    **{
        f"DataFormatVecPermute of {x.shape}": (raw("DataFormatVecPermute", "x"), [x])
        for x in (np.array([1, 2, 3, 4]), np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.int32),
                  np.array([5, 6]), np.array([1, 2, 3]), np.array([[1, 2], [3, 4]]))
    },
    "DataFormatVecPermute of volumes": (
        raw("DataFormatVecPermute", "x", src_format="NDHWC", dst_format="NCDHW"), [np.arange(5)],
    ),
    "SparseAddGrad": (
        raw("SparseAddGrad", "backprop_val_grad a_indices b_indices sum_indices"),
        [X[0], *PLACES, np.array([[0], [1], [3]])],
    ),
    "SparseSliceGrad": (
        raw("SparseSliceGrad", "backprop_val_grad input_indices input_start output_indices"),
        [X[0, :2], np.array([[0], [1], [3]]), np.array([1]), np.array([[0], [2]])],
    ),
    "Inv": (raw("Inv", "x"), [X]),
    "gradient of Inv": (derived("Inv", "x"), [X]),
    "InvGrad": (raw("InvGrad", "y dy"), [X, X + 1]),
    "BiasAddV1": (raw("BiasAddV1", "value bias"), [X, X[0]]),
    "SoftplusGrad": (raw("SoftplusGrad", "gradients features"), [X, X - 3]),
    "InTopK": (raw("InTopK", "predictions targets", k=2), [X, np.array([0, 1], np.int32)]),
    "InTopK of the wrong": (raw("InTopK", "predictions targets", k=1), [X, np.array([7, 2])]),
    "MaxPoolV2": (raw("MaxPoolV2", "input ksize strides", padding="VALID"), [IMAGE, *POOL]),
    "gradient of MaxPoolV2": (
        derived("MaxPoolV2", "input ksize strides", padding="VALID"), [IMAGE, *POOL],
    ),
    "MaxPoolGradV2": (
        lambda tf, x, *windows: raw(
            "MaxPoolGradV2", "orig_input orig_output grad ksize strides", padding="SAME"
        )(tf, x, tf.nn.max_pool2d(x, 2, 1, "SAME"), x * 2, *windows),
        [IMAGE, *POOL],
    ),
    "MaxPoolGradGradV2": (
        lambda tf, x, *windows: raw(
            "MaxPoolGradGradV2", "orig_input orig_output grad ksize strides", padding="VALID"
        )(tf, x, tf.nn.max_pool2d(x, 2, 1, "VALID"), x * 2, *windows),
        [IMAGE, *POOL],
    ),
    **{
        f"{name}, training": (
            raw(name, "x scale offset mean variance"), [PIXELS, SCALE, OFFSET, NONE, NONE],
        )
        for name in ("FusedBatchNorm", "FusedBatchNormV2")
    },
    **{
        f"{name}, serving": (
            raw(name, "x scale offset mean variance", is_training=False),
            [PIXELS, SCALE, OFFSET, MEAN, VARIANCE],
        )
        for name in ("FusedBatchNorm", "FusedBatchNormV2")
    },
    "gradient of FusedBatchNorm": (
        derived("FusedBatchNorm", "x scale offset mean variance", by=3),
        [PIXELS, SCALE, OFFSET, NONE, NONE],
    ),
    **{
        f"{name}, training {is_training}": (
            lambda tf, *x, name=name, is_training=is_training: raw(
                name, "y_backprop x scale reserve_space_1 reserve_space_2", is_training=is_training
            )(tf, *x)[:3],
            [PIXELS * 2, PIXELS, SCALE, MEAN, VARIANCE],
        )
        for name in ("FusedBatchNormGrad", "FusedBatchNormGradV2")
        for is_training in (True, False)
    },
    "FusedPadConv2D": (
        raw("FusedPadConv2D", "input paddings filter", mode="REFLECT", strides=[1, 1, 1, 1],
            padding="VALID"), [IMAGE, MARGINS, KERNEL],
    ),
    "FusedResizeAndPadConv2D": (
        raw("FusedResizeAndPadConv2D", "input size paddings filter", mode="SYMMETRIC",
            strides=[1, 1, 1, 1], padding="VALID"),
        [IMAGE, np.array([3, 5], np.int32), MARGINS, KERNEL],
    ),
    "CTCLoss": (
        raw("CTCLoss", "inputs labels_indices labels_values sequence_length"),
        [TIMES, *LABELS, LENGTHS],
    ),
    "CTCBeamSearchDecoder": (
        raw("CTCBeamSearchDecoder", "inputs sequence_length", beam_width=5, top_paths=2,
            merge_repeated=False), [TIMES, LENGTHS],
    ),
    "ResourceGatherNd": (
        lambda tf, x, i: tf.raw_ops.ResourceGatherNd(
            resource=tf.Variable(x).handle, indices=i, dtype=tf.int32),
        [ROWS, np.array([[0, 1], [2, 0]])],
    ),
    **{
        f"QuantizeAndDequantizeV3 {title}": (
            lambda tf, x, low, high, bits=bits, told=told: tf.raw_ops.QuantizeAndDequantizeV3(
                input=x, input_min=low, input_max=high, num_bits=bits, **told),
            [SPREAD, np.float32(-1), np.float32(2)],
        )
        for title, bits, told in (
            ("of 8 bits", 8, {}), ("of 4 bits", 4, {"narrow_range": True}),
            ("of one side", 3, {"signed_input": False}),
            ("of any range", 8, {"range_given": False}),
            ("of no bits", 0, {}), ("of many bits", 64, {}),
        )
    },
    **{
        f"QuantizeAndDequantizeV3 {title}": (
            raw("QuantizeAndDequantizeV3", "input input_min input_max", num_bits=8, axis=axis),
            [SPREAD, low, high],
        )
        for title, axis, low, high in (
            ("along an axis", 1, -MEAN, VARIANCE),
            ("along another", 0, np.array([-1, -1, 0], "f4"), np.array([1, 0, 3], "f4")),
            ("of the range of another axis", 0, -MEAN, VARIANCE),
            ("of one range for an axis", 0, np.float32(-1), np.float32(2)),
        )
    },
    "QuantizeAndDequantizeV3, derived": (
        derived("QuantizeAndDequantizeV3", "input input_min input_max", num_bits=8),
        [SPREAD, np.float32(-1), np.float32(2)],
    ),
    **{
        f"QuantizeAndDequantizeV4Grad {title}": (
            raw("QuantizeAndDequantizeV4Grad", "gradients input input_min input_max", axis=axis),
            [SPREAD[::-1] * 3, SPREAD, low, high],
        )
        for title, axis, low, high in (
            ("of scalars", -1, np.float32(-1), np.float32(2)),
            ("along an axis", 1, -MEAN, VARIANCE),
            ("along another", 0, np.array([-1, -1, 0], "f4"), np.array([1, 0, 3], "f4")),
            ("of vectors without an axis", -1, -MEAN, VARIANCE),
        )
    },
    "lists by raw operations": (of_lists, [ROWS]),
    "queues by raw operations": (of_queues, [ROWS]),
    "arrays by raw operations": (of_arrays, [ROWS]),
    "stacks by raw operations": (of_stacks, [ROWS]),
    **{
        f"array by raw operations, {title}": (wrong_array(steps), [ROWS])
        for title, steps in {
            "written twice": lambda raw, a, x: raw.TensorArrayWriteV3(**a, index=0, value=x),
            "too small": lambda raw, a, x: raw.TensorArrayWriteV3(**a, index=2, value=x),
            "read twice": lambda raw, a, x: [
                raw.TensorArrayReadV3(**a, index=0, dtype=x.dtype) for _ in range(2)
            ],
            "never written": lambda raw, a, x: raw.TensorArrayReadV3(**a, index=1, dtype=x.dtype),
            "read beyond": lambda raw, a, x: raw.TensorArrayReadV3(**a, index=5, dtype=x.dtype),
        }.items()
    },
    "gradients of arrays by raw operations": (of_gradients, [ROWS]),
    **{
        f"gradients of an array by raw operations, {title}": (wrong_gradient(steps), [ROWS])
        for title, steps in {
            "other shape": lambda raw, a, g, x: raw.TensorArrayWriteV3(**g, index=0, value=x),
            "grown": lambda raw, a, g, x: raw.TensorArrayWriteV3(
                handle=a, flow_in=g["flow_in"], index=2, value=x),
            "never written": lambda raw, a, g, x: raw.TensorArrayReadV3(
                **g, index=1, dtype=x.dtype),
            "closed": lambda raw, a, g, x: [
                raw.TensorArrayCloseV3(handle=a),
                raw.TensorArrayGradV3(handle=a, flow_in=g["flow_in"], source="b"),
            ],
        }.items()
    },
    **{
        f"CheckNumericsV2 of {numbers}": (
            raw("CheckNumericsV2", "tensor", message="m"), [np.array(numbers, np.float32)],
        )
        for numbers in (
            [1.0], [np.inf], [-np.inf], [np.nan], [np.inf, -np.inf], [np.inf, np.nan],
            [-np.inf, np.nan, 2], [np.nan, np.inf, -np.inf],
        )
    },
    "Print": (raw("Print", "input", data=[[1, 2], ["a"]], message="m: "), [X]),
    "Print of nothing": (raw("Print", "input", data=[], first_n=1, summarize=0), [ROWS]),
    "Print derived": (derived("Print", "input", data=[1]), [X]),
    "stack that is empty": (
        lambda tf: tf.raw_ops.StackPopV2(
            handle=tf.raw_ops.StackV2(max_size=1, elem_type=tf.int32), elem_type=tf.int32), [],
    ),
    "RngReadAndSkip": from_state("RngReadAndSkip", alg=1, delta=(5, "uint64")),
    "RngSkip": from_state("RngSkip", algorithm=1, delta=7),
    "RngSkip of no algorithm": from_state("RngSkip", algorithm=9, delta=7),
    **{
        f"Stateful{name}": drawn(name)
        for name in ("StandardNormalV2", "TruncatedNormal", "Uniform", "UniformFullInt")
    },
    "StatefulUniformInt": drawn("UniformInt", minval=0, maxval=10),
    "StatefulRandomBinomial": (
        lambda tf, state: tf.raw_ops.StatefulRandomBinomial(
            resource=tf.Variable(state).handle, algorithm=1, shape=[4, 2], counts=[10.0, 50.0],
            probs=0.5),
        [STATE],
    ),
    "StatefulUniform of doubles": (
        lambda tf, state: tf.raw_ops.StatefulUniform(
            resource=tf.Variable(state).handle, algorithm=3, shape=[2, 2], dtype=tf.float64),
        [STATE],
    ),
}  # fmt: skip
COMPILED: list[str] = []  # test_raw_calls.py traces all of them in one graph
