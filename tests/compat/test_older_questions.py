"""Small functions of private modules that ask functions, graphs and tensors, as TensorFlow 2.21."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.compat.private_modules.tools import older_questions as asked

v1 = tf.compat.v1


def sample(a: Any, b: Any = 2, *c: Any, **d: Any) -> None: ...


class Called:
    def __call__(self, x: Any) -> None: ...


def test_code_is_that_of_the_function_or_of_its_call() -> None:
    code: Any = asked.get_func_code

    assert (sample.__code__, Called.__call__.__code__) == (code(sample), code(Called()))
    assert [None, None] == [code(len), code(functools.partial(sample))]
    with pytest.raises(ValueError, match="got 3"):
        code(3)


def test_arguments_have_names() -> None:
    def function(a: int = 1) -> int:
        return a

    assert 3 == asked.kwarg_only(function)(a=3)
    with pytest.raises(TypeError, match=r"by their names, \['a'\]; got 1 without"):
        asked.kwarg_only(function)(3)


def test_names_of_modules_are_identifiers() -> None:
    names = ("a", "1a", "_b", "a b", "if", "", "a.b")

    assert [True, False, True, False, True, False, False] == [*map(asked.valid_identifier, names)]


def test_graphs_tell_constants_and_collections() -> None:
    with tf.Graph().as_default():
        constant = tf.constant(1)
        v1.add_to_collection("zz", 1)

        found = [asked.is_constant(one) for one in (constant, constant + constant, constant.op)]
        assert [True, False, True] == found
        assert ["zz"] == asked.get_all_collection_keys()


def test_several_values_become_tensors() -> None:
    found = asked.convert_n_to_tensor([1, [2.0]], tf.float32)
    one: Any = 3

    assert [1.0, [2.0]] == [one.numpy().tolist() for one in found]
    with pytest.raises(TypeError, match="must be a sequence"):
        asked.convert_n_to_tensor(one)


def test_all_axes_are_those_that_are_known() -> None:
    rows = tf.ones([2, 3])
    unknown = tf.function(asked.all_axes, input_signature=[tf.TensorSpec(None)])

    assert [0, 1] == asked.all_axes(rows).numpy().tolist() == unknown(rows).numpy().tolist()
    assert [0, 1] == asked.axes_of_reduction(rows, None).numpy().tolist()
    assert 1 == asked.axes_of_reduction(rows, 1)


def test_lines_are_numbered_words(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("a\nb\n")
    ids = tf.lookup.StaticHashTable(asked.text_file_ids(str(words)), -1)
    strings = tf.lookup.StaticHashTable(asked.text_file_strings(str(words)), "?")

    assert [1, -1] == ids.lookup(tf.constant(["b", "c"])).numpy().tolist()
    assert [b"b", b"?"] == strings.lookup(tf.constant([1, 5], tf.int64)).numpy().tolist()
