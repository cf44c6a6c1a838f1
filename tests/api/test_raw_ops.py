"""Operations by their own names take what TensorFlow's take."""

from __future__ import annotations

import inspect
import json
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.absent import absence
from tensormill.ops.op import ANY, REGISTRY

from .record_raw_ops import ATTRIBUTE_DTYPES, MISSING, OPERAND_DTYPES, RECORD, parameters

RAW: Any = tf.raw_ops
TENSORFLOW: dict[str, list[str]] = json.loads(RECORD.read_text())


def listed(name: str, lines: list[str]) -> list[str]:
    """Without the order of attributes, which nobody can tell: they are given by keyword."""
    inputs = len(REGISTRY[name].inputs)
    return [*lines[:inputs], *sorted(lines[inputs:])]


def test_operations_take_what_tensorflows_take() -> None:
    theirs = {name: listed(name, lines) for name, lines in TENSORFLOW.items()}
    ours = {name: listed(name, parameters(getattr(RAW, name))) for name in TENSORFLOW}

    differ = {name for name in theirs if ours[name] != theirs[name]}
    assert {name: theirs[name] for name in differ} == {name: ours[name] for name in differ}


def test_attributes_may_be_the_dtypes_that_tensorflows_may_be() -> None:
    theirs: dict[str, dict[str, str]] = json.loads(ATTRIBUTE_DTYPES.read_text())
    ours = {
        name: {
            field.public: " ".join(sorted(str(getattr(one, "name", one)) for one in field.allowed))
            for field in REGISTRY[name].attrs
            if field.public in said
        }
        for name, said in theirs.items()
    }

    assert theirs == ours


def taken(op: Any, field: Any) -> frozenset[str]:
    """The dtypes that an operand may have."""
    if field.fixed_dtype is not None:
        return frozenset((field.fixed_dtype.name,))
    told = op.fields.get(field.dtype)
    allowed = getattr(op, field.dtype, None) if told is None else told.allowed
    return frozenset(one.name for one in allowed or ANY)


def test_operands_have_no_dtype_that_tensorflows_cannot_have() -> None:
    """Handles stand for the references of TensorFlow's older operations on variables."""
    theirs: dict[str, dict[str, str]] = json.loads(OPERAND_DTYPES.read_text())
    wider = [
        (name, field.public)
        for said, operations in theirs.items()
        for name, operands in operations.items()
        for field in REGISTRY[name].inputs
        if field.public in operands.split()
        and not taken(REGISTRY[name], field) <= {*said.split(), "resource"}
    ]

    assert [] == wider


@pytest.mark.parametrize("kind", ["float32", tf.float32])
def test_a_dtype_that_an_attribute_cannot_be_is_refused(kind: Any) -> None:
    traced = tf.function(lambda x: RAW.Unique(x=x, out_idx=kind))
    words = r"Unique: out_idx=float32 is not in the list of allowed values: int32, int64"

    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        RAW.Unique(x=[1], out_idx=kind)
    with pytest.raises(TypeError, match=words):
        traced(tf.constant([1]))


# As TensorFlow 2.21 answers.
@pytest.mark.parametrize(
    ("expected", "make"),
    [
        ([3], lambda x: RAW.Shape(input=x, out_type=None)),
        (1, lambda x: RAW.ArgMax(input=x, dimension=0, output_type=None)),
        ([-0.2], lambda x: RAW.LeakyRelu(features=[-1.0], alpha=None)),
        ([b"1", b"3", b"2"], lambda x: RAW.AsString(input=x, precision=0, fill=None)),
        (
            [[[[3.0]]]],
            lambda x: RAW.MaxPool(
                input=tf.reshape(x, [1, 3, 1, 1]), ksize=[1, 3, 1, 1], strides=[1, 1, 1, 1],
                padding="VALID", explicit_paddings=None, data_format=None,
            ),
        ),
        ([2], lambda x: tf.shape(RAW.RandomUniform(shape=[2], dtype=tf.float32, seed=None))),
    ],
)  # fmt: skip
def test_none_leaves_attributes_at_their_defaults(expected: Any, make: Any) -> None:
    x = tf.constant([1.0, 3.0, 2.0])

    np.testing.assert_array_equal(np.asarray(expected, make(x).dtype.as_numpy_dtype), make(x))
    np.testing.assert_array_equal(np.asarray(make(x)), tf.function(make)(x))


@pytest.mark.parametrize(
    "make",
    [
        lambda x: RAW.CheckNumerics(tensor=x, message=None),
        lambda x: RAW.Cast(x=x, DstT=None),
        lambda x: RAW.MaxPool(input=x, ksize=None, strides=[1, 1, 1, 1], padding="SAME"),
        lambda x: RAW.Unpack(value=x, num=None),
    ],
)
def test_none_is_refused_where_an_attribute_has_no_default(make: Any) -> None:
    with pytest.raises(TypeError, match=r"not None|None to"):
        make(tf.ones([1, 1, 1, 1]))
    with pytest.raises(TypeError, match=r"not None|None to"):
        tf.function(make)(tf.ones([1, 1, 1, 1]))


@pytest.mark.parametrize("kind", [np.int32, np.int64, list])
def test_splits_beside_lists_keep_their_dtype_eagerly(kind: Any) -> None:
    """In graphs they are int64, as TensorFlow's are."""

    def gather() -> Any:
        splits = [0, 2, 3] if kind is list else np.array([0, 2, 3], kind)
        return RAW.RaggedGather(
            params_nested_splits=[splits], params_dense_values=[1, 2, 3], indices=[1],
            OUTPUT_RAGGED_RANK=1,
        )[0][0]  # fmt: skip

    assert (tf.int64 if kind is np.int64 else tf.int32) is gather().dtype
    assert tf.int64 is tf.function(gather)().dtype


@pytest.mark.parametrize(
    "make",
    [
        lambda x: RAW.LowerBound(sorted_inputs=x, values=x),
        lambda x: RAW.MatrixBandPart(input=x, num_lower=0, num_upper=0),
        lambda x: tf.linalg.diag(x, padding_value="a"),
        lambda x: tf.tensor_scatter_nd_add(x, [[0]], [["a"]]),
        lambda x: RAW.SparseFillEmptyRowsGrad(
            reverse_index_map=np.array([0], np.int64), grad_values=x[0]
        ),
    ],
)
def test_dtypes_without_kernels_are_not_found_eagerly(make: Any) -> None:
    """Where TensorFlow's definition takes all: in functions an InvalidArgumentError there, too."""
    x = tf.constant([["a"]])

    with pytest.raises(tf.errors.NotFoundError, match="string is not in the list") as caught:
        make(x)
    assert isinstance(caught.value, tf.errors.InvalidArgumentError)
    with pytest.raises(tf.errors.InvalidArgumentError, match="string is not in the list"):
        tf.function(make)(x)


def test_ranges_are_told_by_one_element() -> None:
    levels = tf.bitcast(tf.constant([1, 200, 3]), tf.qint32)
    expected = RAW.RequantizationRange(input=levels, input_min=-1.0, input_max=1.0)

    found = RAW.RequantizationRange(input=levels, input_min=[-1.0], input_max=[1.0])
    np.testing.assert_array_equal(expected, found)
    assert (3,) == RAW.QuantizedReshape(
        tensor=levels, shape=[3], input_min=[-1.0], input_max=[1.0]
    ).output.shape  # fmt: skip


def test_shapes_are_constants_of_other_dtypes_in_graphs_alone() -> None:
    """As TensorFlow has it: eagerly there is an operation, which makes integers."""
    traced = tf.function(lambda x: tf.shape(x, tf.float32))

    assert [2.0] == traced(tf.ones([2])).numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="out_type=float32"):
        tf.shape(tf.ones([2]), tf.float32)


def test_files_name_no_dtype_that_an_attribute_cannot_be() -> None:
    graph = tf.Graph()
    with graph.as_default():
        RAW.Unique(x=[1], name="unique")
    proto = graph.as_graph_def()
    proto.node[-1].attr["out_idx"].type = tf.float32.as_datatype_enum

    with (
        tf.Graph().as_default(),
        pytest.raises(tf.errors.InvalidArgumentError, match="out_idx=float32"),
    ):
        tf.import_graph_def(proto)


def test_what_is_missing_has_its_reason() -> None:
    """After a change on purpose: `python -m tests.api.record_raw_ops`, beside TensorFlow."""
    missing = {name for names in json.loads(MISSING.read_text()).values() for name in names}

    assert missing.isdisjoint(TENSORFLOW)
    assert 1462 == len(missing) + len(TENSORFLOW)


def test_no_operation_is_there_that_tensorflow_has_not() -> None:
    """Those of the compiler's own believe what they are given."""
    missing = {name for names in json.loads(MISSING.read_text()).values() for name in names}

    assert [] == sorted({*dir(RAW)} - {*TENSORFLOW} - missing)
    assert "PackSpans" in REGISTRY
    with pytest.raises(AttributeError, match="no attribute 'PackSpans'"):
        _ = RAW.PackSpans


def test_files_name_no_operation_that_only_compiled_code_has() -> None:
    graph = tf.Graph()
    with graph.as_default():
        places, letters = tf.zeros([1], tf.int64), tf.zeros([1], tf.uint8)
    proto = graph.as_graph_def()
    inputs = [places.op.name, places.op.name, letters.op.name]
    proto.node.add(name="packed", op="PackSpans", input=inputs)

    with (
        tf.Graph().as_default(),
        pytest.raises(tf.errors.UnimplementedError, match=r"no operation.* 'PackSpans'"),
    ):
        tf.graph_util.import_graph_def(proto, return_elements=["packed:0"])
    with pytest.raises(tf.errors.UnimplementedError, match="no operation 'PackSpans'"):
        graph.create_op("PackSpans", [places, places, letters], [tf.int64, tf.int64, tf.uint8])


def test_what_is_missing_is_told_why_and_what_to_use() -> None:
    missing = [name for names in json.loads(MISSING.read_text()).values() for name in names]
    missing = [name for name in missing if name not in REGISTRY]

    assert [] == [name for name in missing if not absence(name) or hasattr(RAW, name)]
    assert [] == [name for name in TENSORFLOW if absence(name)]
    with pytest.raises(AttributeError, match=r"no attribute 'RecordInput': .*TFRecordDataset"):
        _ = RAW.RecordInput
    assert "" == absence("Absent") == absence("MySwitch")


def test_files_with_what_is_missing_are_told_the_same() -> None:
    proto = tf.compat.v1.GraphDef()
    proto.node.add(name="size", op="ReaderSerializeState")

    unimplemented = pytest.raises(
        tf.errors.UnimplementedError, match=r"'ReaderSerializeState': .*tf.train.Checkpoint"
    )
    with tf.Graph().as_default(), unimplemented:
        tf.graph_util.import_graph_def(proto, return_elements=["size:0"])


def test_every_name_is_that_of_its_operation() -> None:
    assert dir(RAW) == [getattr(RAW, name).__name__ for name in dir(RAW)]


def test_axes_are_called_axes() -> None:
    x = [[1, 2], [3, 4]]

    assert [4, 6] == RAW.Sum(input=x, axis=0).numpy().tolist()
    assert [True] == RAW.Any(input=[[True, False]], axis=[1]).numpy().tolist()
    assert [[1], [3]] == RAW.Split(axis=1, value=x, num_split=2)[0].numpy().tolist()
    assert [[1, 2]] == RAW.ExpandDims(input=[1, 2], axis=0).numpy().tolist()
    assert [1, 2] == RAW.Squeeze(input=[[1, 2]], axis=[0]).numpy().tolist()
    assert [[1]] == RAW.Where(condition=[False, True]).numpy().tolist()
    with pytest.raises(TypeError, match=r"no argument .'reduction_indices'"):
        RAW.Sum(input=x, axis=0, reduction_indices=0)


def test_arguments_are_keywords() -> None:
    kinds = {one.kind for one in inspect.signature(RAW.AddV2).parameters.values()}

    assert {inspect.Parameter.KEYWORD_ONLY} == kinds


def test_dtypes_of_inputs_are_not_taken() -> None:
    handle = tf.Variable([1.0]).handle

    with pytest.raises(TypeError, match=r"no argument .'dtype'"):
        RAW.AssignAddVariableOp(resource=handle, value=[1.0], dtype=tf.float32)


def test_scalars_of_numpy_keep_their_dtypes() -> None:
    numbers = RAW.Range(start=np.int64(0), limit=np.int64(3), delta=np.int64(1))
    rows = RAW.RaggedRange(starts=np.float32(1), limits=np.float32(3), deltas=np.float32(1))

    assert tf.int64 == numbers.dtype
    assert tf.float32 == rows.rt_dense_values.dtype
    assert tf.complex128 == RAW.Conj(input=np.complex128(1)).dtype
    assert tf.float64 == RAW.LeakyRelu(features=np.float64(1)).dtype


def test_other_names_of_what_gives_nothing_are_traced() -> None:
    queue = RAW.FIFOQueueV2(component_types=[tf.float32])

    @tf.function
    def run() -> Any:
        RAW.QueueEnqueue(handle=queue, components=[tf.constant(1.0)])
        RAW.QueueClose(handle=queue)
        return RAW.QueueIsClosed(handle=queue), RAW.QueueSize(handle=queue)

    assert [True, 1] == [one.numpy() for one in run()]


def test_several_results_have_names() -> None:
    found = RAW.Svd(input=[[2.0, 0.0], [0.0, 1.0]])
    parts = RAW.SparseSplit(split_dim=0, indices=[[0], [3]], values=[5, 7], shape=[4], num_split=2)

    assert [2.0, 1.0] == found.s.numpy().tolist()
    assert ("s", "u", "v") == found._fields
    assert [[5], [7]] == [one.numpy().tolist() for one in parts.output_values]
    assert isinstance(RAW.ShapeN(input=[[1], [2]]), list)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_operations_take_functions(compiled: bool) -> None:
    specs = [tf.TensorSpec([], tf.int32), tf.TensorSpec([])]
    cond = tf.function(lambda k, x: k < 5, input_signature=specs)
    body = tf.function(lambda k, x: (k + 1, x * 2.0), input_signature=specs)

    def run(k: Any, x: Any) -> Any:
        functions = {"cond": cond.get_concrete_function(), "body": body}
        loops = [
            RAW.While(input=[k, x], **functions),
            RAW.StatelessWhile(input=[k, x], **functions),
        ]
        types = [tf.int32, tf.float32]
        called = RAW.PartitionedCall(args=[k, x], Tout=types, f=body)
        branch = RAW.StatelessIf(
            cond=k > 0, input=[k, x], Tout=types, then_branch=body, else_branch=body
        )
        return *loops, called, branch

    found = (tf.function(run) if compiled else run)(tf.constant(0), tf.constant(1.0))
    assert [[5, 32.0], [5, 32.0], [1, 2.0], [1, 2.0]] == [
        [float(one) for one in results] for results in found
    ]
    with pytest.raises(TypeError, match="PartitionedCall needs the keyword argument 'Tout'"):
        RAW.PartitionedCall(args=[1, 2.0], f=body)


def passed(dataset: Any, count: int, **said: Any) -> list[Any]:
    """Every element of a dataset of one component."""
    iterator = RAW.AnonymousIteratorV3(**said)
    RAW.MakeIterator(dataset=dataset, iterator=iterator)
    found = [RAW.IteratorGetNext(iterator=iterator, **said)[0] for _ in range(count)]
    with pytest.raises(tf.errors.OutOfRangeError):
        RAW.IteratorGetNext(iterator=iterator, **said)
    return [one.numpy().tolist() for one in found]


def test_datasets_are_made_of_operations() -> None:
    said: dict[str, Any] = {"output_types": [tf.int64], "output_shapes": [[]]}
    spec = tf.TensorSpec([], tf.int64)
    double = tf.function(lambda x: x * 2).get_concrete_function(spec)
    large = tf.function(lambda x: x > 3).get_concrete_function(spec)
    added = tf.function(lambda s, x: s + x).get_concrete_function(spec, spec)

    def dataset(stop: Any) -> Any:
        numbers = RAW.RangeDataset(start=0, stop=stop, step=3, metadata="", **said)
        return RAW.MapDataset(
            input_dataset=numbers, other_arguments=[], f=double, preserve_cardinality=True, **said
        )

    def total(stop: Any) -> Any:
        (found,) = RAW.ReduceDataset(
            input_dataset=dataset(stop), initial_state=[np.int64(5)], other_arguments=[], f=added,
            **said,
        )  # fmt: skip
        return found, RAW.DatasetCardinality(input_dataset=dataset(stop))

    ten = tf.constant(10, tf.int64)
    some = RAW.FilterDataset(input_dataset=dataset(10), other_arguments=[], predicate=large, **said)
    rows = RAW.BatchDatasetV2(
        input_dataset=some, batch_size=2, drop_remainder=False, output_types=[tf.int64],
        output_shapes=[[None]],
    )  # fmt: skip
    assert [0, 6, 12, 18] == passed(dataset(10), 4, **said)
    assert [[6, 12], [18]] == passed(rows, 2, output_types=[tf.int64], output_shapes=[[None]])
    assert [41, 4] == [int(one) for one in total(ten)]
    assert [41, 4] == [int(one) for one in tf.function(total)(ten)]
    with pytest.raises(TypeError, match="RangeDataset needs the keyword argument 'output_types'"):
        RAW.RangeDataset(start=0, stop=1, step=1)


@pytest.mark.parametrize(("preserved", "counted"), [(False, -2), (True, 4)])
def test_functions_may_end_datasets_unless_they_preserve_the_count(
    preserved: bool, counted: int
) -> None:
    said: dict[str, Any] = {"output_types": [tf.int64], "output_shapes": [[]]}
    numbers = RAW.RangeDataset(start=0, stop=4, step=1, **said)
    spec = tf.TensorSpec([], tf.int64)
    same = tf.function(lambda x: x).get_concrete_function(spec)
    given: dict[str, Any] = {"input_dataset": numbers, "other_arguments": [], **said}
    given |= {"preserve_cardinality": preserved}
    mapped = RAW.MapDataset(f=same, **given)
    ahead = RAW.ParallelMapDatasetV2(f=same, num_parallel_calls=2, **given)
    scan = tf.function(lambda s, x: (s, x)).get_concrete_function(spec, spec)
    scanned = RAW.ScanDataset(f=scan, initial_state=[np.int64(0)], **given)

    counts = [RAW.DatasetCardinality(input_dataset=one) for one in (mapped, ahead, scanned)]
    assert [counted] * 3 == [int(one) for one in counts]


def test_attributes_are_lists_and_dtypes_of_numpy() -> None:
    parsed = RAW.ParseExample(
        serialized=[b""], names=[], sparse_keys=[], dense_keys=["a"], dense_defaults=[[1.0]],
        sparse_types=[], dense_shapes=[[1]],
    )  # fmt: skip

    assert [[1.0]] == parsed.dense_values[0].numpy().tolist()
    assert [[], [], []] == [parsed.sparse_indices, parsed.sparse_values, parsed.sparse_shapes]
    assert [1, 2] == RAW.EnsureShape(input=[1, 2], shape=[None]).numpy().tolist()
    assert (
        tf.float64 == RAW.Cast(x=[1], DstT=np.float64).dtype == RAW.Cast(x=1, DstT="double").dtype
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[2\] is not compatible .* \(3,\)"):
        RAW.EnsureShape(input=[1, 2], shape=[3])


def test_graphs_of_tensorflow_one_add_numbers() -> None:
    proto = tf.compat.v1.GraphDef()
    for name in "ab":
        proto.node.add(name=name, op="Placeholder").attr["dtype"].type = 1
    proto.node.add(name="sum", op="Add", input=["a", "b"]).attr["T"].type = 1

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        a, b, total = tf.graph_util.import_graph_def(proto, return_elements=["a:0", "b:0", "sum:0"])
        assert [3.0, 4.0] == session.run(total, {a: 1.0, b: [2.0, 3.0]}).tolist()
