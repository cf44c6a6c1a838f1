"""What Python and NumPy ask of an eager tensor."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import tensormill as tf

EXPERIMENTAL = tf.dtypes.experimental
T = tf.constant


@pytest.mark.parametrize(
    ("expected", "tensor"),
    [
        ("shape=(), dtype=int32, numpy=1", T(1)),
        ("shape=(), dtype=float32, numpy=0.10000000149011612", T(0.1)),
        ("shape=(), dtype=string, numpy=b'a'", T("a")),
        ("shape=(), dtype=bool, numpy=True", T(True)),
        ("shape=(), dtype=complex128, numpy=1j", T(1j)),
        ("shape=(), dtype=bfloat16, numpy=1.0", T(1, tf.bfloat16)),
        ("shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)", T([1, 2])),
        (
            "shape=(2, 2), dtype=int32, numpy=\narray([[1, 2],\n       [3, 4]], dtype=int32)",
            T([[1, 2], [3, 4]]),
        ),
        ("shape=(2,), dtype=string, numpy=array([b'a', b'b'], dtype=object)", T(["a", "b"])),
        ("shape=(0,), dtype=float32, numpy=array([], dtype=float32)", T([])),
    ],
)
def test_repr_shows_shape_dtype_and_value(expected: str, tensor: Any) -> None:
    assert f"<tf.Tensor: {expected}>" == repr(tensor)


@pytest.mark.parametrize(
    ("expected", "tensor"),
    [
        ("tf.Tensor(1.5, shape=(), dtype=float32)", T(1.5)),
        ("tf.Tensor([1 2], shape=(2,), dtype=int32)", T([1, 2])),
        ("tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)", T([[1, 2], [3, 4]])),
        ("tf.Tensor(b'a', shape=(), dtype=string)", T("a")),
    ],
)
def test_str_shows_the_value_first(expected: str, tensor: Any) -> None:
    assert expected == str(tensor)


def test_format_formats_the_value() -> None:
    assert "1.50 1 [1 2] b'a'" == f"{T(1.5):.2f} {T(1)} {T([1, 2])} {T('a')}"


@pytest.mark.parametrize(
    ("expected", "tensor"),
    [(True, T([[3]])), (False, T([0.0])), (False, T([])), (False, T("")), (True, T("a"))],
)
def test_one_element_has_a_truth_value(expected: bool, tensor: Any) -> None:
    assert expected is bool(tensor)


def test_several_elements_have_no_truth_value() -> None:
    with pytest.raises(ValueError, match=r"truth value .* ambiguous"):
        bool(T([1, 2]))


def test_scalars_are_numbers() -> None:
    assert (1, 3, 1.5, 1.5 + 0j) == (int(T(1.9)), int(T("3")), float(T(1.5)), complex(T(1.5)))
    assert "c" == "abc"[T(2)]
    assert [0, 1] == list(range(T(2)))


@pytest.mark.parametrize("convert", [int, float, complex])
def test_only_scalars_are_numbers(convert: Any) -> None:
    with pytest.raises(TypeError, match="only 0-dimensional arrays"):
        convert(T([1]))


@pytest.mark.parametrize("tensor", [T(1.5), T(True), T([1])])
def test_only_integer_scalars_are_indices(tensor: Any) -> None:
    with pytest.raises(TypeError, match="only integer scalar"):
        tensor.__index__()


def test_length_and_iteration_are_of_the_first_axis() -> None:
    vector = T([3, 1, 2])

    assert 3 == len(vector)
    assert ([3, 1, 2], [2, 1, 3]) == ([int(x) for x in vector], [int(x) for x in reversed(vector)])
    assert (6, 3) == (int(sum(vector)), int(max(vector)))
    assert [1, 2, 3] == [int(x) for x in sorted(vector)]
    assert 1 in vector


def test_scalars_have_no_length_and_no_elements() -> None:
    with pytest.raises(TypeError, match="Scalar tensor has no"):
        len(T(1))
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(T(1))


def test_a_tensor_is_no_key_but_its_reference_is() -> None:
    tensor = T(1)

    with pytest.raises(TypeError, match=r"unhashable. Instead, use tensor.ref\(\)"):
        hash(tensor)
    assert "found" == {tensor.ref(): "found"}[tensor.ref()]
    assert tensor.ref() != T(1).ref()
    assert tensor.ref().deref() is tensor


def test_copies_are_the_tensor_itself_and_pickles_equal_it() -> None:
    tensor = T([1.0, 2.0])

    assert copy.copy(tensor) is tensor
    assert copy.deepcopy(tensor) is tensor
    assert [1, 2] == pickle.loads(pickle.dumps(tensor)).numpy().tolist()


def test_numpy_gives_a_copy() -> None:
    tensor = T([1, 2])
    tensor.numpy()[0] = 9

    assert [1, 2] == tensor.numpy().tolist()
    assert np.int32 is type(T(1).numpy())
    assert b"a" == T("a").numpy()


def test_numpy_sees_the_memory_itself_but_cannot_write() -> None:
    tensor = T([1, 2])
    view = np.asarray(tensor)

    assert not view.flags.writeable
    assert np.shares_memory(view, np.asarray(tensor))
    assert np.array(tensor).flags.writeable
    assert np.float64 == np.asarray(tensor, np.float64).dtype


@pytest.mark.parametrize("attribute", ["__array_struct__", "__array_interface__"])
def test_numpy_finds_a_description_of_the_memory(attribute: str) -> None:
    class Described:
        """Has nothing but that description."""

        def __init__(self, tensor: Any) -> None:
            setattr(type(self), attribute, getattr(tensor, attribute))

    tensor = tf.constant([[1.5, 2.5]], tf.float64)
    seen = np.asarray(Described(tensor))

    np.testing.assert_array_equal(tensor.numpy(), seen)
    assert np.shares_memory(seen, np.asarray(tensor))
    assert not seen.flags.writeable
    assert not hasattr(tf.constant("text"), attribute)
    assert not hasattr(tf.constant(1, tf.bfloat16), attribute)


def test_numpy_takes_no_floats_where_it_wants_indices() -> None:
    for floats in (T([1.7]), T(1.7)):
        with pytest.raises(TypeError, match="according to the rule"):
            np.take(np.arange(3), floats)
    assert [2, 1] == np.take(np.arange(3), T([2, 1])).tolist()
    kinds = (tf.bfloat16, EXPERIMENTAL.float8_e5m2, EXPERIMENTAL.int4, tf.string)
    found = [np.asarray(tf.constant(["1"] if one is tf.string else [1], one)) for one in kinds]
    assert ["bfloat16", "float8_e5m2", "int4", "object"] == [str(one.dtype) for one in found]


def test_numpy_functions_give_arrays_but_operators_give_tensors() -> None:
    assert isinstance(np.add(T([1]), T([2])), np.ndarray)
    assert isinstance(np.array([1]) + T([2]), tf.Tensor)


def test_dlpack_shares_the_memory_with_who_knows_that_memory_can_be_read_only() -> None:
    tensor = T([1.0, 2.0])
    shared = np.from_dlpack(tensor)

    assert [1, 2] == shared.tolist()
    assert not shared.flags.writeable
    assert tensor.__dlpack__() is not None  # for who does not: a copy
    assert (1, 0) == tensor.__dlpack_device__()


@pytest.mark.parametrize("name", ["name", "op", "graph", "value_index"])
def test_what_belongs_to_graphs_is_undefined(name: str) -> None:
    with pytest.raises(AttributeError, match="undefined when eager execution is enabled"):
        getattr(T(1), name)


def test_missing_attributes_point_to_their_replacement() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'astype'.*x.numpy\(\).astype"):
        T(1).astype  # noqa: B018
    with pytest.raises(AttributeError, match="object has no attribute 'foo'"):
        T(1).foo  # noqa: B018
    with pytest.raises(NotImplementedError, match="numpy"):
        T(1).eval()


def test_a_tensor_knows_its_shape_and_place() -> None:
    tensor = T([[1, 2]])

    assert ([1, 2], 2, 2) == (tensor.shape.as_list(), tensor.ndim, tensor.shape.rank)
    assert tensor.device.endswith("device:CPU:0")
    tensor.set_shape([None, 2])
    with pytest.raises(ValueError, match="not compatible with supplied shape"):
        tensor.set_shape([3])


def test_nothing_can_be_assigned_to_elements() -> None:
    tensor = T([1])
    with pytest.raises(TypeError, match="does not support item assignment"):
        tensor[0] = 1
    with pytest.raises(TypeError, match="does not support item deletion"):
        del tensor[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("assign_add", "only a tf.Variable can be changed"),
        ("append", r"use tf\.concat"),
        ("reshape", r"use x\.numpy\(\)\.reshape"),
    ],
)
def test_what_a_tensor_has_not_is_told_who_has_it(name: str, words: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; .*{words}"):
        getattr(tf.constant([1, 2]), name)


@pytest.mark.parametrize(
    "convert",
    [lambda x: x.numpy(), np.asarray, float, int, complex, bool, lambda x: [1, 2][x]],
)
def test_what_is_no_array_has_no_value(convert: Any) -> None:
    items = tf.raw_ops.EmptyTensorList(
        element_shape=tf.constant([], tf.int32), max_num_elements=0, element_dtype=tf.float32
    )
    for handle in (tf.Variable(1.0).handle, items):
        with pytest.raises(tf.errors.InvalidArgumentError, match="tensor has no value"):
            convert(handle)


@pytest.mark.parametrize("value", [1.5, [1, 2], "a", ["a", "b"], True])
def test_libraries_ask_for_the_value_by_another_name(value: Any) -> None:
    x: Any = tf.constant(value)

    found = x._numpy()

    assert type(x.numpy()) is type(found)
    assert np.asarray(x.numpy()).tolist() == np.asarray(found).tolist()
