"""What goes wrong while tracing and while running, and what is said of it: F89 to F96."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import NAME, behaviour, differs, tf

ONE = tf.constant(1.0)
VECTOR = [tf.TensorSpec([None])]


def unconverted(body: Any, **options: Any) -> Any:
    return tf.function(body, autograph=False, **options)


def raising(error: BaseException) -> Any:
    """A body that raises `error` below a function of its own."""

    def inner() -> None:
        raise error

    def body(x: Any) -> Any:
        inner()
        return x

    return body


class Mine(Exception):
    """A class of the user's that is made from one message."""


class TwoParts(Exception):
    """A class of the user's that is made from two."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


# ---- exceptions of the body


@behaviour("F89")
@pytest.mark.parametrize(
    "error", [ValueError("no"), KeyError("no"), AssertionError("no"), TypeError("no"), Mine("no")]
)
def test_an_exception_keeps_its_class_and_shows_the_users_lines(error: Exception) -> None:
    with pytest.raises(type(error), match="in user code:") as failure:
        tf.function(raising(error))(ONE)
    text = str(failure.value)

    assert f'File "{__file__}", line' in text
    assert "in body  *" in text
    assert "in inner  *" in text
    assert "raise error" in text
    assert f"{type(error).__name__}: " in text
    assert "no" in text.rstrip().splitlines()[-1]


@behaviour("F89")
def test_without_autograph_it_passes_unchanged() -> None:
    error = ValueError("mine")

    with pytest.raises(ValueError, match=r"^mine$") as failure:
        unconverted(raising(error))(ONE)

    assert failure.value is error


@behaviour("F89")
@differs
@pytest.mark.parametrize(
    "error",
    [
        TwoParts(7, "no"),
        IndexError("no"),
        OSError(2, "no"),
        UnicodeDecodeError("utf-8", b"a", 0, 1, "no"),
    ],
)
def test_classes_with_other_constructors_are_kept_too(error: Exception) -> None:
    with pytest.raises(type(error), match="in user code:") as failure:
        tf.function(raising(error))(ONE)

    assert failure.value.__cause__ is error
    assert getattr(failure.value, "code", None) == getattr(error, "code", None)


@behaviour("F89")
@differs
def test_the_exception_itself_is_the_cause() -> None:
    error = ValueError("no")

    with pytest.raises(ValueError, match="in user code:") as failure:
        tf.function(raising(error))(ONE)

    assert failure.value.__cause__ is error


@behaviour("F82", "F89")
@differs
def test_recursion_that_does_not_end_is_a_recursion_error() -> None:
    @tf.function
    def count_down(n: Any) -> Any:
        if n > 0:
            return count_down(n - 1)
        return n

    with pytest.raises(RecursionError):
        count_down(tf.constant(3))


@behaviour("F90")
def test_a_trace_that_failed_does_no_harm() -> None:
    errors = [ValueError("first"), ValueError("second")]
    runs: list[int] = []

    @tf.function
    def f(x: Any) -> Any:
        runs.append(1)
        if errors:
            raise errors.pop(0)
        return x * 2.0

    for text in ("first", "second"):
        with pytest.raises(ValueError, match=text):
            f(ONE)

    assert [f(ONE).numpy() for _ in range(2)] == [2.0, 2.0]
    assert len(runs) == 3
    assert f.experimental_get_tracing_count() == 1


# ---- failures while running


def divide(x: Any, y: Any) -> Any:
    z = x // y  # the line
    return z


def failed_division() -> Any:
    f = tf.function(divide)
    with pytest.raises(tf.errors.InvalidArgumentError) as failure:
        f(tf.constant([1]), tf.constant([0]))
    return failure.value


@behaviour("F91")
def test_a_failing_operation_is_named_with_the_users_frames() -> None:
    text = str(failed_division())

    assert text.startswith("Graph execution error:")
    assert "Detected at node floordiv defined at (most recent call last):" in text
    assert f'File "{__file__}", line' in text
    assert "in divide" in text
    assert "Integer division by zero" in text
    assert "[[{{node floordiv}}]] [Op:__inference_divide_" in text


@behaviour("F91")
def test_a_failure_has_a_number_and_a_text_but_no_operation() -> None:
    error = failed_division()

    assert (error.op, error.node_def) == (None, None)
    assert error.error_code == 3
    assert error.message in str(error)
    assert "Integer division by zero" in error.message


@behaviour("F91")
@differs
def test_the_source_of_the_line_is_shown() -> None:
    assert "z = x // y  # the line" in str(failed_division())


@behaviour("F91")
def test_a_function_works_after_a_failure() -> None:
    f = tf.function(divide)
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant([1]), tf.constant([0]))

    assert f(tf.constant([7]), tf.constant([2])).numpy().tolist() == [3]


# ---- tracebacks


def frames_of(error: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


@behaviour("F92")
def test_tracebacks_show_few_frames_of_the_library() -> None:
    assert tf.debugging.is_traceback_filtering_enabled()
    with pytest.raises(ValueError, match="no") as failure:
        unconverted(raising(ValueError("no")))(ONE)
    files = frames_of(failure.value)

    assert sum(f"/{NAME}/" in file for file in files) <= 3
    assert files.count(__file__) == 3
    assert files[-1] == __file__


@behaviour("F92")
def test_the_filter_can_be_switched_off() -> None:
    tf.debugging.disable_traceback_filtering()
    try:
        assert not tf.debugging.is_traceback_filtering_enabled()
        with pytest.raises(ValueError, match="no") as failure:
            unconverted(raising(ValueError("no")))(ONE)
    finally:
        tf.debugging.enable_traceback_filtering()

    assert sum(f"/{NAME}/" in file for file in frames_of(failure.value)) > 3


@behaviour("F92")
@differs
def test_no_frame_is_of_generated_code() -> None:
    with pytest.raises(ValueError, match="no") as failure:
        tf.function(raising(ValueError("no")))(ONE)

    assert not [file for file in frames_of(failure.value) if "autograph_generated" in file]


# ---- what is known while tracing


@behaviour("F93")
def test_shapes_that_cannot_go_together_are_found_while_tracing() -> None:
    f = unconverted(lambda x, y: tf.matmul(x, y))

    with pytest.raises(ValueError, match="Dimensions must be equal") as failure:
        f.get_concrete_function(tf.TensorSpec([2, 2]), tf.TensorSpec([1, 1]))
    assert "{{node MatMul}}" in str(failure.value)
    assert "with input shapes:" in str(failure.value)


@behaviour("F93")
def test_dtypes_that_cannot_go_together_are_found_while_tracing() -> None:
    text = "Input 'y' of 'AddV2' Op has type string that does not match type int32 of argument 'x'"

    with pytest.raises(TypeError, match=text):
        unconverted(lambda x: x + tf.constant("a"))(tf.constant(1))


@behaviour("F93")
def test_shapes_that_only_a_run_tells_fail_then() -> None:
    f = unconverted(lambda x, y: tf.matmul(x, y), input_signature=[tf.TensorSpec([None, None])] * 2)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Matrix size-incompatible"):
        f(tf.ones([2, 3]), tf.ones([2, 3]))


# ---- where Python needs a value


def loop(x: Any) -> Any:
    while x > 0:
        x = x - 1
    return x


@behaviour("F94")
@pytest.mark.parametrize(
    "use",
    [lambda x: 1 if x > 0 else 2, loop, lambda x: x > 0 and x < 3, lambda x: x or 1,
     lambda x: not x, bool],
)  # fmt: skip
def test_a_symbolic_tensor_has_no_truth(use: Any) -> None:
    text = "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"

    with pytest.raises(TypeError, match=text) as failure:
        unconverted(lambda x: use(x))(tf.constant(1))
    assert type(failure.value).__name__ == "OperatorNotAllowedInGraphError"


def unpacked(x: Any) -> Any:
    first, _ = x
    return first


@behaviour("F94")
@pytest.mark.parametrize("use", [list, tuple, lambda x: [*x], lambda x: [y for y in x], unpacked])
def test_a_symbolic_tensor_cannot_be_iterated(use: Any) -> None:
    text = "Iterating over a symbolic `tf.Tensor` is not allowed"

    with pytest.raises(TypeError, match=text) as failure:
        unconverted(lambda x: use(x))(tf.ones([2]))
    assert type(failure.value).__name__ == "OperatorNotAllowedInGraphError"


@behaviour("F94")
def test_membership_needs_a_value() -> None:
    with pytest.raises(TypeError, match=r"(?i)symbolic"):
        unconverted(lambda x: 1.0 in x)(tf.ones([2]))


@behaviour("F94")
@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (len, TypeError, r"len is not well defined for a symbolic Tensor.*x\.shape"),
        (lambda x: [1, 2][x], TypeError, "must be integers or slices, not SymbolicTensor"),
        (range, TypeError, "SymbolicTensor"),
        (float, TypeError, "SymbolicTensor"),
        (lambda x: np.add(x, 1), NotImplementedError,
         r"Cannot convert a symbolic tf\.Tensor \(x:0\) to a numpy array"),
        (hash, TypeError, r"Tensor is unhashable\. Instead, use tensor\.ref\(\) as the key\."),
        (lambda x: {x: 1}, TypeError, r"Tensor is unhashable\. Instead, use tensor\.ref\(\)"),
        (lambda x: x.shape[0] + 1, TypeError, "NoneType"),
    ],
)  # fmt: skip
def test_python_cannot_have_the_value(use: Any, error: type[Exception], words: str) -> None:
    spec = tf.TensorSpec([None], tf.int32)

    with pytest.raises(error, match=words):
        unconverted(lambda x: use(x)).get_concrete_function(spec)


@behaviour("F94")
def test_a_symbolic_tensor_is_no_python_int() -> None:
    with pytest.raises(TypeError):
        unconverted(lambda x: int(x))(tf.constant(1))


@behaviour("F94")
def test_items_cannot_be_assigned() -> None:
    def body(x: Any) -> Any:
        x[0] = 1.0
        return x

    with pytest.raises(TypeError, match="does not support item assignment"):
        unconverted(body)(tf.ones([2]))


@behaviour("F94")
def test_an_unknown_size_is_none_and_is_returned_so() -> None:
    assert tf.function(lambda x: x.shape[0], input_signature=VECTOR)(tf.ones([2])) is None


@behaviour("F94")
def test_a_formatted_tensor_is_its_symbolic_text() -> None:
    result = unconverted(lambda x: f"{x}")(ONE)

    assert result.numpy() == b'Tensor("x:0", shape=(), dtype=float32)'


# ---- promises about shapes


def promising(x: Any) -> Any:
    x.set_shape([2])
    assert x.shape == [2]
    return x * 2.0


@behaviour("F95")
def test_a_promised_size_is_believed() -> None:
    f = tf.function(promising, input_signature=VECTOR)

    assert f(tf.ones([2])).numpy().tolist() == [2.0, 2.0]


@behaviour("F95")
@differs
def test_a_promise_that_does_not_hold_is_an_error() -> None:
    f = tf.function(promising, input_signature=VECTOR)

    words = r"\[3\] is not compatible with expected shape \(2,\)"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        f(tf.ones([3]))


@behaviour("F95")
def test_an_ensured_shape_is_checked_when_it_runs() -> None:
    f = tf.function(lambda x: tf.ensure_shape(x, [2]), input_signature=VECTOR)

    assert f(tf.ones([2])).shape == [2]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not compatible with expected shape"):
        f(tf.ones([3]))


# ---- loops over datasets that nothing converted


def summed(x: Any, dataset: Any) -> Any:
    for element in dataset:
        x = x + tf.cast(element, tf.float32)
    return x


@behaviour("F96")
def test_an_unconverted_loop_over_a_dataset_is_stopped() -> None:
    text = r"unusually high number of `tf\.data\.Iterator\.get_next\(\)` calls"

    with pytest.raises(ValueError, match=text):
        unconverted(summed)(ONE, tf.data.Dataset.range(3))


@behaviour("F96")
def test_so_is_one_in_a_function_that_was_not_to_be_converted() -> None:
    body = tf.autograph.experimental.do_not_convert(summed)

    @tf.function
    def f(x: Any) -> Any:
        return body(x, tf.data.Dataset.range(3))

    with pytest.raises(ValueError, match=r"unusually high number"):
        f(ONE)


IN_NO_FILE = """
def summed(x, dataset):
    for number, element in enumerate(dataset):
        if number > 50:
            raise RuntimeError("it would go on for ever")
        x = x + element
    return x
"""


@behaviour("F96")
@differs
def test_one_in_a_function_whose_source_is_in_no_file_ends() -> None:
    scope: dict[str, Any] = {"enumerate": lambda items: zip(range(100), items, strict=False)}
    exec(compile(IN_NO_FILE, "<nowhere>", "exec"), scope)

    result = tf.function(scope["summed"])(tf.constant(1, tf.int64), tf.data.Dataset.range(3))

    assert result.numpy() == 4
