"""Public functions that mean something else for users' types: statements E1 to E7."""

# ruff: noqa: UP006, UP007, UP035, UP045 - TensorFlow takes `Union[...]` only, here both are

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, List, Optional, Union

import pytest

from tests.behaviours.library import behaviour, differs, tf

Register = Callable[..., Callable[[Any], Any]]


def new_type() -> Any:
    """A type of tensors with a unit, which nothing is registered for."""

    class Measured(tf.experimental.ExtensionType):
        __annotations__ = {"values": tf.Tensor}

        @property
        def shape(self) -> Any:
            return self.values.shape

        @property
        def dtype(self) -> Any:
            return self.values.dtype

    return Measured


@pytest.fixture
def register() -> Iterator[Register]:
    """The decorators of `tf.experimental`, whose effect ends with the test."""
    targets: list[Any] = []

    def decorator(name: str, *args: Any) -> Callable[[Any], Any]:
        def decorate(target: Any) -> Any:
            getattr(tf.experimental, f"dispatch_for_{name}")(*args)(target)
            targets.append(target)
            return target

        return decorate

    yield decorator
    for target in targets:
        tf.experimental.unregister_dispatch_for(target)


def answer(x: Any, y: Any, name: str | None = None) -> Any:
    """What `tf.add` and its like are told to mean: what it was called with."""
    return x, y, name


# ---- E1
@behaviour("E1")
def test_a_call_means_what_was_registered_for_its_types(register: Register):
    Measured = new_type()
    one = Measured(tf.constant([1.0]))
    register("api", tf.add, {"x": Measured})(answer)

    assert (one, 2, None) == tf.add(one, 2)
    assert (one, 2, "sum") == tf.add(y=2, x=one, name="sum")
    assert float(tf.add(1.0, 2.0)) == 3.0
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.add(2, one)


@behaviour("E1")
def test_a_signature_fits_where_all_of_it_does_and_one_composite(register: Register):
    Measured, Other = new_type(), new_type()
    one, other = Measured(tf.constant([1.0])), Other(tf.constant([1.0]))
    register("api", tf.add, {"x": Measured, "y": Union[Measured, tf.Tensor]})(answer)

    assert tf.add(one, one)[1] is one
    assert tf.add(one, tf.constant(1.0))[0] is one
    for wrong in (2, other, tf.Variable(1.0)):
        with pytest.raises(ValueError, match="Attempt to convert a value"):
            tf.add(one, wrong)


@behaviour("E1")
def test_classes_below_the_registered_one_fit_too(register: Register):
    Measured = new_type()

    class Exact(Measured):
        pass

    register("api", tf.add, {"x": Measured})(answer)
    exact = Exact(tf.constant([1.0]))
    assert tf.add(exact, 1)[0] is exact


@behaviour("E1")
@pytest.mark.parametrize(
    ("signature", "arguments"),
    [
        ({"x": tf.Tensor}, (tf.constant(1.0), tf.constant(2.0))),
        ({"x": Union[tf.experimental.ExtensionType, tf.Tensor]}, (tf.constant(1.0), 2.0)),
        ({"x": float}, (1.0, 2.0)),
        ({"x": object}, (1.0, 2.0)),
        ({}, (1.0, 2.0)),
    ],
    ids=["a tensor", "a union", "a number", "anything", "nothing"],
)
def test_tensors_and_numbers_mean_what_they_always_do(
    register: Register, signature: Any, arguments: Any
):
    register("api", tf.add, signature)(answer)
    assert float(tf.add(*arguments)) == 3.0


@behaviour("E1")
def test_lists_fit_by_all_their_elements(register: Register):
    Measured = new_type()
    one, number = Measured(tf.constant([1.0])), tf.constant([2.0])

    @register("api", tf.concat, {"values": List[Union[Measured, tf.Tensor]]})
    def joined(values: Any, axis: Any, name: str = "concat") -> Any:
        return len(values), axis, name

    assert (2, 0, "concat") == tf.concat([one, number], 0)
    assert (1, 1, "concat") == tf.concat((one,), axis=1)
    assert tf.concat([number, number], 0).numpy().tolist() == [2.0, 2.0]
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.concat([one, 3.0], 0)


@behaviour("E1")
def test_a_position_names_a_parameter_and_none_what_is_left_out(register: Register):
    Measured = new_type()
    one = Measured(tf.constant([1.0]))
    register("api", tf.add, {1: Measured, "name": Optional[str]})(answer)

    assert tf.add(1, one)[1] is one
    assert tf.add(1, one, "sum")[2] == "sum"


@behaviour("E1")
def test_one_of_several_signatures_is_enough(register: Register):
    Measured = new_type()
    one = Measured(tf.constant([1.0]))
    register("api", tf.add, {"x": Measured}, {"y": Measured})(answer)

    assert [(one, 1, None), (1, one, None), (one, one, None)] == [
        tf.add(one, 1),
        tf.add(1, one),
        tf.add(one, one),
    ]


@behaviour("E1")
def test_annotations_of_the_function_are_a_signature(register: Register):
    Measured = new_type()
    one = Measured(tf.constant([1.0]))

    def of_measured(x, y, name=None):
        return "measured"

    of_measured.__annotations__ = {"x": Measured, "y": Union[Measured, int], "return": str}
    register("api", tf.subtract)(of_measured)

    assert tf.subtract(one, 1) == "measured"
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.subtract(one, 1.0)


# ---- E2
@behaviour("E2")
@pytest.mark.parametrize(
    "api", [print, tf.constant, "add"], ids=["a builtin", "tf.constant", "a name"]
)
def test_not_every_function_has_other_meanings(api: Any):
    with pytest.raises(ValueError, match="does not support dispatch"):
        tf.experimental.dispatch_for_api(api, {"x": new_type()})


@behaviour("E2")
@pytest.mark.parametrize(
    ("signature", "error"),
    [
        ({"z": tf.RaggedTensor}, ValueError),
        ({5: tf.RaggedTensor}, ValueError),
        ([tf.RaggedTensor], TypeError),
        ({"x": "RaggedTensor"}, ValueError),
        ({"x": 3}, ValueError),
        ({"x": tuple[tf.RaggedTensor, tf.RaggedTensor]}, ValueError),
        ({"x": dict[str, tf.RaggedTensor]}, ValueError),
        ({"x": List}, ValueError),
    ],
    ids=[
        "no such name", "no such place", "no mapping", "a text", "a number", "a tuple", "a dict",
        "a list of what?",
    ],
)  # fmt: skip
def test_a_signature_that_asks_for_nothing_known_is_refused(signature: Any, error: type[Exception]):
    with pytest.raises(error):
        tf.experimental.dispatch_for_api(tf.add, signature)(answer)


@behaviour("E2")
@pytest.mark.parametrize(
    "target",
    [
        lambda a, b, name=None: None,
        lambda y, x, name=None: None,
        lambda x, y, name=None, extra=1: None,
        lambda x, **rest: None,
    ],
    ids=["other names", "another order", "one more", "some by keyword"],
)
def test_a_function_of_other_parameters_is_refused(target: Any):
    with pytest.raises(ValueError, match="signature"):
        tf.experimental.dispatch_for_api(tf.add, {"x": new_type()})(target)


@behaviour("E2")
def test_what_is_registered_must_be_callable_and_have_a_signature():
    with pytest.raises(TypeError, match="callable"):
        tf.experimental.dispatch_for_api(tf.add, {"x": new_type()})(3)
    with pytest.raises(ValueError, match="signature"):
        tf.experimental.dispatch_for_api(tf.add)(lambda x, y, name=None: None)


@behaviour("E2")
def test_the_name_may_be_left_out_and_defaults_are_those_of_the_public_function():
    Measured = new_type()
    one = Measured(tf.constant([1.0]))
    tf.experimental.dispatch_for_api(tf.multiply, {"x": Measured})(lambda x, y: (x, y))
    tf.experimental.dispatch_for_api(tf.minimum, {"x": Measured})(lambda *args, **kwargs: args)

    assert (one, 2) == tf.multiply(one, 2, name="product")
    assert (one, 2, None) == tf.minimum(y=2, x=one)


# ---- E3
@behaviour("E3")
def test_two_functions_that_fit_are_an_error(register: Register):
    Measured = new_type()
    one = Measured(tf.constant([1.0]))
    register("api", tf.add, {"x": Measured})(answer)
    register("api", tf.add, {"y": Measured})(lambda x, y, name=None: "other")

    assert tf.add(one, 1)[0] is one
    assert tf.add(1, one) == "other"
    with pytest.raises(ValueError, match="Multiple dispatch targets"):
        tf.add(one, one)


@behaviour("E3")
def test_what_was_registered_is_taken_back():
    Measured = new_type()
    one = Measured(tf.constant([1.0]))
    for api in (tf.add, tf.subtract):
        tf.experimental.dispatch_for_api(api, {"x": Measured})(answer)
    tf.experimental.unregister_dispatch_for(answer)

    for api in (tf.add, tf.subtract):
        with pytest.raises(ValueError, match="Attempt to convert a value"):
            api(one, 1)
    with pytest.raises(ValueError, match="was not registered"):
        tf.experimental.unregister_dispatch_for(answer)


@behaviour("E3")
@differs
def test_a_meaning_of_the_users_precedes_that_of_the_library(register: Register):
    rows = tf.ragged.constant([[1.0], [2.0, 3.0]])
    register("api", tf.add, {"x": tf.RaggedTensor})(lambda x, y, name=None: "mine")
    register("unary_elementwise_apis", tf.RaggedTensor)(lambda api, x: "mine too")

    assert tf.add(rows, 1.0) == "mine"
    assert rows + 1.0 == "mine"
    assert tf.exp(rows) == "mine too"


# ---- E4
@behaviour("E4")
@pytest.mark.parametrize("error", [KeyError("k"), TypeError("t"), ValueError("v")], ids=repr)
def test_what_a_registered_function_raises_is_raised(register: Register, error: Exception):
    Measured = new_type()

    @register("api", tf.square, {"x": Measured})
    def failing(x: Any, name: str | None = None) -> Any:
        raise error

    with pytest.raises(type(error)) as raised:
        tf.square(Measured(tf.constant(1.0)))
    assert raised.value is error


@behaviour("E4")
def test_a_function_that_does_not_answer_leaves_the_call_as_it_was(register: Register):
    Measured = new_type()
    register("api", tf.square, {"x": Measured})(lambda x, name=None: NotImplemented)

    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.square(Measured(tf.constant(1.0)))


@behaviour("E4")
def test_wrong_arguments_are_wrong_before_any_meaning_is_looked_for(register: Register):
    Measured = new_type()
    one = Measured(tf.constant([1.0]))
    register("api", tf.add, {"x": Measured})(answer)

    for call in (lambda: tf.add(one), lambda: tf.add(one, 1, None, 3), lambda: tf.add(one, 1, z=1)):
        with pytest.raises(TypeError):
            call()


# ---- E5
@behaviour("E5")
def test_one_handler_serves_all_functions_of_one_tensors_elements(register: Register):
    Measured = new_type()

    @register("unary_elementwise_apis", Measured)
    def of_values(api: Any, x: Any) -> Any:
        return Measured(api(x.values))

    one = Measured(tf.constant([-1.5, 4.0]))
    calls = [
        (tf.abs(one), [1.5, 4.0]),
        (tf.cast(one, tf.int32), [-1, 4]),
        (tf.clip_by_value(one, 0.0, 3.0), [0.0, 3.0]),
        (tf.nn.relu(features=one), [0.0, 4.0]),
        (tf.nn.leaky_relu(one, alpha=0.5), [-0.75, 4.0]),
        (tf.zeros_like(one, dtype=tf.int32), [0, 0]),
        (tf.strings.as_string(one, precision=1), [b"-1.5", b"4.0"]),
        (tf.math.negative(one, name="n"), [1.5, -4.0]),
        (tf.identity(one), [-1.5, 4.0]),
    ]
    for result, expected in calls:
        assert expected == result.values.numpy().tolist()
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.reduce_sum(one)


@behaviour("E5")
def test_one_handler_serves_all_functions_of_two_tensors_elements(register: Register):
    Measured = new_type()

    @register("binary_elementwise_apis", Measured, Union[Measured, tf.Tensor])
    def of_values(api: Any, x: Any, y: Any) -> Any:
        return Measured(api(x.values, getattr(y, "values", y)))

    one, two = (Measured(tf.constant([number])) for number in (1.0, 2.0))
    calls = [
        (tf.add(one, two), [3.0]),
        (tf.subtract(one, tf.constant([4.0])), [-3.0]),
        (tf.less(one, y=two, name="n"), [True]),
        (tf.divide(one, two), [0.5]),
        (tf.complex(one, two), [1 + 2j]),
        (tf.pow(two, two), [4.0]),
    ]
    for result, expected in calls:
        assert expected == result.values.numpy().tolist()
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.add(tf.constant(1.0), two)


@behaviour("E5")
def test_one_handler_serves_all_assertions_about_two_tensors_elements():
    Measured = new_type()

    @tf.experimental.dispatch_for_binary_elementwise_assert_apis(Measured, Measured)
    def of_values(api: Any, x: Any, y: Any) -> Any:
        return api(x.values, y.values)

    one, two = (Measured(tf.constant([number])) for number in (1.0, 2.0))
    tf.debugging.assert_less(one, two)
    tf.debugging.assert_near(one, two, rtol=1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="they must be"):
        tf.debugging.assert_equal(one, two, message="they must be")


@behaviour("E5")
def test_a_type_has_one_handler(register: Register):
    Measured = new_type()
    register("unary_elementwise_apis", Measured)(lambda api, x: "first")
    register("binary_elementwise_apis", Measured, Measured)(lambda api, x, y: "first")

    with pytest.raises(ValueError, match="already been registered"):
        tf.experimental.dispatch_for_unary_elementwise_apis(Measured)(lambda api, x: "second")
    with pytest.raises(ValueError, match="already been registered"):
        tf.experimental.dispatch_for_binary_elementwise_apis(Measured, Measured)(
            lambda api, x, y: "second"
        )
    register("binary_elementwise_apis", Measured, tf.Tensor)(lambda api, x, y: "of a tensor")
    one = Measured(tf.constant(1.0))
    assert ["first", "of a tensor"] == [tf.add(one, one), tf.add(one, tf.constant(1.0))]


@behaviour("E5")
def test_a_function_and_a_handler_that_fit_are_an_error(register: Register):
    Measured = new_type()
    register("unary_elementwise_apis", Measured)(lambda api, x: "all")
    register("api", tf.exp, {"x": Measured})(lambda x, name=None: "exp")

    assert tf.abs(Measured(tf.constant(1.0))) == "all"
    with pytest.raises(ValueError, match="Multiple dispatch targets"):
        tf.exp(Measured(tf.constant(1.0)))


# ---- E6
@behaviour("E6")
def test_types_mean_the_same_while_tracing(register: Register):
    Measured = new_type()

    @register("api", tf.concat, {"values": List[Measured]})
    def joined(values: Any, axis: Any, name: str = "concat") -> Any:
        return Measured(tf.concat([one.values for one in values], axis, name))

    @register("unary_elementwise_apis", Measured)
    def of_values(api: Any, x: Any) -> Any:
        return Measured(api(x.values))

    @tf.function
    def twice(x: Any) -> Any:
        return tf.concat([x, tf.square(x)], 0)

    assert [3.0, 9.0] == twice(Measured(tf.constant([3.0]))).values.numpy().tolist()


@behaviour("E6")
def test_an_exception_of_a_meaning_leaves_the_trace(register: Register):
    Measured = new_type()

    class Wrong(Exception):
        pass

    @register("api", tf.square, {"x": Measured})
    def failing(x: Any, name: str | None = None) -> Any:
        raise Wrong("no square")

    with pytest.raises(Wrong, match="no square"):
        tf.function(lambda x: tf.square(x))(Measured(tf.constant(1.0)))


# ---- E7
@behaviour("E7")
@pytest.mark.parametrize(
    "name",
    """abs argmax boolean_mask broadcast_to case cast clip_by_norm concat cond
    convert_to_tensor cumsum expand_dims eye fill foldl gather gather_nd identity image.resize
    linalg.inv linalg.matmul
    math.bincount math.erf math.reduce_logsumexp math.segment_sum math.top_k nn.conv2d nn.dropout
    nn.embedding_lookup nn.max_pool nn.moments nn.softmax one_hot pad ragged.boolean_mask
    random.uniform range rank reduce_sum repeat reshape reverse scatter_nd sequence_mask shape
    signal.fft signal.stft size slice sort sparse.bincount split squeeze stack strings.join
    strings.length strings.split strings.substr tensordot tile transpose unique unstack where
    zeros_like""".split(),
)
def test_functions_of_tensors_have_other_meanings(name: str):
    Measured = new_type()
    api: Any = tf
    for part in name.split("."):
        api = getattr(api, part)
    tf.experimental.dispatch_for_api(api, {0: Measured})(lambda *args, **kwargs: args[0])
    one = Measured(tf.constant([1.0]))

    assert api(one, *needed(api)) is one


def needed(api: Any) -> list[None]:
    """One argument for each parameter after the first that needs one."""
    _, *others = inspect.signature(api).parameters.values()
    by_position = [one for one in others if one.kind is one.POSITIONAL_OR_KEYWORD]
    return [None for one in by_position if one.default is one.empty]
