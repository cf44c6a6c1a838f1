"""Iterators that functions and eager calls make: what TensorFlow 2.21 gives for them."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

from .test_raw_datasets import ONE, RAW, numbers


def made() -> Any:
    return tf.function(lambda: numbers(3)).get_concrete_function()


def element_of(iterator: Any) -> Any:
    return RAW.IteratorGetNext(iterator=iterator, **ONE)[0]


def test_an_iterator_begins_with_what_a_function_makes() -> None:
    iterator = RAW.OneShotIterator(dataset_factory=made(), **ONE)

    assert [0, 1, 2] == [int(element_of(iterator)) for _ in range(3)]
    with pytest.raises(tf.errors.OutOfRangeError):
        element_of(iterator)


def test_an_iterator_of_a_place_goes_on_from_call_to_call() -> None:
    factory = made()

    def element() -> Any:
        return element_of(RAW.OneShotIterator(dataset_factory=factory, **ONE))

    call, other = tf.function(element), tf.function(lambda: (element(), element()))
    assert [0, 1, 2] == [int(call()) for _ in range(3)]
    assert [(0, 0), (1, 1)] == [tuple(map(int, other())) for _ in range(2)]
    with pytest.raises(tf.errors.OutOfRangeError):
        call()
    again = tf.function(lambda x: element() + x)
    assert [0, 1] == [int(again(tf.constant(0, tf.int64))) for _ in range(2)]
    assert [0, 0] == again(tf.zeros([2], tf.int64)).numpy().tolist()


def test_an_iterator_that_begins_once_has_no_shared_name() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="shared_name"):
        RAW.OneShotIterator(dataset_factory=made(), shared_name="s", **ONE)


@pytest.mark.parametrize("op", [RAW.IteratorV2, RAW.Iterator])
def test_iterators_of_functions_are_of_a_name_or_of_a_place(op: Any) -> None:
    def element(name: str, begins: Any = None) -> Any:
        iterator = op(shared_name=name, container="", **ONE)
        if begins is not None:
            RAW.MakeIterator(dataset=numbers(3), iterator=iterator)
        return element_of(iterator)

    name, call = f"of {op.__name__}", tf.function(element)
    with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
        call(name)
    assert [0, 1, 2] == [*map(int, (call(name, True), call(name), element(name)))]
    assert [0, 0] == [int(call("", True)) for _ in range(2)]
