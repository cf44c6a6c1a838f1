"""Private names that programs borrow of TensorFlow mean here what they mean there, as measured."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill.compat.private_borrowed import BORROWED
from tensormill.compat.private_modules.older import object_paths, small_questions
from tensormill.compat.private_names import has_private_module, places


@pytest.mark.parametrize("module", BORROWED)
def test_each_is_found(module: str) -> None:
    from importlib import import_module

    path = module.split(".")
    assert has_private_module(path)
    for where, name in places(path).values():
        assert hasattr(import_module(f"tensormill.{where}"), name), f"{where}.{name}"


def test_writing_what_is_new_is_allowed_from_its_day_on() -> None:
    today = datetime.date.today()

    assert tf.compat.forward_compatible(2020, 1, 1)
    assert not tf.compat.forward_compatible(today.year + 100, 1, 1)
    with tf.compat.forward_compatibility_horizon(today.year + 200, 1, 1):
        assert tf.compat.forward_compatible(today.year + 100, 1, 1)


def test_devices_have_one_name() -> None:
    spec = tf.DeviceSpec(job="a", device_type="cpu", device_index=1)

    assert "" == small_questions.canonical_name(None)
    assert "/device:GPU:0" == small_questions.canonical_name("/gpu:0")
    assert "/job:a/device:CPU:1" == small_questions.canonical_name(spec)
    with pytest.raises(ValueError, match="foo"):
        small_questions.check_valid("/foo:0")


def test_axes_count_from_the_first() -> None:
    assert (2, 1) == (
        small_questions.get_positive_axis(-1, 3), small_questions.get_positive_axis(1, None)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (ValueError, lambda: small_questions.get_positive_axis(-1, None)),
        (ValueError, lambda: small_questions.get_positive_axis(4, 3)),
        (TypeError, lambda: small_questions.get_positive_axis("a", 3)),
        (TypeError, lambda: small_questions.convert_to_int_tensor([1.0], "x")),
        (ValueError, lambda: small_questions.gcd(1.0, 2.0)),
        (ValueError, lambda: small_questions.gcd([1], 2)),
    ],
)
def test_mistakes_have_tensorflows_classes(kind: type[Exception], call: Callable[[], Any]) -> None:
    with pytest.raises(kind):
        call()


def test_integers_are_what_tensorflow_makes_of_them() -> None:
    assert [0, 1, 3] == small_questions.lengths_to_splits([1, 2]).numpy().tolist()
    assert 6 == small_questions.gcd(12, 18).numpy()
    assert 12 == small_questions.gcd(tf.constant(12), tf.constant(0)).numpy()
    pairs = [(12, 18), (0, 5), (0, 0)]
    later = tf.function(lambda a, b: small_questions.gcd(a, b))
    assert [6, 5, 0] == [int(later(tf.constant(a), tf.constant(b))) for a, b in pairs]
    assert tf.int32 is small_questions.convert_to_int_tensor([1, 2], "x").dtype


def test_a_last_axis_of_one_goes() -> None:
    remove = small_questions.remove_squeezable_dimensions

    assert [[3], [3]] == [one.shape for one in remove(tf.zeros([3, 1]), tf.zeros([3]))]
    assert [[3], [3]] == [one.shape for one in remove(tf.zeros([3]), tf.zeros([3, 1]))]
    assert [[3], [3, 2]] == [one.shape for one in remove(tf.zeros([3]), tf.zeros([3, 2]), 1)]


def test_names_are_put_into_scopes() -> None:
    names = ["a/b", "^a", "loc:@a"]

    assert ["x/a/b", "^x/a", "loc:@x/a"] == [
        small_questions.prepend_name_scope(one, "x") for one in names
    ]
    assert "a" == small_questions.prepend_name_scope("a", None)


def test_parts_of_checkpoints_have_paths() -> None:
    assert "a.Sb..c" == object_paths.escape_local_name("a/b.c")
    assert "a/b/.ATTRIBUTES/v" == object_paths.checkpoint_key("a/b", "v")
    assert "v/.OPTIMIZER_SLOT/o/s" == object_paths.slot_variable_key("v", "o", "s")
    assert "VARIABLE_VALUE" == object_paths.extract_local_name("a/.ATTRIBUTES/VARIABLE_VALUE")
    assert "x/.ATTRIBUTES/v" == object_paths.extract_local_name("x/.ATTRIBUTES/v", "x/")


def test_names_in_checkpoints_are_these(tmp_path: Any) -> None:
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(str(tmp_path / "c"))
    names = tf.train.load_checkpoint(path).get_variable_to_shape_map()

    assert object_paths.checkpoint_key("v", object_paths.VARIABLE_VALUE_KEY) in names
    assert object_paths.OBJECT_GRAPH_PROTO_KEY in names


def test_seeds_are_told() -> None:
    tf.random.set_seed(7)
    assert 7 == small_questions.global_seed()
    tf.random.set_seed(None)
