"""What Keras 2 takes from TensorFlow's private side: exports, dispatchers, tracking, graphs."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Iterator
from inspect import FullArgSpec, getfullargspec, signature
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compat import private_names
from tensormill.compat.private_modules import (
    conversion,
    decorators,
    dispatchers,
    exports,
    internal,
    saved_models,
    tracking,
)
from tensormill.function.function import Function
from tensormill.module.trackable import AutoTrackable
from tensormill.ops.dispatch.meanings import OF_FOREIGN


class Symbol:
    """A client's own object, which stands for a tensor."""

    dtype = tf.float32
    __mul__ = tf.Tensor.__mul__
    __getitem__ = tf.Tensor.__getitem__

    def __array__(self, dtype: Any = None) -> Any:
        raise TypeError("a symbol has no values")


@pytest.fixture
def calls() -> Iterator[list[Any]]:
    """Calls with a symbol, as a client's dispatcher sees them."""
    seen: list[Any] = []

    class Dispatcher(dispatchers.GlobalOpDispatcher):
        def handle(self, op: Any, args: Any, kwargs: Any) -> Any:
            if not any(isinstance(one, Symbol) for one in tf.nest.flatten([args, kwargs])):
                return self.NOT_SUPPORTED
            seen.append((exports.get_canonical_name_for_symbol(op), len(args)))
            return "answered"

    before = list(OF_FOREIGN)
    Dispatcher().register()
    yield seen
    OF_FOREIGN[:] = before


def test_clients_answer_calls_with_their_own_objects(calls: list[Any]) -> None:
    symbol: Any = Symbol()

    assert {"answered"} == {
        tf.add(symbol, 1.0), tf.concat([symbol, tf.ones(2)], -1), tf.reduce_sum(symbol),
        symbol * 2.0, symbol[1:, ...], tf.boolean_mask(symbol, [True]),
    }  # fmt: skip
    assert ["math.add", "concat", "math.reduce_sum", "math.multiply", "__operators__.getitem",
            "boolean_mask"] == [name for name, _ in calls]  # fmt: skip
    assert 3.0 == float(tf.add(1.0, 2.0))


def test_a_dispatcher_of_one_function_comes_first(calls: list[Any]) -> None:
    class OfRows(dispatchers.OpDispatcher):
        def handle(self, args: Any, kwargs: Any) -> Any:
            return "rows" if isinstance(args[1], Symbol) else self.NOT_SUPPORTED

    OfRows().register(tf.RaggedTensor.from_row_lengths)

    assert "rows" == tf.RaggedTensor.from_row_lengths(Symbol(), [1, 2])
    assert [[1], [2, 3]] == tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 2]).to_list()
    with pytest.raises(ValueError, match="not dispatchable"):
        OfRows().register(print)


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("math.add", tf.add), ("concat", tf.concat), ("nn.softmax", tf.nn.softmax),
        ("linalg.matmul", tf.matmul), ("math.sigmoid", tf.nn.sigmoid), ("reshape", tf.reshape),
        ("math.log_sigmoid", tf.math.log_sigmoid), ("strings.as_string", tf.as_string),
        ("debugging.assert_equal", tf.debugging.assert_equal), ("image.resize", tf.image.resize),
    ],
)  # fmt: skip
def test_a_function_is_known_by_the_name_that_tensorflows_files_have(
    name: str, symbol: Any
) -> None:
    assert name == exports.get_canonical_name_for_symbol(symbol)
    assert symbol is exports.get_symbol_from_name(name)


def test_clients_export_names_of_their_own() -> None:
    @exports.keras_export("keras.layers.Own", "keras.Own")
    class Own: ...

    assert "keras.layers.Own" == exports.get_canonical_name_for_symbol(Own, "keras")
    assert Own is exports.get_symbol_from_name("keras.Own")
    assert exports.get_canonical_name_for_symbol(type("Other", (Own,), {}), "keras") is None


def test_wrappers_tell_what_they_wrap() -> None:
    def target(x: int, y: int = 2) -> int:
        """Adds."""
        return x + y

    made = decorators.make_decorator(target, lambda *args: target(*args))

    assert ("target", "Adds.", 5) == (made.__name__, made.__doc__, made(2, 3))
    assert target is decorators.unwrap(made)[1]
    assert "axis" in decorators.unwrap(tf.concat)[1].__code__.co_varnames


def test_wrappers_have_the_signature_that_they_are_told() -> None:
    class Layer:
        def call(self, x: Any, training: Any = None) -> Any:
            return x

    def wrapped(target: Any, told: Any = None) -> Any:
        def around(*args: Any, **kwargs: Any) -> Any:
            return args, kwargs

        return decorators.make_decorator(target, around, decorator_argspec=told)

    method = Layer().call
    told = getfullargspec(method)._replace(defaults=(False,))
    rare = FullArgSpec(["x"], "args", "kw", None, ["training", "z"], {"training": False}, {})
    # As TensorFlow's, which drops a `self` that was told of one wrapper at the next one.
    assert [
        [("self", "x", "training"), False],
        [("x", "training"), False],
        [("x", "training"), None],
        [("x", "args", "training", "z", "kw"), False],
    ] == [
        [tuple(found := signature(one).parameters), found["training"].default]
        for one in (
            wrapped(method, told),
            wrapped(wrapped(method, told)),
            wrapped(method),
            wrapped(method, rare),
        )
    ]
    traced = tf.function(wrapped(wrapped(method, told)), autograph=False)
    assert ["x", "training"] == traced.function_spec.arg_names


def test_specs_take_another_shape_under_a_private_name() -> None:
    spec: Any = tf.TensorSpec([2, 3], name="x")
    spec._shape = [None, 3]
    assert tf.TensorSpec([None, 3]) == spec._without_tensor_names()
    assert (tf.TensorSpec([None, 3], name="x"), spec.shape) == (spec, spec._shape)


def test_copies_of_specs_may_lose_their_names() -> None:
    spec = tf.TensorSpec([2], name="x")
    other = copy.deepcopy(spec)
    other._name = None

    assert (spec.name, other.name, other._name) == ("x", None, None)
    assert other == tf.TensorSpec([2])


def test_children_that_an_object_was_given_have_names() -> None:
    module: Any = tf.Module()
    module.a = tf.Variable(1.0)
    module._track_trackable(tf.Variable(2.0), "b")
    assert {"a", "b"} == set(module._self_unconditional_dependency_names)


def test_attributes_that_a_client_tracks_are_all_the_children() -> None:
    class Own(tf.Module):
        def __setattr__(self, name: str, value: Any) -> None:
            if not name.startswith("_"):
                value = tracking.sticky_attribute_assignment(self, name, value)
            object.__setattr__(self, name, value)

    own: Any = Own()
    parts: Any = (tf.Variable(2.0), [tf.Variable(3.0, trainable=False)])
    own.v, own.parts = tf.Variable(1.0), parts
    own._hidden = tf.Variable(4.0)
    own.plain = own._no_dependency([tf.Variable(5.0)])

    assert {"v", "parts"} == own._trackable_children().keys()
    assert [[1], 1] == [[len(own.parts[1].non_trainable_weights)], len(own.parts[0:1])]
    assert 2 == len(own.parts.weights)
    _, paths = tracking.ObjectGraphView(own).breadth_first_traversal()
    assert ["parts", "1", "0"] == [step.name for step in paths[own.parts[1][0]]]
    own._delete_tracking("v")
    assert {"parts"} == own._trackable_children().keys()


def test_a_checkpoint_may_know_its_root_weakly(tmp_path: Any) -> None:
    module: Any = tf.Module()
    module.v = tf.Variable(1.0)
    path = tf.train.Checkpoint(weakref.ref(module)).write(tmp_path / "c")
    module.v.assign(2.0)
    tf.train.Checkpoint(weakref.ref(module)).read(path)

    assert 1.0 == module.v.numpy()


def test_a_model_is_saved_with_the_ways_to_its_parts_and_loaded_into_them(tmp_path: Any) -> None:
    module: Any = tf.Module()
    module.part = tf.Module()
    module.part.v = tf.Variable(3.0)
    nodes, paths = saved_models.save_and_return_nodes(module, tmp_path / "m")
    there: Any = tf.Module()
    there.v = tf.Variable(0.0)
    given = {"root": None, "root.part": (there, setattr), "root.part.v": (there.v, setattr)}

    assert module is nodes[0]
    assert ["part", "v"] == [step.name for step in paths[module.part.v]]
    assert there is saved_models.load_partial(tmp_path / "m", given)["root"].part
    assert 3.0 == there.v.numpy()


@pytest.mark.parametrize("kind", [tf.Module, AutoTrackable])
def test_what_is_assigned_while_tracking_is_off_is_no_child(kind: Any) -> None:
    """As the layer that Keras 2's Bidirectional has copies of."""
    owner = kind()
    owner.first = tf.Variable(1.0)
    owner._setattr_tracking = False
    owner.between = tf.Variable(2.0)
    owner._setattr_tracking = True
    owner.last = tf.Variable(3.0)

    assert owner._setattr_tracking is True
    assert {"first", "last"} == owner._trackable_children().keys()


def test_tables_that_are_there_are_filled_as_the_model_s_were(tmp_path: Any) -> None:
    """Keras 2 makes a StringLookup's table empty, and has it filled."""
    lookup = tf.lookup
    words = lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64))
    nothing: Any = SimpleNamespace(
        key_dtype=tf.string, value_dtype=tf.int64, initialize=lambda table: None
    )
    module: Any = tf.Module()
    module.table = lookup.StaticHashTable(words, -1)
    module.find = tf.function(
        lambda x: module.table.lookup(x), input_signature=[tf.TensorSpec([None], tf.string)]
    )
    tf.saved_model.save(module, tmp_path / "m")
    there = lookup.StaticHashTable(nothing, -1)
    given = {"root": None, "root.table": (there, setattr)}

    root = saved_models.load_partial(tmp_path / "m", given)["root"]

    assert there is root.table
    assert [2, -1] == there.lookup(tf.constant(["b", "c"])).numpy().tolist()
    assert [2, -1] == root.find(tf.constant(["b", "c"])).numpy().tolist()


def test_the_graph_that_is_traced_may_be_entered_again() -> None:
    """Gradients and names go on; what Keras enters is what it finds."""
    x = tf.Variable(3.0)

    @tf.function
    def slope() -> Any:
        with tf.GradientTape() as tape:
            graph = tf.compat.v1.get_default_graph()
            assert not hasattr(graph.outer_graph, "outer_graph")
            with graph.as_default():
                y = x * x
        return tape.gradient(y, x)

    assert 6.0 == float(slope())


def test_init_scope_keeps_names() -> None:
    with tf.name_scope("a"), tf.init_scope():
        assert "a/v:0" == tf.Variable(1.0, name="v").name


def test_what_clients_convert_is_converted_in_traces() -> None:
    def sign(x: Any) -> Any:
        if x > 0:
            return 1
        return -1

    def call(x: Any) -> Any:
        return conversion.tf_convert(sign, conversion.control_status_ctx())(x)

    assert -1 == int(tf.function(tf.autograph.experimental.do_not_convert(call))(tf.constant(-2)))


def test_weights_take_the_shape_of_values() -> None:
    assert [[2.0, 2.0], [3.0, 3.0]] == internal.broadcast_weights(
        [[2.0], [3.0]], tf.ones((2, 2))
    ).numpy().tolist()  # fmt: skip
    for weights in ([2.0, 3.0], [[1.0, 2.0, 3.0]]):
        with pytest.raises(ValueError, match="can not be broadcast"):
            internal.broadcast_weights(weights, tf.ones((2, 2)))


def test_an_average_follows_its_value() -> None:
    average = tf.Variable(1.0)
    internal.assign_moving_average(average, 3.0, 0.75, zero_debias=False)

    assert 1.5 == average.numpy()


def test_names_that_cannot_be_here_say_so_when_they_are_used() -> None:
    assert "there is one process" in str(private_names.reason_of_refusal(("distribute", "Server")))


def test_custom_gradients_know_what_they_lie_in() -> None:
    @tf.custom_gradient
    def twice(x: Any) -> Any:
        return 2.0 * x, lambda dy: 7.0 * dy

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = twice(x)
        return tape.gradient(y, x)

    assert 7.0 == float(tf.function(slope)(tf.constant(1.0)))


def test_what_clients_freeze_is_not_trainable() -> None:
    v: Any = tf.Variable(1.0)
    v._trainable = False

    assert not v.trainable
    with tf.GradientTape() as tape:
        y = v * 2.0
    assert tape.gradient(y, v) is None


def test_a_module_that_no_scope_can_be_called_after_is_made_in_a_trace() -> None:
    class _Hidden(tf.Module):
        def __init__(self) -> None:
            self.three = 3.0

    assert 3.0 == float(tf.function(lambda: tf.constant(_Hidden().three))())


def test_classes_are_int64_unless_another_dtype_is_asked_for() -> None:
    assert tf.int64 == tf.random.stateless_categorical([[0.0, 1.0]], 2, [1, 2], None).dtype


def test_clients_make_functions_by_their_class() -> None:
    made = Function(lambda x: 2 * x, "doubled", input_signature=[tf.TensorSpec(None, tf.float32)])

    assert isinstance(tf.function(lambda: 1), Function)
    assert made(np.float32(3)).numpy() == 6
    assert b"doubled" in made.get_concrete_function().name
    with pytest.raises(TypeError, match="input_signature must be either a tuple or a list"):
        Function(lambda x: x, "same", input_signature=3)
