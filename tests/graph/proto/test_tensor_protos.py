"""`tf.make_tensor_proto` and `tf.make_ndarray`. The texts are TensorFlow's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def squeezed(proto: Any) -> str:
    return " ".join(str(proto).split())


TWO = r'dtype: DT_HALF tensor_shape { dim { size: 2 } } tensor_content: "\000<\000@"'
SIX = "tensor_shape { dim { size: 2 } dim { size: 3 } }"


@pytest.mark.parametrize(
    ("values", "options", "expected"),
    [
        (1.5, {}, "dtype: DT_FLOAT tensor_shape { } float_val: 1.5"),
        (True, {}, "dtype: DT_BOOL tensor_shape { } bool_val: true"),
        (2**40, {}, "dtype: DT_INT64 tensor_shape { } int64_val: 1099511627776"),
        (1 + 2j, {}, "dtype: DT_COMPLEX128 tensor_shape { } dcomplex_val: 1 dcomplex_val: 2"),
        (["a", "b"], {}, 'dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "a" '
         'string_val: "b"'),
        (np.array([1, 2], np.float16), {}, TWO),
        ([], {}, "dtype: DT_FLOAT tensor_shape { dim { } }"),
        (1, {"shape": [2, 3]}, f"dtype: DT_INT32 {SIX} int_val: 1"),
        ([1, 2], {"shape": [2, 3]}, f"dtype: DT_INT32 {SIX} int_val: 1 int_val: 2"),
        ([7], {"shape": [2, 3], "allow_broadcast": True}, f"dtype: DT_INT32 {SIX} int_val: 7"),
    ],
)  # fmt: skip
def test_protos_read_as_those_of_tensorflow(
    values: Any, options: dict[str, Any], expected: str
) -> None:
    assert expected == squeezed(tf.make_tensor_proto(values, **options))


@pytest.mark.parametrize(
    ("dtype", "one", "two"),
    [
        ("bool", "080a12005a0101", "080a1204120208025a020100"),
        ("int8", "080612003a0101", "080612041202080222020100"),
        ("int16", "080512003a0101", "0805120412020802220401000000"),
        ("int32", "080312003a0101", "080312041202080222080100000000000000"),
        ("int64", "08091200520101", "0809120412020802221001000000000000000000000000000000"),
        ("uint8", "080412003a0101", "080412041202080222020100"),
        ("uint16", "081112003a0101", "08111204120208023a020100"),
        ("uint32", "0816120082010101", "081612041202080222080100000000000000"),
        ("uint64", "081712008a010101", "0817120412020802221001000000000000000000000000000000"),
        ("float16", "081312006a028078", "08131204120208022204003c0000"),
        ("float32", "080112002a040000803f", "080112041202080222080000803f00000000"),
        (
            "float64",
            "080212003208000000000000f03f",
            "08021204120208022210000000000000f03f0000000000000000",
        ),
        ("bfloat16", "080e12006a02807f", "080e1204120208022204803f0000"),
        (
            "complex64",
            "080812004a080000803f00000000",
            "08081204120208024a100000803f000000000000000000000000",
        ),
        (
            "complex128",
            "081212006210000000000000f03f0000000000000000",
            "08121204120208026220000000000000f03f000000000000000000000000000000000000000000000000",
        ),
        ("qint8", "080b12003a0101", "080b12041202080222020100"),
        ("quint8", "080c12003a0101", "080c12041202080222020100"),
        ("qint16", "080f12003a0101", "080f120412020802220401000000"),
        ("quint16", "081012003a0101", "0810120412020802220401000000"),
        ("qint32", "080d12003a0101", "080d12041202080222080100000000000000"),
        ("float8_e5m2", "081812009201013c", "081812041202080222023c00"),
        ("float8_e4m3fn", "0819120092010138", "081912041202080222023800"),
        ("int4", "081d12003a0101", "081d1204120208023a020100"),
        ("uint4", "081e12003a0101", "081e1204120208023a020100"),
        ("int2", "081f12003a0101", "081f1204120208023a020100"),
        ("uint2", "082012003a0101", "08201204120208023a020100"),
        ("float4_e2m1fn", "0821120092010102", "082112041202080222020200"),
    ],
)
def test_each_dtype_has_the_field_that_tensorflow_gives_it(dtype: str, one: str, two: str) -> None:
    kind = tf.as_dtype(dtype)
    for expected, values in ((one, 1), (two, [1, 0])):
        array = np.asarray(values).astype(kind.as_numpy_dtype)
        proto = tf.make_tensor_proto(array)
        assert expected == proto.SerializeToString().hex()
        assert array.tolist() == tf.make_ndarray(proto).tolist()
    filled = tf.make_ndarray(tf.make_tensor_proto(array, shape=[4]))
    assert [array[0], *[array[1]] * 3] == list(filled)


@pytest.mark.parametrize("dtype", [tf.dtypes.experimental.int2, tf.dtypes.experimental.int4])
def test_negative_numbers_of_few_bits_come_back(dtype: Any) -> None:
    array = np.array([-1, 1, -2]).astype(dtype.as_numpy_dtype)

    assert [-1, 1, -2] == tf.make_ndarray(tf.make_tensor_proto(array)).astype(int).tolist()


@pytest.mark.parametrize(
    ("values", "options", "error"),
    [
        ([1, 2], {"shape": [3], "verify_shape": True}, TypeError),
        ([1, 2, 3], {"shape": [2, 3], "allow_broadcast": True}, TypeError),
        ([1, 2, 3], {"shape": [2]}, ValueError),
        (1.5, {"dtype": tf.int32}, TypeError),
        (None, {}, ValueError),
        (1, {"shape": [], "verify_shape": True, "allow_broadcast": True}, ValueError),
    ],
)
def test_what_does_not_fit_is_refused(values: Any, options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        tf.make_tensor_proto(values, **options)


@pytest.mark.parametrize(
    "array",
    [np.arange(6.0).reshape(2, 3), np.bool_([True, False]), np.array([b"a", b""], object)],
    ids=["floats", "bools", "texts"],
)
def test_arrays_come_back(array: Any) -> None:
    back = tf.make_ndarray(tf.make_tensor_proto(array))

    assert array.dtype == back.dtype
    assert array.tolist() == back.tolist()
    back[0] = array[1]  # it is the caller's own


def test_the_last_value_stands_for_all_that_are_left() -> None:
    assert [[1, 2, 2], [2, 2, 2]] == tf.make_ndarray(
        tf.make_tensor_proto([1, 2], None, [2, 3])
    ).tolist()


def test_a_proto_is_its_own_proto() -> None:
    proto = tf.make_tensor_proto(1)

    assert proto is tf.make_tensor_proto(proto)


@pytest.mark.parametrize("sizes", [None, [], [2, None]])
def test_a_shape_is_made_of_its_message(sizes: Any) -> None:
    shape = tf.TensorShape(sizes)

    assert repr(shape) == repr(tf.TensorShape(shape.as_proto()))
    assert repr(shape) == repr(tf.TensorSpec(shape.as_proto()).shape)
