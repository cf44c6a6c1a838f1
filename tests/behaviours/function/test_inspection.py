"""What Python's own tools see of functions and values: inspect, copy, weak references."""

from __future__ import annotations

import copy
import inspect
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf


def plain(a: Any, b: Any = 1, *rest: Any, c: Any = 2, **others: Any) -> Any:
    return a


def with_gradient(a: Any, b: Any = 1) -> Any:
    return a, lambda upstream: upstream


class Holder(tf.Module):
    @tf.function
    def traced(self, a: Any, b: Any = 1) -> Any:
        return a

    @tf.Module.with_name_scope
    def scoped(self, a: Any, b: Any = 1) -> Any:
        return a


WRAPPED = {
    "function": (tf.function(plain), plain),
    "recomputed": (tf.recompute_grad(plain), plain),
    "custom gradient": (tf.custom_gradient(with_gradient), with_gradient),
    "method in a scope": (Holder.scoped, inspect.unwrap(Holder.scoped)),
}


@behaviour("F1")
@pytest.mark.parametrize("name", WRAPPED)
def test_inspect_sees_the_parameters_of_the_function_within(name: str) -> None:
    made, function = WRAPPED[name]

    assert inspect.getfullargspec(made) == inspect.getfullargspec(function)
    assert inspect.signature(made) == inspect.signature(function)


@behaviour("F1")
def test_a_bound_method_has_no_parameter_for_its_instance() -> None:
    assert inspect.getfullargspec(Holder().traced).args == ["a", "b"]
    assert inspect.getfullargspec(Holder.traced).args == ["self", "a", "b"]


@behaviour("F1")
def test_a_copy_of_a_function_has_its_traces() -> None:
    runs: list[int] = []

    @tf.function
    def double(x: Any) -> Any:
        runs.append(1)
        return x * 2.0

    double(tf.constant(1.0))
    concrete = double.get_concrete_function(tf.constant(1.0))

    assert copy.copy(double)(tf.constant(3.0)).numpy() == 6.0
    assert copy.copy(concrete)(tf.constant(3.0)).numpy() == 6.0
    assert len(runs) == 1


@behaviour("F1")
def test_a_method_may_be_copied() -> None:
    holder = Holder()

    assert copy.copy(holder.traced)(tf.constant(3.0)).numpy() == 3.0


@behaviour("T1")
@pytest.mark.parametrize("make", [lambda: tf.TensorSpec([1]), lambda: tf.TensorShape([1])])
def test_specs_and_shapes_may_be_referred_to_weakly(make: Callable[[], Any]) -> None:
    value = make()

    assert weakref.ref(value)() is value


@behaviour("I13")
def test_what_is_no_tensor_is_its_own_static_value() -> None:
    values = [None, 1, 1.5, "a", [1, 2], (1,), {}, object()]

    assert [tf.get_static_value(value) for value in values] == values


@behaviour("V15")
def test_references_have_an_order() -> None:
    one, other = tf.Variable(1.0).ref(), tf.constant(2.0).ref()

    assert (one < other) is (id(one.deref()) < id(other.deref()))
    assert (one > other) is not (one < other)
    assert sorted([one, other]) == sorted([other, one])
    with pytest.raises(TypeError):
        sorted([one, 1])


class Wrapper(tf.Variable):
    """A variable around another one, as a strategy of one's own would have."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __repr__(self) -> str:
        return "wrapper"


@behaviour("V15")
def test_a_creator_may_return_a_subclass() -> None:
    def creator(next_creator: Any, **arguments: Any) -> Any:
        return Wrapper(next_creator(**arguments))

    with tf.variable_creator_scope(creator):
        made = tf.Variable(3.0)

    assert type(made) is Wrapper
    assert made.inner.numpy() == 3.0


@behaviour("I4")
def test_names_within_a_scope_may_begin_as_no_root_may() -> None:
    names: list[str] = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        with tf.name_scope("outer"), tf.name_scope("_inner") as scope:
            names.append(scope)
            names.append(tf.identity(x, name="-x").name)
        return x

    f(tf.constant(1.0))

    assert names == ["outer/_inner/", "outer/_inner/-x:0"]
    with pytest.raises(ValueError, match="not a valid"):
        tf.function(lambda x: tf.identity(x, name="_x"))(tf.constant(1.0))


@behaviour("I4")
@pytest.mark.parametrize(
    ("expected", "name"), [("__point", "_Point"), ("_p", "_P"), ("a__bc", "A_Bc")]
)
def test_a_private_module_has_a_private_name(expected: str, name: str) -> None:
    assert type(name, (tf.Module,), {})().name == expected


@behaviour("I4")
def test_a_module_may_be_given_a_name_scope() -> None:
    module = tf.Module(name="mine")
    module._name_scope = tf.name_scope("other/")

    with module.name_scope as scope:
        assert scope == "other/"


@behaviour("I4")
def test_names_of_modules_are_written_in_ascii() -> None:
    with pytest.raises(ValueError, match="not a valid module name"):
        tf.Module(name="größe")
