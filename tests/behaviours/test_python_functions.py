"""tf.py_function and tf.numpy_function: statements P7 to P12."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both

KINDS = ["py_function", "numpy_function"]
kinds = pytest.mark.parametrize("kind", KINDS)
INVALID = tf.errors.InvalidArgumentError


def calling(kind: str, function: Callable[..., Any], inputs: Any, result: Any, **options: Any):
    """A function without arguments that calls `function` by one of the two."""
    return lambda: getattr(tf, kind)(function, inputs, result, **options)


def raising(error: BaseException) -> Callable[..., Any]:
    def body(*_: Any) -> Any:
        raise error

    return body


# ---- what the function is given, and what becomes of it


@behaviour("P7")
@both
def test_py_function_is_given_eager_tensors(mode: Any):
    seen: list[Any] = []

    def body(*values: Any) -> Any:
        seen.extend(values)
        return values[0] * 2

    f = mode(lambda x: tf.py_function(func=body, inp=[x, "s"], Tout=tf.float32, name="n"))
    assert float(f(tf.constant(3.0))) == 6.0
    assert all(isinstance(one, tf.Tensor) for one in seen)
    assert float(seen[0].numpy()) == 3.0
    assert seen[1].numpy() == b"s"


@behaviour("P7")
@pytest.mark.parametrize(
    ("value", "kind"),
    [("s", bytes), (b"\xff", bytes), (3, np.int32), (2.5, np.float32), (True, np.bool_)],
)
def test_a_graph_gives_numpy_functions_scalars_and_eager_code_arrays(value: Any, kind: Any):
    seen: list[Any] = []

    def call(x: Any) -> Any:
        return tf.numpy_function(lambda one: seen.append(one) or one, [x], x.dtype)

    tensors = tf.data.Dataset.from_tensors(value).map(call)
    results = [tf.function(call)(tf.constant(value)), next(iter(tensors)), call(tf.constant(value))]
    assert [type(one) for one in seen] == [kind, kind, np.ndarray]
    assert len({one.numpy() for one in results}) == 1


@behaviour("P7")
def test_generators_of_datasets_are_given_scalars():
    seen: list[Any] = []

    def elements(*values: Any) -> Any:
        seen.extend(map(type, values))
        yield 1

    spec = tf.TensorSpec((), tf.int32)
    arguments = ("s", 2.5, [1])
    list(tf.data.Dataset.from_generator(elements, args=arguments, output_signature=spec))
    assert seen == [bytes, np.float32, np.ndarray]


@behaviour("P7")
@both
@pytest.mark.parametrize(
    ("result", "dtype"), [(2, tf.float32), (2, tf.int64), (np.int16(2), tf.int16), ("s", tf.string)]
)
def test_results_are_converted_to_what_was_promised(result: Any, dtype: Any, mode: Any):
    assert mode(calling("py_function", lambda: result, [], dtype))().dtype == dtype


@behaviour("P7")
@both
def test_py_function_is_differentiable(mode: Any):
    def f(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = tf.py_function(lambda a, b: a * a * b, [x, y], tf.float32)
        return tape.gradient(z, [x, y])

    assert [float(one) for one in mode(f)(tf.constant(3.0), tf.constant(2.0))] == [12.0, 9.0]


@behaviour("P7")
def test_numpy_function_is_given_arrays():
    seen: list[Any] = []

    def body(*values: Any) -> Any:
        seen.extend(values)
        return np.float32(values[0].sum())

    inputs = [tf.constant([1.0, 2.0]), tf.constant(3), tf.constant("s")]
    assert float(tf.numpy_function(func=body, inp=inputs, Tout=tf.float32, stateful=True)) == 3.0
    assert [type(one) for one in seen] == [np.ndarray] * 3
    assert [one.shape for one in seen] == [(2,), (), ()]
    assert seen[2].dtype == object


@behaviour("P7")
def test_numpy_function_has_no_gradient():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.numpy_function(lambda a: a * a, [x], tf.float32)
    assert tape.gradient(y, x) is None


# ---- shapes, ragged and sparse


@behaviour("P8")
@kinds
def test_in_a_graph_nothing_is_known_of_the_shape_until_it_is_said(kind: str):
    seen: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        y = getattr(tf, kind)(lambda a: a, [x], tf.int32)
        seen.append(y.shape.rank)
        y.set_shape([2])
        seen.append(y.shape.as_list())
        return y

    assert f(tf.constant([1, 2])).numpy().tolist() == [1, 2]
    assert seen == [None, [2]]


@behaviour("P8")
@differs
def test_the_shape_of_a_spec_is_known_and_checked():
    seen: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        y = tf.py_function(lambda a: a, [x], tf.TensorSpec([2], tf.int32))
        seen.append(y.shape)
        return y

    assert f(tf.constant([1, 2])).numpy().tolist() == [1, 2]
    assert seen == [tf.TensorShape([2])]
    with pytest.raises(INVALID, match=r"shape \(3,\), but Tout promises \(2,\)"):
        f(tf.constant([1, 2, 3]))


@behaviour("P8")
@both
def test_ragged_tensors_go_in_and_come_out(mode: Any):
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    seen: list[Any] = []

    def body(x: Any) -> Any:
        seen.append(x)
        return x * 2

    f = mode(lambda x: tf.py_function(body, [x], spec))
    result = f(tf.ragged.constant([[1], [2, 3]]))
    assert isinstance(seen[0], tf.RaggedTensor)
    assert result.to_list() == [[2], [4, 6]]


@behaviour("P8")
@both
def test_ragged_and_other_results_stand_side_by_side(mode: Any):
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    f = mode(
        lambda x: tf.py_function(
            lambda a: (tf.reduce_sum(a), a, 7), [x], [tf.int32, spec, tf.int32]
        )
    )
    total, ragged, seven = f(tf.ragged.constant([[1], [2, 3]]))
    assert (int(total), ragged.to_list(), int(seven)) == (6, [[1], [2, 3]], 7)


@behaviour("P8")
@differs
@both
def test_a_result_that_is_not_ragged_as_promised_is_an_invalid_argument(mode: Any):
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    with pytest.raises(INVALID, match="Tout promises a RaggedTensorSpec"):
        mode(calling("py_function", lambda: tf.constant([1]), [], spec))()


# ---- what does not keep the promise


@behaviour("P9")
@both
def test_py_function_checks_the_dtype(mode: Any):
    with pytest.raises(INVALID, match=r"Cannot convert 1\.5 to EagerTensor of dtype int32"):
        mode(calling("py_function", lambda: 1.5, [], tf.int32))()


NO_INT32 = pytest.mark.parametrize(
    "value", [1.5, np.array([1.5]), np.float32(0.5), np.array([2**40])], ids=str
)


@behaviour("P9")
@NO_INT32
def test_in_a_graph_numpy_function_checks_the_dtype(value: Any):
    with pytest.raises(INVALID, match="0-th value returned by"):
        tf.function(calling("numpy_function", lambda: value, [], tf.int32))()


@behaviour("P9")
@differs
@NO_INT32
def test_eagerly_numpy_function_checks_the_dtype_too(value: Any):
    with pytest.raises(INVALID, match="0-th value returned by"):
        tf.numpy_function(lambda: value, [], tf.int32)


@behaviour("P9")
@differs
@both
@kinds
def test_values_that_fit_are_converted_in_both_modes(kind: str, mode: Any):
    result = mode(calling(kind, lambda: np.float64(0.5), [], tf.float32))()
    assert result.dtype == tf.float32
    assert mode(calling("numpy_function", lambda: 1, [], tf.float32))().dtype == tf.float32


@behaviour("P9")
@both
def test_too_few_values_are_an_invalid_argument(mode: Any):
    with pytest.raises(INVALID, match="returns 1 values, but expects to see 2 values"):
        mode(calling("py_function", lambda: [1], [], [tf.int32, tf.int32]))()


@behaviour("P9")
@differs
@both
@kinds
def test_too_many_values_for_one_promise_are_not_dropped(kind: str, mode: Any):
    assert mode(calling(kind, lambda: (1, 2), [], tf.int32))().numpy().tolist() == [1, 2]


@behaviour("P9")
@differs
@both
@kinds
def test_too_many_values_are_an_invalid_argument(kind: str, mode: Any):
    with pytest.raises(INVALID, match="returns 3 values, but expects to see 2 values: Tout is"):
        mode(calling(kind, lambda: (1, 2, 3), [], [tf.int32, tf.int32]))()


# ---- none, one or several results


@behaviour("P10")
def test_eagerly_nothing_is_an_empty_list():
    assert tf.py_function(lambda: None, [], []) == []


@behaviour("P10")
@differs
def test_eagerly_nothing_is_an_empty_list_for_numpy_function_too():
    assert tf.numpy_function(lambda: None, [], []) == []


@behaviour("P10")
@kinds
def test_in_a_graph_what_returns_nothing_is_called_each_time(kind: str):
    calls: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        getattr(tf, kind)(lambda a: calls.append(int(a)), [x], [])
        return x

    f(tf.constant(1))
    f(tf.constant(2))
    assert calls == [1, 2]


@behaviour("P10")
@both
def test_none_is_no_tensor(mode: Any):
    with pytest.raises(INVALID, match="returns 0 values, but expects to see 1 values"):
        mode(calling("py_function", lambda: None, [], tf.int32))()


@behaviour("P10")
@differs
def test_eagerly_none_is_no_result_of_numpy_function_either():
    with pytest.raises(INVALID, match="returns 0 values, but expects to see 1 values"):
        tf.numpy_function(lambda: None, [], tf.int32)


@behaviour("P10")
@both
@pytest.mark.parametrize(("dtypes", "expected"), [([tf.int32], [1]), ([tf.int32] * 2, [1, 1])])
def test_a_list_of_dtypes_gives_a_list(dtypes: Any, expected: Any, mode: Any):
    f = mode(calling("py_function", lambda x: [x] * len(dtypes), [tf.constant(1)], dtypes))
    result = f()
    assert isinstance(result, list)
    assert [int(one) for one in result] == expected


# ---- exceptions


class Unlucky(Exception):
    """Says more than a message."""

    def __init__(self, text: str, number: int) -> None:
        super().__init__(text)
        self.number = number


EXCEPTIONS = [
    (ValueError("broken"), INVALID),
    (TypeError("broken"), INVALID),
    (StopIteration("broken"), tf.errors.OutOfRangeError),
    (NotImplementedError("broken"), tf.errors.UnimplementedError),
    (MemoryError("broken"), tf.errors.ResourceExhaustedError),
    (KeyError("broken"), tf.errors.UnknownError),
    (OSError(2, "broken"), tf.errors.UnknownError),
    (Unlucky("broken", 7), tf.errors.UnknownError),
]


@behaviour("P11")
@both
@pytest.mark.parametrize(("error", "kind"), EXCEPTIONS, ids=lambda one: type(one).__name__)
def test_exceptions_become_errors_with_the_python_traceback(error: Any, kind: Any, mode: Any):
    with pytest.raises(kind) as caught:
        mode(calling("py_function", raising(error), [], tf.int32))()
    text = str(caught.value)
    assert type(error).__name__ in text
    assert "broken" in text
    assert "Traceback (most recent call last)" in text
    assert "raise error" in text


@behaviour("P11")
@differs
@both
def test_the_python_traceback_is_the_users(mode: Any):
    with pytest.raises(tf.errors.UnknownError) as caught:
        mode(calling("py_function", raising(KeyError("broken")), [], tf.int32))()
    said = str(caught.value).partition("Traceback (most recent call last)")[2]

    assert said.count(f'File "{__file__}"') == said.count("File ")


@behaviour("P11")
@pytest.mark.parametrize(("error", "kind"), EXCEPTIONS, ids=lambda one: type(one).__name__)
def test_so_do_those_of_numpy_function_in_a_graph(error: Any, kind: Any):
    with pytest.raises(kind, match="broken"):
        tf.function(calling("numpy_function", raising(error), [], tf.int32))()


@behaviour("P11")
@pytest.mark.parametrize(
    "error", [error for error, _ in EXCEPTIONS if not isinstance(error, StopIteration)]
)
def test_eagerly_those_of_numpy_function_are_of_the_original_class(error: Any):
    with pytest.raises(type(error), match="broken"):
        tf.numpy_function(raising(error), [], tf.int32)


@behaviour("P11")
@differs
@both
@kinds
@pytest.mark.parametrize(
    "error", [error for error, _ in EXCEPTIONS if not isinstance(error, StopIteration)]
)
def test_errors_are_of_the_original_class_too(error: Any, kind: str, mode: Any):
    with pytest.raises(tf.errors.OpError) as caught:
        mode(calling(kind, raising(error), [], tf.int32))()
    assert isinstance(caught.value, type(error))
    assert getattr(caught.value, "number", None) == getattr(error, "number", None)


@behaviour("P11")
@differs
@both
@kinds
def test_the_original_exception_is_the_cause(kind: str, mode: Any):
    error = StopIteration("broken")
    with pytest.raises(tf.errors.OutOfRangeError) as caught:
        mode(calling(kind, raising(error), [], tf.int32))()
    assert caught.value.__cause__ is error


# ---- effects and arguments


@behaviour("P12")
@both
@kinds
def test_both_are_called_even_if_nobody_uses_the_result(kind: str, mode: Any):
    calls: list[int] = []

    def body(x: Any) -> Any:
        getattr(tf, kind)(lambda a: calls.append(1) or a, [x], tf.int32)
        return x

    mode(body)(tf.constant(1))
    assert calls == [1]


@behaviour("P12")
def test_what_has_no_state_need_not_be_called():
    calls: list[int] = []

    @tf.function
    def f(x: Any) -> Any:
        tf.numpy_function(lambda a: calls.append(1) or a, [x], tf.int32, stateful=False)
        return x

    f(tf.constant(1))
    assert calls == []


@behaviour("P12")
@both
def test_variables_can_be_assigned_inside(mode: Any):
    v = tf.Variable(1.0)

    def body(x: Any) -> Any:
        v.assign_add(x)
        return v.read_value()

    assert float(mode(lambda x: tf.py_function(body, [x], tf.float32))(tf.constant(2.0))) == 3.0
    assert float(v) == 3.0


@behaviour("P12")
@differs
@both
def test_a_variable_as_result_is_its_value(mode: Any):
    v = tf.Variable(1.5)
    assert float(mode(calling("py_function", lambda: v, [], tf.float32))()) == 1.5


@behaviour("P12")
@both
@kinds
def test_inputs_come_in_a_list(kind: str, mode: Any):
    with pytest.raises(TypeError):
        mode(lambda x: getattr(tf, kind)(lambda a: a, x, tf.int32))(tf.constant(1))


@behaviour("P12")
@kinds
def test_dicts_are_no_inputs(kind: str):
    with pytest.raises(ValueError, match=r"dict|unsupported type"):
        calling(kind, lambda a: a, [{"a": tf.constant(1)}], tf.int32)()


# ---- as decorators


@behaviour("P7")
@both
@kinds
def test_both_are_decorators_where_no_function_is_given(kind: str, mode: Any):
    @getattr(tf, kind)(Tout=tf.float32)
    def add(x: Any, y: Any = 2.0) -> Any:
        return x + np.float32(y)

    assert add.__name__ == "add"
    assert float(mode(lambda x: add(x))(tf.constant(1.0))) == 3.0
    assert float(mode(lambda x: add(x, x))(tf.constant(1.5))) == 3.0


@behaviour("P7")
@both
def test_a_decorated_function_gives_as_many_results_as_promised(mode: Any):
    @tf.numpy_function(Tout=[tf.float32, tf.int32])
    def step(action: Any) -> Any:
        return action * np.float32(0.5), np.array(3, np.int32)

    state, reward = mode(lambda x: step(x))(tf.constant([2.0, 4.0]))
    assert state.numpy().tolist() == [1.0, 2.0]
    assert int(reward) == 3


@behaviour("P12")
@kinds
def test_a_decorated_function_takes_no_keywords(kind: str):
    f = getattr(tf, kind)(Tout=tf.float32)(lambda x: x)

    with pytest.raises(TypeError, match=r"unexpected keyword argument 'x'"):
        f(x=1.0)


@behaviour("P12")
@kinds
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"Tout": None}, "Missing required argument: 'Tout'"),
        ({"func": len, "inp": [1]}, "Missing required argument: 'Tout'"),
        ({"func": len, "Tout": tf.int32}, "Missing argument `inp`"),
        ({"inp": [1], "Tout": tf.int32}, "`inp`.*decorator"),
    ],
)
def test_what_is_missing_or_too_much_is_named(kind: str, options: Any, words: str):
    with pytest.raises(TypeError, match=words):
        getattr(tf, kind)(**options)
