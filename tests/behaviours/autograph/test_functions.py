"""Which functions AutoGraph converts, and how errors tell of them: statements B47 to B56."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
import traceback
from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf

NotAllowed = tf.errors.OperatorNotAllowedInGraphError
AS_BOOL = "as a Python `bool` is not allowed"
do_not_convert = tf.autograph.experimental.do_not_convert


def run(function: Any, *values: Any, **options: Any) -> Any:
    """What a `tf.function` returns for tensors of these values, as Python values."""
    result = tf.function(function, **options)(*map(tf.constant, values))
    return tf.nest.map_structure(lambda one: one.numpy().tolist(), result)


def size(x: Any) -> Any:
    """Has to be converted."""
    if x > 0:
        return x
    return -x


# --- functions of all kinds ---


class Scaled:
    def __init__(self, by: int) -> None:
        self.by = by

    def __call__(self, x: Any) -> Any:
        return self.method(x)

    def method(self, x: Any) -> Any:
        if x > 0:
            return x * self.by
        return -x

    @staticmethod
    def static(x: Any) -> Any:
        return size(x)

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return cls(2).method(x)


class Child(Scaled):
    def method(self, x: Any) -> Any:
        return super().method(x) + super(Child, self).method(-x)  # noqa: UP008


def doubled(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs) * 2

    return wrapper


@doubled
def decorated(x: Any) -> Any:
    return size(x)


@functools.lru_cache
def cached(n: int) -> int:
    return n + 1


def nested(x: Any) -> Any:
    def inner(y):
        def innermost(z):
            if z > 0:
                return z
            return -z

        return innermost(y)

    return inner(x)


def with_class(x: Any) -> Any:
    class Local:
        offset = 4

        def method(self, y):
            if y > 0:
                return y + self.offset
            return y

    return Local().method(x)


def of_anything(*args: Any, **kwargs: Any) -> Any:
    if args[0] > 0:
        return args[0] + kwargs["offset"]
    return args[1]


@contextlib.contextmanager
def scoped(log: list[Any]) -> Any:
    log.append(1)
    yield 5


def in_context(x: Any) -> Any:
    with scoped([]) as five:
        if x > 0:
            x = x + five
    return x


def default_of_tensor(x: Any, y: Any = tf.constant(5)) -> Any:  # noqa: B008
    if x > 0:
        return y
    return x


KINDS = {
    "nested definitions": (nested, 3),
    "a lambda": (lambda x: (lambda y: size(y))(x), 3),
    "a partial": (lambda x: functools.partial(size, x)(), 3),
    "a callable object": (lambda x: Scaled(2)(x), 3),
    "a method": (lambda x: Scaled(2).method(x), 3),
    "a static method": (lambda x: Scaled.static(x), 3),
    "a class method": (lambda x: Scaled.of_class(x), 3),
    "super in both forms": (lambda x: Child(2)(x), 9),
    "a class defined inside": (with_class, -3),
    "a wrapped function": (lambda x: decorated(x), 6),
    "a cached call": (lambda x: x + cached(3), 1),
    "a context manager": (in_context, -3),
    "any arguments": (lambda x: of_anything(x, -x, offset=x), 3),
    "a tensor as default": (default_of_tensor, -3),
}


@pytest.mark.sampled
@behaviour("B47")
@pytest.mark.parametrize("name", KINDS)
def test_functions_of_all_kinds_are_converted(name: str):
    function, expected = KINDS[name]

    assert run(function, -3) == expected


latest = None


def remember(x: Any) -> Any:
    global latest
    if x > 0:
        latest = x * 2
    else:
        latest = x
    return latest


@behaviour("B48")
def test_a_global_that_a_branch_assigns_is_read_in_the_trace():
    assert (run(remember, 3), run(remember, -3)) == (6, -3)


@behaviour("B48")
@differs
def test_a_global_holds_no_tensor_of_a_trace_afterwards():
    run(remember, 3)

    assert latest is None


@behaviour("B49")
def test_a_function_that_is_not_to_be_converted_runs_as_it_is():
    marked = do_not_convert(size)

    with pytest.raises(NotAllowed, match=AS_BOOL):
        run(marked, 1)
    with pytest.raises(NotAllowed, match=AS_BOOL):
        run(lambda x: marked(x), 1)
    assert run(do_not_convert(lambda x: x + 1), 1) == 2


# --- the converter's own functions ---


@behaviour("B50")
def test_a_converted_function_is_called_with_anything():
    converted = tf.autograph.to_graph(size)

    assert converted(-3) == 3
    assert converted(tf.constant(-3)).numpy() == 3
    assert run(converted, -3, autograph=False) == 3


@behaviour("B50")
def test_converted_code_is_shown():
    code = tf.autograph.to_code(size)

    assert code.startswith("def tf__size(")
    assert "ag__" in code


@behaviour("B50")
@pytest.mark.parametrize("entity", [len, 3, Scaled], ids=str)
@pytest.mark.parametrize("act", [tf.autograph.to_graph, tf.autograph.to_code])
def test_what_has_no_code_is_not_converted(act: Any, entity: Any):
    with pytest.raises(Exception, match="doesn't expose a __code__ object") as caught:
        act(entity)

    assert type(caught.value).__name__ == "ConversionError"


@behaviour("B50")
@pytest.mark.parametrize("act", [tf.autograph.to_graph, tf.autograph.to_code])
def test_conversion_takes_these_options(act: Any):
    parameters = inspect.signature(act).parameters.values()

    defaults = [(one.name, one.default) for one in parameters][1:]
    assert defaults == [("recursive", True), ("experimental_optional_features", None)]


@behaviour("B50")
def test_a_trace_message_is_printed_while_tracing(capsys: pytest.CaptureFixture[str]):
    def f(x):
        tf.autograph.trace("tracing", 1)
        return x

    f = tf.function(f)
    f(tf.constant(1))
    f(tf.constant(2))

    assert capsys.readouterr().out == "tracing 1\n"


@behaviour("B50")
def test_verbosity_beats_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", "10")
    parameters = inspect.signature(tf.autograph.set_verbosity).parameters
    try:
        tf.autograph.set_verbosity(0, alsologtostdout=True)
        run(lambda x: -x if x > 0 else x, 1)
    finally:
        tf.autograph.set_verbosity(0, alsologtostdout=False)

    assert parameters["alsologtostdout"].default is False
    assert capsys.readouterr().out == ""


# --- functions without source ---


def made(lines: list[str]) -> Any:
    """A function of a text that nobody keeps."""
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)
    return scope["made"]


@behaviour("B51")
def test_a_function_without_source_runs_if_it_needs_no_conversion(caplog: Any):
    with caplog.at_level(logging.WARNING, "tensorflow"):
        assert run(made(["def made(x):", "    return x + 1"]), 1) == 2

    assert not [record for record in caplog.records if "AutoGraph" in record.getMessage()]


@behaviour("B51")
def test_a_function_without_source_fails_where_a_tensor_decides():
    branches = made(["def made(x):", "    return x if x > 0 else -x"])

    with pytest.raises(NotAllowed, match=AS_BOOL):
        run(branches, 1)
    with pytest.raises(NotAllowed, match=AS_BOOL):
        run(lambda x: branches(x), 1)


@behaviour("B51")
@differs
def test_one_sentence_says_which_function_has_no_source_and_why():
    branches = made(["def made(x):", "    return x if x > 0 else -x"])

    with pytest.raises(NotAllowed, match="did not convert made: the source of made could not be"):
        run(branches, 1)


TEXT = "def made(x):\n    while x > 1:\n        x = x // 2\n    return x\n"


@behaviour("B51")
@differs
def test_a_function_made_by_exec_is_converted_while_its_text_exists():
    scope: dict[str, Any] = {}
    exec(TEXT, scope)

    assert run(scope["made"], 8) == 1


@behaviour("B52")
def test_what_cannot_be_converted_runs_after_one_warning(tmp_path: Path, caplog: Any):
    file = tmp_path / "broken.py"
    text = "def made(x):\n    return x + 1\n"
    file.write_text(text)
    scope: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), scope)
    file.write_text("def made(x:\n    return x + + 1)\n")

    with caplog.at_level(logging.WARNING, "tensorflow"):
        assert run(scope["made"], 1) == 2
        assert run(scope["made"], [1]) == [2]

    (text,) = [one.getMessage() for one in caplog.records if "AutoGraph" in one.getMessage()]
    assert text.startswith("AutoGraph could not transform <function made at")
    for part in ("and will run it as-is", "Cause: ", "To silence this warning, decorate the funct"):
        assert part in text
    assert "@tf.autograph.experimental.do_not_convert" in text


@behaviour("B53")
@differs
def test_lambdas_with_equal_arguments_on_one_line_are_told_apart():
    pair = (lambda x: x if x > 0 else -x), (lambda x: x * 2 if x > 0 else x)

    assert [run(one, 3) for one in pair] == [3, 6]


@behaviour("B53")
def test_lambdas_with_other_arguments_on_one_line_are_told_apart():
    pair = (lambda x: x if x > 0 else -x), (lambda y: y * 2 if y > 0 else y)

    assert [run(one, 3) for one in pair] == [3, 6]


# --- errors ---


def fails(x: Any) -> Any:
    raise KeyError(f"nothing for {x.shape}")


def loops(x: Any) -> Any:
    for _ in range(3):
        x = fails(x)
    return x


@behaviour("B54")
def test_an_error_lists_the_users_frames_in_the_order_of_calls():
    with pytest.raises(KeyError) as caught:
        run(lambda x: loops(x), 1)

    text = str(caught.value)
    places = [text.index(part) for part in ("in loops  *", "in fails  *", "KeyError")]
    assert "in user code" in text
    assert places == sorted(places)
    assert "x = fails(x)" in text
    assert 'raise KeyError(f"nothing for {x.shape}")' in text


@behaviour("B54")
def test_frames_of_what_runs_as_written_have_two_stars():
    unconverted = do_not_convert(lambda x: fails(x))

    with pytest.raises(KeyError, match=r"in <lambda>  \*\*"):
        run(lambda x: unconverted(x), 1)


@behaviour("B54")
@pytest.mark.parametrize("line", ["x = x + undefined_one", "x = x.missing"])
def test_frames_in_branches_and_loops_show_the_line(line: str):
    def branches(x):
        while x > 0:
            if x > 1:
                x = x.missing
            else:
                x = x + undefined_one  # type: ignore[name-defined]  # noqa: F821
        return x

    def other(x):
        while x > 0:
            x = x + undefined_one  # type: ignore[name-defined]  # noqa: F821
        return x

    function = branches if "missing" in line else other
    with pytest.raises((AttributeError, NameError)) as caught:
        run(function, 1)

    assert line in str(caught.value)


@behaviour("B54")
@differs
def test_no_generated_file_is_in_a_traceback():
    with pytest.raises(KeyError) as caught:
        run(lambda x: loops(x), 1)

    files = {frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)}
    assert not [file for file in files if "autograph_generated" in file or "<" in file]


LOOP = ["def made(x):", "    for one in dataset:", "        x = x + take(one)", "    return x"]


@behaviour("B55", "F96")
@differs
def test_a_dataset_in_code_that_was_not_converted_is_an_error_at_once():
    def take(element):
        taken.append(element)
        assert len(taken) < 100, "this would never end"
        return element

    taken: list[Any] = []
    loops_in_python = made(LOOP)
    loops_in_python.__globals__.update(dataset=tf.data.Dataset.range(3), take=take)

    with pytest.raises(ValueError, match=r"unusually high number of `tf\.data\.Iterator\.get_next"):
        run(loops_in_python, tf.constant(1, tf.int64))


# --- shapes ---


@behaviour("B56")
def test_branches_of_other_shapes_make_a_relaxed_one():
    def f(x):
        y = tf.constant([1]) if x > 0 else tf.constant([1, 2])
        if x > 0:
            z = tf.constant([1])
        else:
            z = tf.constant([2])
        shapes.append((y.shape.as_list(), z.shape.as_list()))
        return y

    shapes: list[Any] = []
    assert run(f, 1) == [1]
    assert shapes == [([None], [1])]


def grown(x: Any) -> Any:
    y = tf.zeros([0])
    for _ in tf.range(x):
        y = tf.concat([y, [1.0]], 0)
    return y


def grown_as_declared(x: Any) -> Any:
    y = tf.zeros([0])
    for _ in tf.range(x):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(y, tf.TensorShape([None]))])
        y = tf.concat([y, [1.0]], 0)
    return y


@behaviour("B56")
def test_a_tensor_may_grow_in_a_loop_that_declares_it():
    assert run(grown_as_declared, 3) == [1.0, 1.0, 1.0]


@behaviour("B56")
@differs
def test_a_tensor_may_grow_in_a_loop_without_a_word():
    assert run(grown, 3) == [1.0, 1.0, 1.0]
