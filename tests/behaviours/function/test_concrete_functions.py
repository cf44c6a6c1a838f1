"""One trace of a function, and how it may be called: statements F48 to F63."""

from __future__ import annotations

import copy
import functools
import gc
import inspect
import pickle
import re
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

SCALAR = tf.TensorSpec([])
PAIR = tf.constant([1.0, 2.0])


def traced(body: Any, *args: Any, **kwargs: Any) -> Any:
    return tf.function(body).get_concrete_function(*args, **kwargs)


def scaled(x: Any, n: Any = 1, *, k: Any = 2) -> Any:
    """x n k times."""
    return x * float(n * k)


def scaling() -> Any:
    """Traced for a vector called `inp` and the literals 1 and 2."""
    return traced(scaled, tf.TensorSpec([None], tf.float32, name="inp"))


def names_of_placeholders(cf: Any) -> list[str]:
    return [tensor.op.name for tensor in cf.inputs]


# ---- names


@behaviour("F48")
def test_placeholders_are_called_as_the_spec_says_or_as_the_parameter() -> None:
    cf = traced(lambda x, y: x, tf.TensorSpec([], name="inp"), SCALAR)

    assert names_of_placeholders(cf) == ["inp", "y"]


@behaviour("F48")
def test_placeholders_within_nests_have_the_parameters_name_and_their_specs_the_path() -> None:
    cf = traced(lambda d, l: d["a"] + l[0], {"a": SCALAR}, [SCALAR])  # noqa: E741
    (mapping, sequence), _ = cf.structured_input_signature

    assert names_of_placeholders(cf) == ["d", "l"]
    assert (mapping["a"].name, sequence[0].name) == ("d_a", "l_0")


@behaviour("F48")
def test_placeholders_of_varargs_are_numbered_and_keywords_have_their_own_name() -> None:
    def body(*args: Any, **kwargs: Any) -> Any:
        return args[0] + kwargs["z"]

    cf = traced(body, SCALAR, SCALAR, z=SCALAR)

    assert names_of_placeholders(cf) == ["args_0", "args_1", "z"]


@behaviour("F48")
def test_the_name_that_the_user_gave_is_an_attribute_of_the_placeholder() -> None:
    cf = traced(lambda x, y: x, tf.TensorSpec([], name="inp"), SCALAR)
    given = [tensor.op.get_attr("_user_specified_name") for tensor in cf.inputs]

    assert given == [b"inp", b"y"]


@behaviour("F48")
@pytest.mark.parametrize("name", ["a b", "é"])
def test_illegal_names_fall_back_to_a_generic_one(name: str) -> None:
    cf = traced(lambda x: x, tf.TensorSpec([], name=name))

    assert names_of_placeholders(cf)[0].startswith("Placeholder")


@behaviour("F49")
def test_equal_specs_and_values_give_the_same_object() -> None:
    f = tf.function(lambda x: x)
    named = f.get_concrete_function(tf.TensorSpec([], name="a"))

    assert f.get_concrete_function(tf.TensorSpec([], name="a")) is named
    assert f.get_concrete_function(SCALAR) is named
    assert f.get_concrete_function(tf.constant(1.0)) is named


@behaviour("F49")
def test_a_spec_with_another_name_is_traced_anew() -> None:
    f = tf.function(lambda x: x)
    named = f.get_concrete_function(tf.TensorSpec([], name="a"))
    other = f.get_concrete_function(tf.TensorSpec([], name="b"))

    assert other is not named
    assert names_of_placeholders(other) == ["b"]


# ---- signatures


@behaviour("F50")
def test_the_input_signature_has_specs_for_tensors_and_values_for_literals() -> None:
    expected = ((tf.TensorSpec([None], tf.float32, name="inp"), 1), {"k": 2})

    assert scaling().structured_input_signature == expected


@behaviour("F50")
def test_unnamed_specs_get_the_name_of_the_parameter() -> None:
    (args, _) = traced(scaled, tf.TensorSpec([None])).structured_input_signature

    assert args[0] == tf.TensorSpec([None], tf.float32, name="x")


@behaviour("F50")
def test_variables_show_as_specs_with_an_alias_each() -> None:
    one, two = tf.Variable(1.0), tf.Variable([2.0], trainable=False)
    (args, _) = traced(lambda a, b, c: a, one, two, one).structured_input_signature
    texts = [repr(spec) for spec in args]

    assert texts[0] == "VariableSpec(shape=(), dtype=tf.float32, trainable=True, alias_id=0)"
    assert texts[1] == "VariableSpec(shape=(1,), dtype=tf.float32, trainable=False, alias_id=1)"
    assert texts[2] == texts[0]


@behaviour("F51")
def test_outputs_keep_their_nest_and_none_in_it() -> None:
    cf = traced(lambda x: {"b": x, "a": (x[:1], None)}, tf.TensorSpec([2]))
    symbolic = cf.structured_outputs

    assert list(symbolic) == ["b", "a"]
    assert symbolic["a"][1] is None
    assert not hasattr(symbolic["b"], "numpy")
    assert cf.output_shapes == {"b": tf.TensorShape([2]), "a": (tf.TensorShape([1]), None)}
    assert cf.output_dtypes == {"b": tf.float32, "a": (tf.float32, None)}


@behaviour("F51")
def test_a_function_that_returns_nothing_has_no_outputs() -> None:
    cf = traced(lambda: None)

    assert cf.structured_outputs is None
    assert cf.outputs == []
    assert cf() is None


@behaviour("F52")
def test_inputs_are_the_placeholders_and_then_one_for_each_capture() -> None:
    v = tf.Variable(2.0)
    large = tf.ones([200])
    cf = traced(lambda x: x * v + tf.reduce_sum(large), SCALAR)

    assert [tensor.dtype for tensor in cf.inputs] == [tf.float32, tf.resource, tf.float32]
    assert cf.captured_inputs[0] is v.handle
    assert cf.captured_inputs[1] is large


@behaviour("F52")
def test_outputs_are_flat_in_the_order_of_sorted_keys_and_results_in_the_users() -> None:
    cf = traced(lambda x: {"b": x, "a": (x + 1.0, x + 2.0)}, SCALAR)
    symbolic = cf.structured_outputs
    flat = [symbolic["a"][0], symbolic["a"][1], symbolic["b"]]

    assert [tensor.name for tensor in cf.outputs] == [tensor.name for tensor in flat]
    assert list(cf(tf.constant(1.0))) == ["b", "a"]


@behaviour("F52")
def test_names_of_the_graph_the_function_and_its_definition() -> None:
    cf = scaling()

    assert type(cf.graph).__name__ == "FuncGraph"
    assert type(cf).__name__ == "ConcreteFunction"
    assert type(tf.function(scaled)).__name__ == "Function"
    assert cf.graph.name == "scaled"
    assert re.fullmatch(rb"__inference_scaled_\d+", cf.name)
    assert cf.function_def.signature.name.encode() == cf.name


@behaviour("F52")
def test_its_variables_are_tuples() -> None:
    v, constant = tf.Variable(1.0), tf.Variable(1.0, trainable=False)
    cf = traced(lambda: v + constant)

    assert (type(cf.variables), type(cf.trainable_variables)) == (tuple, tuple)
    assert [one is two for one, two in zip(cf.variables, (v, constant), strict=True)] == [True] * 2
    assert len(cf.trainable_variables) == 1
    assert cf.trainable_variables[0] is v


# ---- text

SIGNATURE = """Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(None,), dtype=tf.float32, name='inp')
  n (POSITIONAL_OR_KEYWORD): Literal[1]
  k (KEYWORD_ONLY): Literal[2]
Output Type:
  TensorSpec(shape=(None,), dtype=tf.float32, name=None)
Captures:
  None"""


@behaviour("F53")
def test_the_pretty_signature_lists_parameters_results_and_captures() -> None:
    cf = scaling()

    assert cf.pretty_printed_signature() == SIGNATURE
    assert str(cf) == f"ConcreteFunction {SIGNATURE}"


@behaviour("F53")
def test_texts_have_the_names_that_specs_were_given_and_the_structure_has_all() -> None:
    cf = traced(lambda x, y: x + y, tf.TensorSpec([], name="inp"), SCALAR)
    spec = "TensorSpec(shape=(), dtype=tf.float32, name="

    assert f"(x: {spec}'inp'), y: {spec}None)) -> {spec}None)" in repr(cf)
    assert f"y (POSITIONAL_OR_KEYWORD): {spec}None)" in str(cf)
    assert ["inp", None] == [one.annotation.name for one in cf.function_type.parameters.values()]
    assert ["inp", "y"] == [one.name for one in cf.structured_input_signature[0]]


@behaviour("F53")
def test_nested_types_have_a_text_of_one_line() -> None:
    cf = traced(lambda x: {"o": x, "l": [x, (x, None)]}, SCALAR)
    spec = "TensorSpec(shape=(), dtype=tf.float32, name=None)"
    text = cf.pretty_printed_signature()

    for part in (f"['o', {spec}]", f"List[{spec}, Tuple[{spec}, Literal[None]]]", "Dict[["):
        assert part in text
    assert text.index("['o'") < text.index("['l'")


@behaviour("F53")
def test_its_repr_is_one_line_with_an_address() -> None:
    spec = "TensorSpec(shape=(None,), dtype=tf.float32, name="
    expected = (
        f"<ConcreteFunction (x: {spec}'inp'), n: Literal[1], *, k: Literal[2]) -> {spec}None)"
    )

    assert re.fullmatch(re.escape(expected) + " at 0x[0-9a-fA-F]+>", repr(scaling()))


@behaviour("F53")
def test_captures_are_listed() -> None:
    v = tf.Variable(2.0)
    text = traced(lambda x: x * v, SCALAR).pretty_printed_signature()

    assert "TensorSpec(shape=(), dtype=tf.resource" in text.partition("Captures:")[2]


@behaviour("F53")
def test_all_signatures_are_joined_by_a_blank_line() -> None:
    f = tf.function(scaled)
    first = f.get_concrete_function(tf.TensorSpec([1]))
    second = f.get_concrete_function(tf.TensorSpec([2]))
    texts = [first.pretty_printed_signature(), second.pretty_printed_signature()]

    assert f.pretty_printed_concrete_signatures() == "\n\n".join(texts)


@behaviour("F53")
def test_signatures_in_one_line_each() -> None:
    f = tf.function(scaled)
    first = f.get_concrete_function(tf.TensorSpec([1]))
    second = f.get_concrete_function(tf.TensorSpec([2]))
    spec = "TensorSpec(shape=(1,), dtype=tf.float32, name=None)"

    text = f"(x: {spec}, n: Literal[1], *, k: Literal[2]) -> {spec}"
    assert first.pretty_printed_signature(verbose=False) == text
    lines = f.pretty_printed_concrete_signatures(verbose=False).split("\n")
    assert lines == [text, second.pretty_printed_signature(False)]


@behaviour("F53")
def test_what_stands_before_more_positions_is_given_by_position() -> None:
    one = tf.constant(1.0)
    f = tf.function(lambda x, *more, k=2: x)
    spec = "TensorSpec(shape=(), dtype=tf.float32, name=None)"
    short = f.get_concrete_function(one, one).pretty_printed_signature(False)
    long = f.get_concrete_function(one).pretty_printed_signature()

    assert short == f"(x: {spec}, more_0: {spec}, /, *, k: Literal[2]) -> {spec}"
    assert long.startswith(f"Input Parameters:\n  x (POSITIONAL_ONLY): {spec}\n  k (KEYWORD_ONLY)")
    assert traced(lambda: one).pretty_printed_signature().startswith("Input Parameters:\nOutput")


# ---- calling


@behaviour("F54")
@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((PAIR, 1), {"k": 2}),
        ((PAIR,), {"n": 1, "k": 2}),
        ((), {"x": PAIR, "n": 1, "k": 2}),
        ((PAIR,), {}),
        ((), {"inp": PAIR}),
    ],
)
def test_a_call_is_structured_or_a_flat_list_of_tensors(args: Any, kwargs: Any) -> None:
    assert scaling()(*args, **kwargs).numpy().tolist() == [2.0, 4.0]


@behaviour("F54")
def test_nested_arguments_may_be_given_flat() -> None:
    cf = traced(lambda d, l: d["a"] - l[0], {"a": SCALAR}, [SCALAR])  # noqa: E741
    three, one = tf.constant(3.0), tf.constant(1.0)

    assert cf({"a": three}, [one]).numpy() == 2.0
    assert cf(three, one).numpy() == 2.0
    assert cf(l=one, d=three).numpy() == 2.0


@behaviour("F54")
@differs
@pytest.mark.parametrize("kwargs", [{"n": 1}, {"k": 2}])
def test_literals_may_be_left_out_one_by_one(kwargs: Any) -> None:
    assert scaling()([1.0, 2.0], **kwargs).numpy().tolist() == [2.0, 4.0]


@behaviour("F55")
def test_values_are_cast_in_a_structured_call() -> None:
    cf = scaling()

    assert cf([1.0, 2.0], 1, k=2).numpy().tolist() == [2.0, 4.0]
    assert cf(np.array([1, 2]), 1, k=2).numpy().tolist() == [2.0, 4.0]


@behaviour("F55")
@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((PAIR, 7), {"k": 2}, r"Can not cast 7 to Literal\[1\]"),
        ((PAIR, 1), {"k": 3}, r"Can not cast 3 to Literal\[2\]"),
        ((), {}, "missing a required argument"),
        ((PAIR, 1, 2), {}, "too many positional arguments"),
        ((PAIR, 1), {"k": 2, "z": 3}, "unexpected keyword argument 'z'"),
        ((PAIR,), {"x": PAIR}, "multiple values for argument 'x'"),
    ],
)
def test_a_call_that_fits_neither_form_says_why(args: Any, kwargs: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        scaling()(*args, **kwargs)


@behaviour("F55")
@differs
def test_one_reason_is_given_not_two() -> None:
    with pytest.raises(TypeError) as failure:
        scaling()(PAIR, 7, k=2)

    assert "Can not cast" in str(failure.value)
    assert "Fallback to flat signature" not in str(failure.value)


@behaviour("F55")
@differs
def test_a_list_is_cast_where_only_literals_are_left_out() -> None:
    assert scaling()([1.0, 2.0]).numpy().tolist() == [2.0, 4.0]


@behaviour("F56")
@pytest.mark.parametrize("value", [1.0, 1, [1.0], np.array(1), [[1, 2]]])
def test_a_function_of_one_tensor_converts_python_values(value: Any) -> None:
    cf = traced(lambda x: x * 2.0, tf.TensorSpec(None, tf.float32))
    result = cf(value)

    assert result.dtype == tf.float32
    assert result.numpy().tolist() == (np.array(value) * 2.0).tolist()


@behaviour("F56")
def test_a_tensor_of_another_dtype_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)float.*int32|int32.*float"):
        scaling()(tf.constant([1]))


@behaviour("F56")
@differs
def test_that_is_a_type_error_too() -> None:
    with pytest.raises(TypeError, match="Can not cast"):
        scaling()(tf.constant([1]))


@behaviour("F57")
@differs
@pytest.mark.parametrize("value", [tf.ones([3]), tf.ones([1, 1])])
def test_shapes_are_checked_at_every_call(value: Any) -> None:
    cf = traced(lambda x: x, tf.TensorSpec([2]))

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"x: .*(axis 0 is 3|rank is 2)"):
        cf(value)


@behaviour("F58")
def test_captured_variables_are_live() -> None:
    v = tf.Variable(2.0)
    cf = traced(lambda: v * 2.0)
    v.assign(5.0)

    assert cf().numpy() == 10.0


@behaviour("F58")
def test_a_variable_argument_is_the_one_that_is_passed() -> None:
    one, two = tf.Variable(1.0), tf.Variable(2.0)
    cf = traced(lambda w: w.assign_add(10.0), one)
    cf(two)

    assert (one.numpy(), two.numpy()) == (1.0, 12.0)


@behaviour("F59")
def test_in_another_trace_it_is_one_call() -> None:
    v = tf.Variable(1.0)
    pure = traced(lambda x: x * 2.0, SCALAR)
    changing = traced(lambda x: v.assign_add(x), SCALAR)
    outer = traced(lambda x: pure(x) + changing(x), SCALAR)
    kinds = [op.type for op in outer.graph.get_operations()]

    assert kinds.count("PartitionedCall") == 1
    assert kinds.count("StatefulPartitionedCall") == 1
    assert outer(tf.constant(3.0)).numpy() == 10.0


# ---- lives


@behaviour("F60")
def test_it_outlives_its_function_while_its_variables_live() -> None:
    v = tf.Variable(2.0)
    cf = traced(lambda: v * 3.0)
    gc.collect()

    assert cf().numpy() == 6.0


@behaviour("F60")
def test_variables_in_the_closure_live_as_long_as_the_function() -> None:
    def make() -> Any:
        v = tf.Variable(2.0)
        return tf.function(lambda: v * 3.0)

    f = make()
    gc.collect()

    assert f().numpy() == 6.0


@behaviour("F60")
@differs
@pytest.mark.parametrize("place", ["under a tape", "in a function"])
def test_a_trace_keeps_the_values_that_it_works_on(place: str) -> None:
    held = [tf.Variable(2.0)]
    cf = traced(lambda: held[0] * 3.0)
    held.clear()
    gc.collect()

    with tf.GradientTape():
        result = cf() if place == "under a tape" else tf.function(lambda: cf())()

    assert result.numpy() == 6.0


@behaviour("F61")
def test_the_tracing_count_is_that_of_the_traces() -> None:
    f = tf.function(lambda x: x)
    counts = [f.experimental_get_tracing_count()]
    for value in (1, 1, 2):
        f(value)
        counts.append(f.experimental_get_tracing_count())
    f.get_concrete_function(SCALAR)

    assert counts == [0, 1, 1, 2]
    assert f.experimental_get_tracing_count() == 3


@behaviour("F61")
def test_a_trace_that_raised_and_eager_runs_are_not_counted() -> None:
    def body(x: Any) -> Any:
        if x == 1:
            raise ValueError("one")
        return x

    f = tf.function(body)
    with pytest.raises(ValueError, match="one"):
        f(1)
    tf.config.run_functions_eagerly(True)
    f(2)

    assert f.experimental_get_tracing_count() == 0


@behaviour("F62")
def test_a_function_shows_what_it_decorates() -> None:
    f = tf.function(scaled)

    assert f.python_function is scaled
    assert f.__wrapped__ is scaled
    assert (f.__name__, f.__doc__, f.__module__) == ("scaled", "x n k times.", __name__)
    assert f.__qualname__ == "scaled"
    assert str(inspect.signature(f)) == str(inspect.signature(scaled))


@behaviour("F62")
def test_a_partial_can_be_decorated_and_has_no_name() -> None:
    f = tf.function(functools.partial(scaled, n=3))

    assert f(tf.constant(1.0)).numpy() == 6.0
    assert not hasattr(f, "__name__")


@behaviour("F63")
def test_initialization_is_asked_for_before_the_first_use() -> None:
    f = tf.function(lambda x: x)
    f(1)

    with pytest.raises(RuntimeError, match="cannot be called after the function has been used"):
        f.get_initialization_function(1)


@behaviour("F63")
def test_an_initialization_function_gives_the_variables_their_values() -> None:
    made: list[Any] = []

    @tf.function
    def f() -> Any:
        if not made:
            made.append(tf.Variable(2.0))
        return made[0] * 3.0

    f.get_initialization_function()()

    assert made[0].numpy() == 2.0
    assert f().numpy() == 6.0


@behaviour("F63")
def test_a_function_cannot_be_pickled() -> None:
    f = tf.function(scaled)
    f(tf.constant(1.0))

    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        pickle.dumps(f)


@behaviour("F63")
def test_a_concrete_function_cannot_be_copied() -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        copy.deepcopy(scaling())


@behaviour("F63")
@differs
def test_a_copy_of_a_function_is_one_without_traces() -> None:
    f = tf.function(scaled)
    f(tf.constant(1.0))
    copied = copy.deepcopy(f)

    assert copied.experimental_get_tracing_count() == 0
    assert copied(tf.constant(1.0)).numpy() == 2.0
