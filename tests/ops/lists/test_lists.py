"""Lists of tensors: values that never change, and operations that know their specs."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.core.shapes import TensorShape
from tensormill.core.specs import Known, ListSpec, TensorSpec
from tensormill.ops.bind import bind
from tensormill.ops.lists import list_elements, whole_lists
from tensormill.ops.lists.list_value import ListValue
from tensormill.ops.op import REGISTRY, specs_of

VECTORS = ListSpec(TensorSpec([2]))
INDEX = TensorSpec((), tf.int32)


def vectors(*rows: Any) -> ListValue:
    items = [None if row is None else np.array(row, np.float32) for row in rows]
    return ListValue(tf.float32, TensorShape([2]), items)


def inferred(name: str, *operands: Any, **attrs: Any) -> Any:
    known = [one if isinstance(one, Known) else Known(one) for one in operands]
    specs = specs_of(REGISTRY[name], tuple(known), attrs)
    return specs[0] if len(specs) == 1 else specs


def test_a_change_gives_another_list() -> None:
    before = vectors([1, 2], None)
    after = before.set(1, np.array([3, 4], np.float32))

    assert before.items[1] is None
    assert after.get(1, TensorShape(None)).tolist() == [3.0, 4.0]
    assert after.items[0] is before.items[0]


def test_a_list_grows_to_the_place_that_is_written() -> None:
    row = np.array([3, 4], np.float32)

    assert [None, None, row.tolist()] == [
        one if one is None else one.tolist() for one in vectors(None).set(2, row).items
    ]


def test_what_was_never_written_is_zeros_of_a_known_shape() -> None:
    assert vectors(None).get(0, TensorShape(None)).tolist() == [0.0, 0.0]
    unknown = ListValue(tf.float32, TensorShape(None), [None, None])
    assert unknown.get(0, TensorShape([3])).tolist() == [0.0, 0.0, 0.0]
    written = unknown.set(1, np.zeros(4, np.float32))
    assert written.get(0, TensorShape(None)).shape == (4,)
    with pytest.raises(ValueError, match="only contains uninitialized tensors"):
        unknown.get(0, TensorShape(None))


raw = tf.raw_ops


def reserved(shape: Any, dtype: Any = tf.float32) -> Any:
    """A list of two elements, as operations of lists take it."""
    return raw.TensorListReserve(
        element_shape=tf.constant(shape, tf.int32), num_elements=2, element_dtype=dtype
    )


def stacked(items: Any, dtype: Any = tf.float32) -> Any:
    return raw.TensorListStack(input_handle=items, element_shape=-1, element_dtype=dtype)


REFUSED: dict[str, tuple[Any, Any, Any, str]] = {
    "a dtype": (
        lambda x: raw.TensorListSetItem(input_handle=reserved([2], tf.int32), index=0, item=x),
        np.zeros(2, np.float32),
        TypeError,
        "TensorArray dtype is int32 but Op is trying to write dtype float32",
    ),
    "a size": (
        lambda x: stacked(raw.TensorListSetItem(input_handle=reserved([-1, 2]), index=0, item=x)),
        np.zeros((2, 3), np.float32),
        ValueError,
        r"Incompatible shape for value \(2, 3\), expected \(None, 2\)",
    ),
    "a size at the end": (
        lambda x: stacked(raw.TensorListPushBack(input_handle=reserved([-1, 2]), tensor=x)),
        np.zeros((1, 3), np.float32),
        ValueError,
        r"Incompatible shape for value \(1, 3\), expected \(None, 2\)",
    ),
    "a place to write": (
        lambda k: stacked(
            raw.TensorListSetItem(input_handle=reserved([1]), index=k, item=tf.ones(1))
        ),
        np.int32(2),
        IndexError,
        "Tried to write to index 2 but array is not resizeable and size is: 2",
    ),
    "a place to read": (
        lambda k: raw.TensorListGetItem(
            input_handle=reserved([1]), index=k, element_shape=[1], element_dtype=tf.float32
        ),
        np.int32(-1),
        IndexError,
        r"Tried to read from index -1 .* access element -1 in a list with 2 elements",
    ),
    "places": (
        lambda k: raw.TensorListGather(
            input_handle=reserved([1]), indices=k, element_shape=[1], element_dtype=tf.float32
        ),
        np.array([1, 0, 3, 4], np.int32),
        IndexError,
        r"Tried to read from index 3 but array size is: 2 \(Trying to access element 3 in a list "
        "with 2 elements",
    ),
    "rows": (
        lambda k: stacked(
            raw.TensorListScatterIntoExistingList(
                input_handle=reserved([]), tensor=tf.ones(3), indices=k
            )
        ),
        np.array([0, 1], np.int32),
        ValueError,
        "Invalid number of rows in input tensor: 3 for 2 indices",
    ),
    "a scattered place": (
        lambda k: stacked(
            raw.TensorListScatterIntoExistingList(
                input_handle=reserved([]), tensor=tf.ones(2), indices=k
            )
        ),
        np.array([0, -1], np.int32),
        IndexError,
        "Tried to write to index -1",
    ),
    "the end of nothing": (
        lambda n: raw.TensorListPopBack(
            input_handle=raw.TensorListResize(input_handle=reserved([1]), size=n),
            element_shape=[1],
            element_dtype=tf.float32,
        )[1],
        np.int32(0),
        IndexError,
        "Trying to pop from an empty list",
    ),
    "a shape": (
        lambda shape: raw.TensorListGetItem(
            input_handle=reserved([1]), index=0, element_shape=shape, element_dtype=tf.float32
        ),
        np.array([[1]], np.int32),
        ValueError,
        "must be at most rank 1, and is of rank 2",
    ),
}


@pytest.mark.sampled
@pytest.mark.parametrize("known", ["all", "the rank", "nothing"])
@pytest.mark.parametrize("name", REFUSED)
def test_lists_refuse_alike_eagerly_and_compiled(name: str, known: str) -> None:
    body, operand, error, words = REFUSED[name]
    array = np.asarray(operand)
    shapes = {"all": array.shape, "the rank": [None] * array.ndim, "nothing": None}
    spec = tf.TensorSpec(shapes[known], tf.as_dtype(array.dtype))

    for run in (body, tf.function(body), tf.function(body, input_signature=[spec])):
        with pytest.raises(error, match=words):
            run(tf.constant(array))


def test_lists_add_up_where_something_was_written() -> None:
    total = vectors([1, 2], None).add(vectors([10, 20], [30, 40], None))
    assert [[11.0, 22.0], [30.0, 40.0], None] == [
        one if one is None else one.tolist() for one in total.items
    ]


LENGTHS = TensorSpec([3], tf.int64)
LENGTHS_OF_THREES = Known(TensorSpec([2], tf.int32), np.array([4, 3], np.int32))


def test_elements_of_different_lengths_are_joined() -> None:
    ragged = ListValue(
        tf.float32, TensorShape([None]), [np.ones(1, np.float32), None, np.ones(2, np.float32)]
    )
    values, lengths = ragged.concat(TensorShape(None), [1, 3, 2])
    assert [1.0, 0.0, 0.0, 0.0, 1.0, 1.0] == values.tolist()
    assert [1, 3, 2] == lengths.tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="all elements have the same shape"):
        ragged.with_items([ragged.items[0], ragged.items[2]]).stack(TensorShape(None))


@pytest.mark.parametrize("lengths", [[1, 2], [2, 1], [1, 1, 1], [0, 3], [3]])
@pytest.mark.parametrize("stated", [[1, 2], [2, 2], [None, 2]])
@pytest.mark.parametrize("known", [True, False])
def test_pieces_are_as_long_as_lengths_say(
    lengths: list[int], stated: list[int | None], known: bool
) -> None:
    rows = tf.reshape(tf.range(6.0), [3, 2])

    @tf.function
    def parted(given: Any) -> Any:
        items = tf.TensorArray(tf.float32, size=len(lengths), element_shape=stated)
        return items.split(rows, lengths if known else given).concat()

    np.testing.assert_array_equal(rows, parted(tf.constant(lengths)))


@pytest.mark.parametrize("reader", ["concat", "read", "stack"])
@pytest.mark.parametrize("mode", ["eager", "reference", "native"])
def test_what_was_not_written_has_no_shape_where_others_have_several(
    reader: str, mode: str
) -> None:
    def function(x: Any) -> Any:
        items = tf.TensorArray(tf.float32, size=3, infer_shape=False)
        items = items.write(1, x).write(2, x[:1])
        return {"concat": items.concat, "stack": items.stack, "read": lambda: items.read(0)}[
            reader
        ]()

    run = function if mode == "eager" else tf.function(function, autograph=False)
    backend = nullcontext() if mode != "reference" else backends.using("reference")
    with backend, pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.constant([1.0, 2.0]))


def test_scalars_cannot_be_joined() -> None:
    scalars = ListValue(tf.float32, TensorShape([]), [np.array(1.0, np.float32)])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Concat saw a scalar shape at index 0"
    ):
        scalars.concat(TensorShape(None), [])


@pytest.mark.parametrize(
    ("name", "operands", "attrs", "expected"),
    [
        ("TensorListGetItem", (VECTORS, INDEX, Known(INDEX, np.array(-1, np.int32))), {}, "f32[2]"),
        ("TensorListSetItem", (VECTORS, INDEX, TensorSpec([2])), {}, "list<f32[2]>"),
        ("TensorListPushBack", (VECTORS, TensorSpec([None])), {}, "list<f32[2]>"),
        ("TensorListLength", (VECTORS,), {}, "i32[]"),
        ("TensorListStack", (VECTORS, Known(INDEX, np.array(-1, np.int32))), {}, "f32[?, 2]"),
        ("TensorListFromTensor", (TensorSpec([5, None]), INDEX), {}, "list<f32[?]>"),
        ("TensorListResize", (VECTORS, INDEX), {}, "list<f32[2]>"),
        ("TensorListWithin", (VECTORS, INDEX), {}, "list<f32[2]>"),
        ("TensorListOfRank", (ListSpec(TensorSpec(None)),), {"rank": 2}, "list<f32[?, ?]>"),
        ("TensorListAdd", (VECTORS, ListSpec(TensorSpec(None))), {}, "list<f32[2]>"),
        (
            "TensorListSplit",
            (TensorSpec([6, 3]), INDEX, TensorSpec([2], tf.int64)),
            {},
            "list<f32[?, 3]>",
        ),
        (
            "TensorListSplit",
            (TensorSpec([6, None]), LENGTHS_OF_THREES, TensorSpec([2], tf.int64)),
            {},
            "list<f32[?, 3]>",
        ),
        (
            "TensorListSplit",
            (TensorSpec([6, None]), LENGTHS_OF_THREES, Known(LENGTHS, np.array([2, 2, 2]))),
            {},
            "list<f32[2, 3]>",
        ),
    ],
)
def test_specs_are_inferred(name: str, operands: Any, attrs: Any, expected: str) -> None:
    op = REGISTRY[name]
    if any(field.name == "element_dtype" for field in op.attrs):
        attrs = {"element_dtype": tf.float32}
    assert expected == inferred(name, *operands, **attrs).short


@pytest.mark.parametrize(
    ("name", "operands", "error", "words"),
    [
        ("TensorListSetItem", (VECTORS, INDEX, TensorSpec([3])), ValueError, "Incompatible shape"),
        ("TensorListPushBack", (VECTORS, TensorSpec([2], tf.int32)), TypeError, "dtype int32"),
        ("TensorListLength", (INDEX,), TypeError, "a list of tensors is wanted"),
        ("TensorListFromTensor", (TensorSpec([]), INDEX), ValueError, "no first axis"),
    ],
)
def test_operands_that_do_not_fit(name: str, operands: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        inferred(name, *operands)


def test_lists_are_tensors_of_dtype_variant() -> None:
    items = list_elements.reserve([2], 3, tf.float32)
    assert (items.dtype, items.shape) == (tf.variant, [])
    assert list_elements.length_of(items).numpy() == 3


@pytest.mark.parametrize("staged", [False, True])
def test_pushing_and_popping(staged: bool) -> None:
    def function(x: Any) -> Any:
        items = bind(list_elements.EmptyTensorList, [2], -1, element_dtype=tf.float32)
        items = list_elements.push_back(list_elements.push_back(items, x), x * 2.0)
        rest, last = list_elements.pop_back(items, tf.float32, [2])
        return last, whole_lists.stack(rest, tf.float32, [2]), list_elements.length_of(items)

    run = tf.function(function) if staged else function
    last, rest, length = run(tf.constant([1.0, 2.0]))
    assert ([2.0, 4.0], [[1.0, 2.0]], 2) == (last.numpy().tolist(), rest.numpy().tolist(), length)


@pytest.mark.parametrize("staged", [False, True])
def test_popping_from_nothing(staged: bool) -> None:
    def function() -> Any:
        items = bind(list_elements.EmptyTensorList, [2], -1, element_dtype=tf.float32)
        return list_elements.pop_back(items, tf.float32, [2])[1]

    with pytest.raises(tf.errors.InvalidArgumentError):
        (tf.function(function) if staged else function)()


def test_adding_to_an_element_is_differentiated_by_both() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.constant([5.0, 6.0])

    def function(x: Any, y: Any) -> Any:
        items = bind(list_elements.TensorListAddItem, whole_lists.from_tensor(x), 1, y)
        twice = bind(list_elements.TensorListAdd, items, items)
        return whole_lists.stack(twice, tf.float32, [2])

    for run in (function, tf.function(function)):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = run(x, y)
        np.testing.assert_array_equal([[2.0, 4.0], [16.0, 20.0]], z)
        found = tape.gradient(z, [x, y])
        np.testing.assert_array_equal([[2.0, 2.0], [2.0, 2.0]], found[0])
        np.testing.assert_array_equal([2.0, 2.0], found[1])


def test_elements_of_unknown_sizes_are_joined() -> None:
    specs = [tf.TensorSpec([None, None])]

    @tf.function(input_signature=specs)
    def joined(x: Any) -> Any:
        array = tf.TensorArray(tf.float32, 2, element_shape=[None, None])
        return array.write(0, x).write(1, x + 1.0).concat()

    assert [[1.0, 2.0], [2.0, 3.0]] == joined(tf.constant([[1.0, 2.0]])).numpy().tolist()


def test_the_shape_of_elements_is_no_matrix() -> None:
    def length(shape: Any) -> Any:
        made = tf.raw_ops.TensorListReserve(
            element_shape=shape, num_elements=2, element_dtype=tf.float32
        )
        return tf.raw_ops.TensorListLength(input_handle=made)

    assert 2 == int(length([3])) == int(tf.function(length)(tf.constant([3])))
    for call in (length, tf.function(length)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be at most rank 1"):
            call(tf.constant([[3]]))


@pytest.mark.parametrize("shape", [[-1, 3], [-1, -1], [2, 3]])
def test_a_shape_that_only_a_run_knows_may_be_open(shape: list[int]) -> None:
    raw = tf.raw_ops
    specs = [tf.TensorSpec([2], tf.int32), tf.TensorSpec([None, 3])]

    def read(shape: Any, x: Any) -> Any:
        made = raw.TensorListReserve(element_shape=shape, num_elements=2, element_dtype=tf.float32)
        made = raw.TensorListSetItem(input_handle=made, index=1, item=x)
        kind = {"input_handle": made, "element_shape": shape, "element_dtype": tf.float32}
        return raw.TensorListStack(**kind), raw.TensorListGetItem(index=0, **kind)

    for run in (read, tf.function(read, input_signature=specs)):
        stacked, first = run(tf.constant(shape), tf.ones([2, 3]))

        np.testing.assert_array_equal([np.zeros((2, 3)), np.ones((2, 3))], stacked)
        np.testing.assert_array_equal(np.zeros((2, 3)), first)


def test_lists_without_any_shape_cannot_be_stacked() -> None:
    @tf.function(input_signature=[tf.TensorSpec([2], tf.int32)])
    def stacked(shape: Any) -> Any:
        made = tf.raw_ops.TensorListReserve(
            element_shape=shape, num_elements=2, element_dtype=tf.float32
        )
        return tf.raw_ops.TensorListStack(
            input_handle=made, element_shape=shape, element_dtype=tf.float32
        )

    assert [2, 1, 3] == stacked([1, 3]).shape
    with pytest.raises(tf.errors.InvalidArgumentError, match="only contains uninitialized"):
        stacked([-1, 3])


def test_the_shape_of_elements_is_what_was_said_where_the_list_was_made() -> None:
    def said(items: Any) -> Any:
        return tf.raw_ops.TensorListElementShape(input_handle=items, shape_type=tf.int64)

    def shapes(x: Any) -> Any:
        rows = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=[-1, 3])
        some = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=-1)
        made = tf.raw_ops.TensorListReserve(
            element_shape=tf.shape(x), num_elements=1, element_dtype=tf.float32
        )
        filled = tf.raw_ops.TensorListSetItem(input_handle=made, index=0, item=x)
        return said(rows), said(some), said(tf.identity(filled))

    some_sizes = [tf.TensorSpec([None, None, 3])]
    for function in (shapes, tf.function(shapes), tf.function(shapes, input_signature=some_sizes)):
        found = function(tf.ones([4, 2, 3]))

        assert [[-1, 3], -1, [4, 2, 3]] == [one.numpy().tolist() for one in found]
