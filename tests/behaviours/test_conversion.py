"""Python and NumPy values as tensors: statements T1 to T7."""

from __future__ import annotations

import decimal
import enum
import fractions
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

T = tf.constant


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


@behaviour("T1")
@pytest.mark.parametrize(
    ("value", "dtype", "shape"),
    [
        (1, tf.int32, []),
        (2**31 - 1, tf.int32, []),
        (2**31, tf.int64, []),
        ([1, 2**40], tf.int64, [2]),
        (1.5, tf.float32, []),
        (True, tf.bool, []),
        ("a", tf.string, []),
        (b"a", tf.string, []),
        (1j, tf.complex128, []),
        ([], tf.float32, [0]),
        ([[], []], tf.float32, [2, 0]),
        ([1, 2.5], tf.float32, [2]),
        ([1, True], tf.int32, [2]),
        (((1, 2), [3, 4]), tf.int32, [2, 2]),
        (range(3), tf.int32, [3]),
    ],
    ids=repr,
)
def test_python_values_have_default_dtypes(value: Any, dtype: Any, shape: list[int]):
    tensor = tf.constant(value)

    assert (tensor.dtype, tensor.shape) == (dtype, shape)


@behaviour("T1")
def test_text_is_encoded_as_utf_8():
    assert T("é€").numpy() == "é€".encode()


@behaviour("T1")
def test_true_among_ints_is_one():
    assert T([1, True, False]).numpy().tolist() == [1, 1, 0]


@behaviour("T1")
@differs
def test_the_order_of_bools_and_ints_makes_no_difference():
    assert T([True, 2]).numpy().tolist() == [1, 2]


@behaviour("T1")
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (2**63, "out-of-range integer"),
        ([[1, 2], [3]], "non-rectangular Python sequence"),
        ([[1], 2], "non-rectangular Python sequence"),
        (None, r"unsupported type \(<class 'NoneType'>\)"),
        ({"a": 1}, r"unsupported type \(<class 'dict'>\)"),
        ({1}, r"unsupported type \(<class 'set'>\)"),
        (object(), r"unsupported type \(<class 'object'>\)"),
        (iter([1]), r"unsupported type \(<class 'list_iterator'>\)"),
        ([1, None], "unsupported type|mixed types"),
        (1e40, "out of range"),
        ([1.0, 1e40], "out of range"),
        ([1, "a"], "mixed types|convert"),
    ],
)
def test_what_no_tensor_can_hold_is_a_value_error(value: Any, words: str):
    with pytest.raises(ValueError, match=words):
        tf.constant(value)


@behaviour("T2")
@pytest.mark.parametrize("name", ["int64", "float64", "uint8", "float16", "bool", "int16"])
def test_arrays_and_numpy_scalars_keep_their_dtype(name: str):
    array = np.ones(2, name)

    assert T(array).dtype == name
    assert T(array[0]).dtype == name
    assert T(array[0]).shape == []


@behaviour("T2")
def test_arrays_of_text_are_strings():
    assert T(np.array(["é", "b"])).numpy().tolist() == ["é".encode(), b"b"]
    assert T(np.array(["é", b"b"], object)).dtype == tf.string
    assert T(np.str_("a")).numpy() == b"a"


@behaviour("T2")
def test_lists_of_numpy_scalars_keep_their_dtype():
    assert T([np.float32(1), np.float32(2)]).dtype == tf.float32
    assert T([np.float64(1), np.float64(2)]).dtype == tf.float64


F16, F32, F64 = np.float16, np.float32, np.float64


@behaviour("T2")
@pytest.mark.parametrize("convert", [tf.constant, tf.convert_to_tensor, tf.stack, tf.Variable])
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([0, F64(2.5)], tf.float32),
        ([1.5, F64(2.5)], tf.float32),
        ([np.int64(1), F64(2.5)], tf.float32),
        ([F32(1.5), F64(2.5)], tf.float32),
        ([F64(1.5), F32(2.5)], tf.float64),
        ([F64(1.5), 2], tf.float64),
        ([F16(1.5), 2.5], tf.float16),
        ([F16(1.5), F64(2.5)], tf.float16),
        ([1, F16(2.5)], tf.float32),
        ([[1], [F64(2.5)]], tf.float32),
        ((1, F64(2.5)), tf.float32),
    ],
    ids=repr,
)
def test_the_first_of_floats_in_a_list_decides_on_their_dtype(value: Any, dtype: Any, convert: Any):
    tensor = convert(value)

    assert tensor.dtype == dtype
    assert np.array_equal(tensor, np.array(value, float))


@behaviour("T2")
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([np.ones(2, F32), np.ones(2)], tf.float32),
        ([np.ones(2), np.ones(2, F32)], tf.float64),
        ([[1, 2], np.ones(2)], tf.float32),
        ([np.ones(2, int), np.ones(2, F32)], tf.float32),
        ([np.array(1.5, F32), np.array(2.5)], tf.float32),
    ],
    ids=repr,
)
def test_so_does_the_first_of_arrays(value: Any, dtype: Any):
    tensor = tf.constant(value)

    assert tensor.dtype == dtype
    assert np.array_equal(tensor, np.array(value, float))


@behaviour("T2")
@pytest.mark.parametrize("value", [[1.0, F64(1e300)], [F32(1), 1e300], [F16(1), 1e9]], ids=repr)
def test_what_is_out_of_the_range_of_the_first_is_an_error(value: Any):
    with pytest.raises(ValueError, match=r"out of range|Can't convert"):
        tf.constant(value)


@behaviour("T2")
def test_an_array_is_the_stack_of_its_rows():
    assert tf.stack(np.ones([2, 3])).shape == [2, 3]


@differs
@behaviour("T2")
def test_what_gives_its_rows_one_by_one_is_stacked():
    """TensorFlow: 'map' object is not subscriptable."""
    assert [1.0, 2.0] == tf.stack(map(tf.constant, [1.0, 2.0])).numpy().tolist()
    assert [[1], [2]] == tf.stack(([n] for n in (1, 2)), axis=0).numpy().tolist()


@behaviour("T2")
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.array([object(), 1], object), "Unsupported object type"),
        (np.array([None], object), "Unsupported object type"),
        (np.array(["2020-01-01"], "datetime64[D]"), "Unsupported numpy type|unsupported"),
        (decimal.Decimal(1), "unsupported type"),
        (fractions.Fraction(1, 2), "unsupported type"),
    ],
)
def test_numpy_values_that_no_tensor_can_hold(value: Any, words: str):
    with pytest.raises(ValueError, match=words):
        tf.constant(value)


@behaviour("T2")
def test_other_python_values_that_are_numbers():
    assert T(Colour.BLUE).numpy() == np.int32(2)
    assert T(Colour.BLUE).dtype == tf.int32
    assert T(bytearray(b"ab")).numpy().tolist() == [97, 98]
    assert T(bytearray(b"ab")).dtype == tf.int32
    assert T(tf.TensorShape([2, 3])).numpy().tolist() == [2, 3]
    assert T(tf.TensorShape([2, 3])).dtype == tf.int32


@behaviour("T2")
def test_a_shape_is_int32_or_int64():
    assert tf.constant(tf.TensorShape([2]), tf.int64).dtype == tf.int64
    with pytest.raises(TypeError):
        tf.convert_to_tensor(tf.TensorShape([2]), tf.float32)


@behaviour("T2")
def test_a_shape_with_unknown_sizes_is_no_tensor():
    with pytest.raises(ValueError, match=r"None|fully|mixed types"):
        tf.constant(tf.TensorShape([2, None]))


@behaviour("T3")
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1.5, "int32"),
        (1.0, "int32"),
        ("1", "int32"),
        (1, "bool"),
        (1, "string"),
        ([1.5, 2.0], "int64"),
        ("a", "float"),
        (1j, "float"),
    ],
)
def test_python_values_of_another_kind_are_refused(value: Any, dtype: str):
    with pytest.raises(TypeError, match=f"Cannot convert .* to EagerTensor of dtype {dtype}"):
        tf.constant(value, dtype)


@behaviour("T3")
@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [(True, "int32", 1), (1, "float16", 1.0), (255, "uint8", 255), (1, "complex64", 1 + 0j)],
)
def test_python_values_that_fit_take_the_dtype(value: Any, dtype: str, expected: Any):
    tensor = tf.constant(value, dtype)

    assert (tensor.dtype, tensor.numpy()) == (dtype, expected)


@behaviour("T3")
@differs
@pytest.mark.parametrize(
    ("value", "dtype"),
    [(300, "uint8"), (-1, "uint8"), (np.array([1.5]), "int32"), (np.array([300]), "uint8")],
    ids=str,
)
def test_constants_that_lose_something_are_refused(value: Any, dtype: str):
    with pytest.raises(TypeError, match="Cannot convert"):
        tf.constant(value, dtype)


@behaviour("T3")
def test_a_tensor_of_another_dtype_is_no_constant():
    with pytest.raises(TypeError, match="Expected tensor"):
        tf.constant(T(1), tf.float32)


@behaviour("T3")
@pytest.mark.parametrize("dtype", ["float32", float, np.float32, np.dtype("float32"), tf.float32])
def test_a_dtype_has_many_names(dtype: Any):
    assert tf.constant(1, dtype).dtype == tf.float32


@behaviour("T3")
def test_an_unknown_dtype_is_a_type_error():
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`"):
        tf.constant(1, "float33")


@behaviour("T4")
def test_one_element_fills_the_shape():
    assert T(0, shape=[2, 2]).numpy().tolist() == [[0, 0], [0, 0]]
    assert T([7], shape=[3]).numpy().tolist() == [7, 7, 7]


@behaviour("T4")
def test_as_many_elements_as_needed_are_reshaped():
    assert T([1, 2, 3, 4], shape=[2, 2]).numpy().tolist() == [[1, 2], [3, 4]]


@behaviour("T4")
def test_another_number_of_elements_is_a_type_error():
    with pytest.raises(TypeError, match=r"has 2 elements, but got `shape` \(3,\)"):
        tf.constant([1, 2], shape=[3])


@behaviour("T5")
def test_a_tensor_is_its_own_conversion():
    tensor = T([1, 2])

    assert tf.convert_to_tensor(tensor) is tensor
    assert tf.convert_to_tensor(tensor, tf.int32) is tensor
    assert tf.convert_to_tensor(tensor, dtype_hint=tf.float32) is tensor


@behaviour("T5")
def test_conversion_never_casts_a_tensor():
    words = "Tensor conversion requested dtype float32 for Tensor with dtype int32"
    with pytest.raises(ValueError, match=words):
        tf.convert_to_tensor(T([1]), tf.float32)


@behaviour("T5")
def test_an_operand_of_another_dtype_has_the_class_of_the_mode():
    def join(x: Any) -> Any:
        return tf.strings.join([tf.constant("a"), x])

    with pytest.raises(tf.errors.InvalidArgumentError):
        join(T(1))
    with pytest.raises(TypeError):
        tf.function(join)(T(1))


@behaviour("T5")
@differs
def test_the_error_says_what_converts():
    with pytest.raises(TypeError, match=r"numpy=1>; use tf\.cast$"):
        tf.convert_to_tensor(T(1), tf.float32)
    with pytest.raises(ValueError, match=r"use tf\.strings\.as_string$"):
        tf.convert_to_tensor(T(1), tf.string)


@behaviour("T5")
def test_a_hint_is_only_a_preference():
    assert tf.convert_to_tensor(1, dtype_hint=tf.float32).dtype == tf.float32
    assert tf.convert_to_tensor(1.5, dtype_hint=tf.int32).dtype == tf.float32


@behaviour("T5")
def test_arrays_are_copied_in_both_directions():
    given = np.array([1.0, 2.0])
    tensor = tf.constant(given)
    converted = tf.convert_to_tensor(given)
    given[0] = 9.0
    taken = tensor.numpy()
    taken[1] = 9.0

    assert tensor.numpy().tolist() == [1.0, 2.0]
    assert converted.numpy().tolist() == [1.0, 2.0]


@behaviour("T5")
def test_what_numpy_gives_for_scalars_and_strings():
    assert type(T(1).numpy()) is np.int32
    assert type(T(1.5).numpy()) is np.float32
    assert type(T("a").numpy()) is bytes
    assert T(["a"]).numpy().dtype == object
    assert T(["a"]).numpy()[0] == b"a"


@behaviour("T6")
def test_lists_of_tensors_and_numbers_are_packed():
    packed = tf.convert_to_tensor([T(1), 2])

    assert (packed.dtype, packed.numpy().tolist()) == (tf.int32, [1, 2])
    assert tf.convert_to_tensor([[T(1), 2], [3, T(4)]]).numpy().tolist() == [[1, 2], [3, 4]]


@behaviour("T6")
def test_lists_of_tensors_and_numbers_are_packed_in_graphs():
    @tf.function
    def packed(x: Any) -> Any:
        return tf.convert_to_tensor([x, 2, x + 1])

    assert packed(T(1)).numpy().tolist() == [1, 2, 2]


@behaviour("T6")
def test_a_number_takes_the_dtype_of_the_tensor_that_it_is_stacked_with():
    stacked = tf.stack([1, T(2.0)])

    assert (stacked.dtype, stacked.numpy().tolist()) == (tf.float32, [1.0, 2.0])


@behaviour("T6")
@differs
def test_a_constant_of_mixed_lists_is_packed():
    assert tf.constant([T(1), 2]).numpy().tolist() == [1, 2]


@behaviour("T6")
@differs
def test_a_constant_of_mixed_lists_is_packed_in_graphs():
    assert tf.function(lambda x: tf.constant([x, 2]))(T(1)).numpy().tolist() == [1, 2]


@behaviour("T6")
def test_a_symbolic_tensor_of_another_dtype_is_no_constant():
    with pytest.raises(TypeError):
        tf.function(lambda x: tf.constant(x, tf.float32))(T(1))


@behaviour("T7")
@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        ([1.9, -1.9, 0.5], "int32", [1, -1, 0]),
        ([300, -1], "uint8", [44, 255]),
        ([float("nan")], "int32", [-(2**31)]),
        ([0.0, 2.0, float("nan")], "bool", [False, True, True]),
        ([True, False], "float32", [1.0, 0.0]),
        ([1 + 2j], "float32", [1.0]),
    ],
)
@pytest.mark.parametrize("staged", [False, True], ids=["eager", "graph"])
@pytest.mark.filterwarnings("ignore")
def test_a_cast_truncates_and_wraps(staged: bool, value: Any, dtype: str, expected: Any):
    def cast(x: Any) -> Any:
        return tf.cast(x, dtype)

    assert (tf.function(cast) if staged else cast)(T(value)).numpy().tolist() == expected


@behaviour("T7")
def test_strings_are_not_cast():
    words = "Cast string to int32 is not supported"
    with pytest.raises(tf.errors.UnimplementedError, match=words):
        tf.cast(T("1"), tf.int32)
    with pytest.raises(tf.errors.UnimplementedError, match="Cast int32 to string is not supported"):
        tf.cast(T(1), tf.string)


@behaviour("T7")
@pytest.mark.parametrize("wrap", [tf.function, lambda plain: plain])
@pytest.mark.parametrize("value", [1, "1"])
@pytest.mark.parametrize("dtype", ["resource", "variant"])
def test_nothing_is_cast_to_handles(value: Any, dtype: str, wrap: Any):
    with pytest.raises(tf.errors.UnimplementedError, match=r"Cast \w+ to \w+ is not supported"):
        wrap(lambda x: tf.cast(x, dtype))(T(value))


@behaviour("T7")
@pytest.mark.parametrize(("value", "dtype"), [([1.0], "string"), (["1"], "float32")])
def test_a_function_that_casts_strings_is_traced_and_fails_when_it_runs(value: Any, dtype: str):
    function = tf.function(lambda x: tf.cast(x, dtype))

    traced = function.get_concrete_function(T(value))

    assert traced.structured_outputs.dtype == dtype
    with pytest.raises(tf.errors.UnimplementedError, match=r"Cast \w+ to \w+ is not supported"):
        traced(T(value))


@behaviour("T7")
@pytest.mark.parametrize("dtype", ["float8_e5m2", "float8_e4m3fn"])
def test_what_is_only_kept_and_cast_is_not_added_into_zeros(dtype: str):
    def scatter(x: Any) -> Any:
        return tf.scatter_nd([[0]], x, [3])

    x = tf.cast([1.0], dtype)
    with pytest.raises(tf.errors.NotFoundError, match="ScatterNd"):
        scatter(x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="ScatterNd"):
        tf.function(scatter)(x)


@behaviour("T5")
@pytest.mark.parametrize(
    "convert",
    [tf.convert_to_tensor, tf.identity, lambda op: tf.add(op, 1.0), lambda op: tf.stack([op])],
)
def test_an_operation_is_no_tensor(convert: Any):
    def body(x: Any) -> Any:
        convert((x + 1.0).op)
        return x

    with pytest.raises(TypeError, match=r"can't convert|Can't convert|to a Tensor|to Tensor"):
        tf.function(body, autograph=False)(tf.constant(1.0))


@behaviour("T2")
def test_what_can_become_a_tensor_is_tensor_like():
    kind = tf.types.experimental.TensorLike

    class Standing:
        def __tf_tensor__(self, dtype=None, name=None):
            return tf.constant(1)

    made = [3, 2.5, True, "a", b"a", 1j, [1], (1,), np.ones(2), F32(1), Standing()]
    assert all(isinstance(one, kind) for one in [*made, tf.constant(1), tf.Variable(1)])
    assert not any(isinstance(one, kind) for one in [None, {}, tf.ragged.constant([[1]])])


@behaviour("T2")
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([np.sqrt(2), 1], tf.float32),
        ([1, np.float64(3)], tf.float32),
        ([F32(1), np.float64(2)], tf.float32),
        ([np.float16(1), 2.0], tf.float32),
        ([np.int64(1), 2], tf.int32),
        ([np.int64(2**40)], tf.int64),
        ([np.uint8(1), np.uint8(2)], tf.uint8),
        ([[np.float64(1)], [2]], tf.float32),
        ([np.int16(1), np.float16(1)], tf.float32),
        ([np.complex64(1)], tf.complex64),
    ],
)
def test_in_traces_numbers_of_numpy_share_numpys_dtype_in_32_bits(value: Any, dtype: Any):
    made = tf.function(lambda: (tf.constant(value), tf.convert_to_tensor(value)))()

    assert [one.dtype for one in made] == [dtype, dtype]


@behaviour("T2")
def test_numbers_in_arrays_of_objects_become_what_is_asked_for():
    table = np.array([[1, 2.0], [np.int8(3), True]], object)

    for dtype in (tf.float32, tf.int64, tf.complex64):
        made = tf.constant(table, dtype)
        assert (made.dtype, made.numpy().tolist()) == (dtype, [[1, 2], [3, 1]])
    with pytest.raises(ValueError, match="NumPy array"):
        tf.constant(table)


@behaviour("T2")
def test_wide_integers_in_arrays_of_objects_become_floats():
    for dtype, other in ((tf.float32, 1), (tf.float64, 0.5), (tf.complex64, 1j)):
        made = tf.constant(np.array([2**70, other], object), dtype)
        assert (made.dtype, made.numpy().tolist()) == (dtype, [2.0**70, other])
    with pytest.raises((TypeError, OverflowError)):
        tf.constant(np.array([2**70], object), tf.int64)


@behaviour("T2")
@pytest.mark.parametrize("value", [[1, None], {1: 2}, {1}, ["a", 1], np.array([1], object)])
def test_what_no_tensor_can_hold_is_a_value_error_and_in_traces_a_type_error(value: Any):
    for mode, kind in ((lambda f: f, ValueError), (tf.function, TypeError)):
        with pytest.raises(kind) as caught:
            mode(lambda: tf.constant(value))()
        assert caught.type.__name__ == kind.__name__


@behaviour("T2")
@pytest.mark.parametrize(
    ("operands", "dtype"),
    [
        ((tf.bfloat16, 5), tf.bfloat16),
        ((tf.bfloat16, tf.float16), tf.bfloat16),
        ((tf.bfloat16, 5.0), tf.float32),
        ((tf.bfloat16, tf.int64), tf.bfloat16),
        ((tf.float16, tf.float64), tf.float64),
    ],
)
def test_a_range_has_the_widest_dtype_of_its_operands(operands: Any, dtype: Any):
    start, limit = (tf.constant(5, x) if isinstance(x, tf.DType) else x for x in operands)
    made = tf.range(start - start, limit)

    assert made.dtype == dtype
    assert tf.cast(made, tf.int32).numpy().tolist() == [0, 1, 2, 3, 4]
