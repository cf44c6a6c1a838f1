"""What tensors print and do as Python objects: statements T17 to T28, but for T26."""

from __future__ import annotations

import copy
import gc
import math
import operator
import pickle
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

T = tf.constant


def symbolic(shape: Any, dtype: Any, show: Any) -> Any:
    """What `show` gives for a parameter `x` of a function that is being traced."""
    shown = []

    @tf.function(input_signature=[tf.TensorSpec(shape, dtype)], autograph=False)
    def f(x: Any) -> None:
        shown.append(show(x))

    f.get_concrete_function()
    return shown[0]


@behaviour("T17")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, 2], "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>"),
        (1, "<tf.Tensor: shape=(), dtype=int32, numpy=1>"),
        (1.5, "<tf.Tensor: shape=(), dtype=float32, numpy=1.5>"),
        (True, "<tf.Tensor: shape=(), dtype=bool, numpy=True>"),
        ("a", "<tf.Tensor: shape=(), dtype=string, numpy=b'a'>"),
        (["a"], "<tf.Tensor: shape=(1,), dtype=string, numpy=array([b'a'], dtype=object)>"),
        ([[1.0]], "<tf.Tensor: shape=(1, 1), dtype=float32, numpy=array([[1.]], dtype=float32)>"),
        (
            [[1, 2], [3, 4]],
            "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\n"
            "array([[1, 2],\n       [3, 4]], dtype=int32)>",
        ),
    ],
)
def test_the_repr_of_an_eager_tensor(value: Any, text: str):
    assert repr(T(value)) == text


@behaviour("T17")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, 2], "tf.Tensor([1 2], shape=(2,), dtype=int32)"),
        (1.5, "tf.Tensor(1.5, shape=(), dtype=float32)"),
        ("a", "tf.Tensor(b'a', shape=(), dtype=string)"),
        ([[1, 2], [3, 4]], "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"),
    ],
)
def test_the_text_of_an_eager_tensor(value: Any, text: str):
    assert str(T(value)) == text
    assert "%s" % T(value) == text  # noqa: UP031


@behaviour("T17")
def test_the_texts_of_a_symbolic_tensor():
    assert symbolic([2], tf.int32, repr) == "<tf.Tensor 'x:0' shape=(2,) dtype=int32>"
    assert symbolic([2], tf.int32, str) == 'Tensor("x:0", shape=(2,), dtype=int32)'
    assert symbolic([None, 2], tf.float32, str) == 'Tensor("x:0", shape=(None, 2), dtype=float32)'
    assert symbolic(None, tf.int32, repr) == "<tf.Tensor 'x:0' shape=<unknown> dtype=int32>"
    assert symbolic(None, tf.int32, str) == 'Tensor("x:0", dtype=int32)'


@behaviour("T17")
def test_scalars_are_formatted_as_numbers():
    assert f"{T(1.5):.2f}" == "1.50"
    assert f"{T(1)}" == "1"
    assert f"{T(7):03d}" == "007"


@behaviour("T18")
def test_the_texts_of_specs_shapes_and_dtypes():
    spec = tf.TensorSpec([None, 2], tf.float32)

    assert repr(spec) == "TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)"
    assert repr(tf.TensorShape([1, None])) == "TensorShape([1, None])"
    assert str(tf.TensorShape([1, None])) == "(1, None)"
    assert repr(tf.TensorShape(None)) == "TensorShape(None)"
    assert str(tf.TensorShape(None)) == "<unknown>"
    assert repr(tf.float32) == "tf.float32"
    assert str(tf.float32) == "<dtype: 'float32'>"


@behaviour("T18")
def test_the_texts_of_composite_tensors():
    ragged = tf.ragged.constant([[1], [2, 3]])
    sparse = tf.sparse.from_dense([0, 1])
    slices = tf.IndexedSlices(T([1.0]), T([0]))

    assert repr(ragged) == "<tf.RaggedTensor [[1], [2, 3]]>"
    assert repr(tf.ragged.constant([[1, 2], [3, 4]])) == "<tf.RaggedTensor [[1, 2],\n [3, 4]]>"
    assert repr(tf.ragged.constant([[], []])) == "<tf.RaggedTensor [[], []]>"
    long = repr(tf.ragged.constant([[1.5] * 20, [2.0]]))
    assert long.splitlines()[1:] == ["  1.5, 1.5, 1.5, 1.5, 1.5]" + 50 * " " + ",", " [2.0]]>"]
    assert str(sparse).startswith("SparseTensor(indices=tf.Tensor(")
    assert ", values=tf.Tensor(" in str(sparse)
    assert ", dense_shape=tf.Tensor(" in str(sparse)
    assert str(slices).startswith("IndexedSlices(indices=tf.Tensor([0]")
    assert ", values=tf.Tensor([1.]" in str(slices)


@behaviour("T18")
@differs
def test_the_repr_of_indexed_slices_shows_their_parts():
    assert repr(tf.IndexedSlices(T([1.0]), T([0]))).startswith("IndexedSlices(indices=")


@behaviour("T19")
@pytest.mark.parametrize(
    ("value", "truth"),
    [
        (1, True), (0, False), (0.5, True), ([0], False), ([[2]], True), ("", False), ("a", True),
        ([], False), (False, False), ([[]], False),
    ],
    ids=repr,
)  # fmt: skip
def test_one_element_has_a_truth_value(value: Any, truth: bool):
    assert bool(T(value)) is truth


@behaviour("T19")
def test_several_elements_have_no_truth_value():
    words = "truth value of an array with more than one element is ambiguous"
    with pytest.raises(ValueError, match=words):
        bool(T([1, 2]))


@behaviour("T19")
def test_scalars_become_python_numbers():
    assert [int(T(1.9)), int(T(-1.9)), int(T("3")), int(T(True))] == [1, -1, 3, 1]
    assert [float(T(2)), float(T(1.5)), complex(T(1.5))] == [2.0, 1.5, 1.5 + 0j]
    assert type(int(T(1))) is int


@behaviour("T19")
@pytest.mark.parametrize("kind", [int, float, complex])
def test_vectors_become_no_python_numbers(kind: type):
    with pytest.raises(TypeError, match=r"only 0-dimensional arrays|only length-1 arrays"):
        kind(T([1]))


@behaviour("T19")
def test_integer_scalars_are_indices_of_python():
    assert list(range(T(3))) == [0, 1, 2]
    assert ["a", "b"][T(1)] == "b"
    with pytest.raises((TypeError, AttributeError)):  # there, NumPy's
        range(T(1.0))
    with pytest.raises(TypeError):
        range(T([1, 2]))


@behaviour("T20")
def test_the_first_axis_is_a_sequence():
    x = T([[1, 2], [3, 4]])
    first, second = x

    assert len(x) == 2
    assert [row.numpy().tolist() for row in x] == [[1, 2], [3, 4]]
    assert (first.numpy().tolist(), second.shape) == ([1, 2], [2])
    assert [row.numpy().tolist() for row in reversed(x)] == [[3, 4], [1, 2]]


@behaviour("T20")
def test_functions_of_python_take_vectors():
    x = T([2, 3, 1])

    results: list[Any] = [sum(x), max(x), min(x)]
    assert [one.numpy() for one in results] == [6, 3, 1]
    assert [one.numpy() for one in sorted(x)] == [1, 2, 3]


@behaviour("T20")
def test_a_scalar_is_no_sequence():
    with pytest.raises(TypeError, match=r"Scalar tensor has no `len\(\)`"):
        len(T(1))
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(T(1))


@behaviour("T21")
def test_tensors_are_not_hashable():
    words = r"Tensor is unhashable\. Instead, use tensor\.ref\(\) as the key"
    with pytest.raises(TypeError, match=words):
        hash(T(1))
    with pytest.raises(TypeError, match=words):
        {T(1): 1}


@behaviour("T21")
def test_equality_is_by_element():
    assert (T([1, 2]) == T([1, 3])).numpy().tolist() == [True, False]
    assert (T([1, 2]) != [1, 3]).numpy().tolist() == [False, True]
    assert T(1) in [T(2), T(1)]
    with pytest.raises(ValueError, match="ambiguous"):
        operator.contains([T([2, 1])], T([1, 2]))


@behaviour("T21")
def test_references_are_equal_where_the_tensors_are_the_same():
    x, y = T(1), T(1)

    assert x.ref() == x.ref()
    assert x.ref() != y.ref()
    assert len({x.ref(), x.ref(), y.ref()}) == 2
    assert x.ref().deref() is x


@behaviour("T21")
def test_copies_of_a_tensor():
    x = T([1, 2])
    there_and_back = pickle.loads(pickle.dumps(x))

    assert copy.copy(x) is x
    assert (copy.deepcopy([x])[0] == x).numpy().all()
    assert there_and_back.numpy().tolist() == [1, 2]
    assert there_and_back.dtype == tf.int32


@behaviour("T22")
def test_what_an_eager_tensor_knows_of_itself():
    x = T([[1, 2]])
    device = "/job:localhost/replica:0/task:0/device:CPU:0"

    assert (x.shape, x.dtype, x.ndim, x.get_shape()) == ([1, 2], tf.int32, 2, [1, 2])
    assert (x.device, x.backing_device) == (device, device)
    assert x.cpu().numpy().tolist() == [[1, 2]]


@behaviour("T22")
@pytest.mark.parametrize("name", ["name", "op", "graph", "value_index"])
def test_an_eager_tensor_is_in_no_graph(name: str):
    with pytest.raises(AttributeError, match="undefined when eager execution is enabled"):
        getattr(T(1), name)


@behaviour("T22")
def test_an_eager_tensor_needs_no_session():
    with pytest.raises(NotImplementedError, match=r"is \.numpy\(\) what you"):
        T(1).eval()


@behaviour("T22")
def test_set_shape_checks():
    T([1, 2]).set_shape([None])
    with pytest.raises(ValueError, match="not compatible"):
        T([1, 2]).set_shape([3])


@behaviour("T22")
@pytest.mark.parametrize("name", ["T", "astype", "ravel", "transpose", "reshape", "size", "tolist"])
def test_the_names_of_numpy_are_explained(name: str):
    for ask in (lambda: getattr(T([1]), name), lambda: symbolic([1], tf.int32, lambda x: x.size)):
        with pytest.raises(AttributeError, match=r"(?i)numpy"):
            ask()


@behaviour("T22")
def test_other_attributes_are_not_there():
    with pytest.raises(AttributeError, match="EagerTensor' object has no attribute 'foo'"):
        getattr(T(1), "foo")  # noqa: B009


@behaviour("T23")
def test_numpy_takes_tensors():
    x = T([1.0, 4.0])

    assert type(np.array(x)) is np.ndarray
    assert np.asarray(x).tolist() == [1.0, 4.0]
    assert np.array(x, np.float64).dtype == np.float64
    assert type(np.sqrt(x)) is np.ndarray
    assert np.sum(T([1, 2])) == 3
    assert math.sqrt(T(4.0)) == 2.0


@behaviour("T23")
def test_an_array_and_a_tensor_make_a_tensor():
    for result in (np.array([1.0]) + T(1.0), T(1.0) + np.array([1.0]), np.float32(2) * T(1.0)):
        assert tf.is_tensor(result)
        assert result.numpy().max() == 2.0


@behaviour("T23")
def test_tensors_show_their_memory():
    x = T([1, 2, 3])

    assert np.from_dlpack(tf.identity(x)).tolist() == [1, 2, 3]
    assert np.asarray(x).data.tolist() == [1, 2, 3]
    taken = tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(x))
    assert taken.numpy().tolist() == [1, 2, 3]


@behaviour("T24")
def test_shapes_equal_lists_and_tuples():
    assert tf.TensorShape([1, 2]) == [1, 2]
    assert tf.TensorShape([1, 2]) == (1, 2)
    assert tf.TensorShape([None]) == tf.TensorShape([None])
    assert tf.TensorShape([1]) != [2]
    assert len({tf.TensorShape([1]), tf.TensorShape([1])}) == 1


@behaviour("T24")
def test_shapes_are_sequences_and_join():
    shape = tf.TensorShape([1, None])

    assert (shape.as_list(), len(shape), list(shape), shape.rank) == ([1, None], 2, [1, None], 2)
    assert (shape[0], shape[1], shape[:1]) == (1, None, [1])
    assert (shape + [3]).as_list() == [1, None, 3]  # noqa: RUF005
    assert ([3] + shape).as_list() == [3, 1, None]  # noqa: RUF005
    assert shape.concatenate([2]).as_list() == [1, None, 2]
    assert shape.merge_with([None, 5]) == [1, 5]
    assert not shape.is_fully_defined()


@behaviour("T24")
def test_an_unknown_rank_has_no_list():
    unknown = tf.TensorShape(None)

    assert (unknown.rank, unknown[0]) == (None, None)
    assert unknown.concatenate([1]).rank is None
    for fails in (unknown.as_list, lambda: len(unknown), lambda: list(unknown)):
        with pytest.raises(ValueError, match=r"unknown|rank|iterate|None"):
            fails()


@behaviour("T24")
def test_shapes_that_cannot_be_merged():
    with pytest.raises(ValueError, match="not compatible"):
        tf.TensorShape([1, 2]).merge_with([1, 3])


@behaviour("T25")
def test_dtypes_equal_what_others_call_them():
    assert tf.float32 == "float32"
    assert tf.float32 == np.float32
    assert tf.float32 == np.dtype("float32")
    assert tf.float32 != np.float64
    assert hash(tf.as_dtype("float32")) == hash(tf.float32)


@behaviour("T25")
def test_what_dtypes_know():
    assert (tf.int32.name, tf.int32.as_numpy_dtype, tf.int32.size) == ("int32", np.int32, 4)
    assert (tf.int32.max, tf.int32.min, tf.uint8.max) == (2**31 - 1, -(2**31), 255)
    assert tf.float32.max == np.finfo(np.float32).max
    assert (tf.float32.is_floating, tf.int32.is_floating, tf.int32.is_integer) == (1, 0, 1)
    assert (tf.bool.is_bool, tf.complex64.is_complex, tf.uint8.is_unsigned) == (1, 1, 1)


@behaviour("T25")
def test_types_of_python_as_dtypes():
    assert (tf.as_dtype(float), tf.as_dtype(bool)) == (tf.float32, tf.bool)
    assert tf.as_dtype("double") is tf.float64
    with pytest.raises(TypeError):
        tf.as_dtype(int)


@behaviour("T27")
def test_a_seed_makes_the_sequence_of_draws_repeat():
    def draws() -> list[Any]:
        tf.random.set_seed(1)
        return [tf.random.uniform([2]).numpy().tolist() for _ in range(3)]

    first = draws()

    assert first == draws()
    assert first[0] != first[1]


@behaviour("T28")
def test_nests_are_flattened_by_sorted_keys():
    assert tf.nest.flatten({"b": 1, "a": 2}) == [2, 1]
    assert tf.nest.flatten(None) == [None]
    assert tf.nest.flatten("ab") == ["ab"]
    assert tf.nest.flatten([1, (2, {"x": [3]})]) == [1, 2, 3]


@behaviour("T28")
def test_mapping_keeps_the_structure():
    mapped = tf.nest.map_structure(lambda x: x + 1, {"b": 1, "a": (2, [3])})

    assert mapped == {"b": 2, "a": (3, [4])}
    assert list(mapped) == ["b", "a"]


@behaviour("T28")
@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ([1, 2], (1, 2), TypeError),
        ([1, 2], [1, 2, 3], ValueError),
        ([1], 1, ValueError),
        ({"a": 1}, {"b": 1}, ValueError),
    ],
    ids=str,
)
def test_nests_that_differ(left: Any, right: Any, kind: type[Exception]):
    with pytest.raises(kind, match="don't have the same"):
        tf.nest.assert_same_structure(left, right)


@behaviour("T28")
def test_packing_needs_as_many_atoms():
    assert tf.nest.pack_sequence_as({"b": 0, "a": 0}, [1, 2]) == {"b": 2, "a": 1}
    with pytest.raises(ValueError, match="Structure had 2 atoms"):
        tf.nest.pack_sequence_as([1, 2], [1, 2, 3])


@behaviour("T21")
def test_a_reference_keeps_its_tensor():
    reference = T([5]).ref()
    gc.collect()

    assert reference.deref().numpy() == 5
