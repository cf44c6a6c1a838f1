"""Classes and small helpers that programs take from private modules, as TensorFlow 2.21 answers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compat.private_classes import MORE
from tensormill.compat.private_modules import decorators
from tensormill.compat.private_modules.older import various
from tensormill.compat.private_modules.tools import (
    composites,
    frozen_graphs,
    sizes,
    small_helpers,
    small_tools,
)
from tensormill.compat.private_names import TABLES, places

v1 = tf.compat.v1


def test_names_are_where_tables_say() -> None:
    for path, table in MORE.items():
        for module, names in table.items():
            found = import_module(f"tensormill.{module}")
            for name in names.split():
                assert hasattr(found, name.rpartition("=")[2]), f"{path}: {name}"


def test_a_module_has_the_names_of_all_tables() -> None:
    both = MORE.keys() & TABLES.keys()

    found = {path: places(path.split(".")) for path in both}
    assert {"Trackable", "TrackableReference"} <= found["python.trackable.base"].keys()


def test_composites_are_known_by_their_values() -> None:
    rows = tf.ragged.constant([[1], []])
    value = v1.ragged.constant_value([[1], []])
    sparse = tf.sparse.from_dense([[1, 0]])

    assert [True, True, False] == [composites.is_ragged(one) for one in (rows, value, 1)]
    pair = (sparse, v1.SparseTensorValue([[0]], [1], [1]))
    assert [True, True, False] == [composites.is_sparse(one) for one in (*pair, rows)]
    convert = composites.convert_to_tensor_or_ragged_tensor
    assert rows.to_list() == convert(value).to_list()
    assert convert(rows) is rows
    assert [[1.0]] == convert([[1]], tf.float32).numpy().tolist()
    with pytest.raises(ValueError, match="requested dtype float32"):
        convert(rows, tf.float32)


def test_sizes_are_numbers_where_they_are_known() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 3, None])])
    def facts(image: Any) -> Any:
        first, second, third = small_helpers.image_sizes(image, 3)
        flipped = small_helpers.with_image_shape(image, image[::-1])
        assert (3, [None, 3, None]) == (second, flipped.shape.as_list())
        with pytest.raises(ValueError, match="fully defined"):
            small_helpers.check_at_least_3d_image(image)
        return first, third, small_helpers.assert_3d_image(image)

    first, third, image = facts(tf.zeros([2, 3, 4]))
    assert (2, 4, [2, 3, 4]) == (int(first), int(third), image.shape.as_list())
    assert [2, 3, 4] == small_helpers.image_sizes(tf.zeros([2, 3, 4]), 3)
    assert "(None, None)" == str(sizes.unknown_shape(2))
    assert [[1, 2], 2, 2] == [
        np.asarray(one).tolist()
        for one in (
            sizes.sizes_of([[1, 2]]),
            sizes.rank_of([[1, 2]]),
            sizes.element_count([[1, 2]]),
        )
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a/b", "b"), ("^a/b", "^b"), ("loc:@a/b", "loc:@b"), ("c/b", "c/b"), ("ab", "ab")],
)
def test_names_lose_the_scope_that_they_are_exported_from(name: str, expected: str) -> None:
    assert expected == small_tools.strip_name_scope(name, "a")
    assert expected == small_tools.strip_name_scope(name, "a/")


def test_files_are_compared_by_their_bytes(tmp_path: Path) -> None:
    one, other = (str(tmp_path / name) for name in "ab")
    small_tools.atomic_write_string_to_file(one, "abc")
    small_tools.atomic_write_string_to_file(other, b"abd")

    assert (True, False) == (small_tools.filecmp(one, one), small_tools.filecmp(one, other))
    assert "0x352441c2" == small_tools.file_crc32(one)
    with pytest.raises(tf.errors.AlreadyExistsError):
        small_tools.atomic_write_string_to_file(one, "x", overwrite=False)
    assert b"a" == various.path_to_bytes("a")


def test_what_is_decorated_is_exchanged() -> None:
    def outer(x: int) -> int:
        return outer._tf_decorator.decorated_target(x) + 1  # type: ignore[attr-defined]

    wrapped = decorators.make_decorator(abs, outer)

    assert wrapped is decorators.rewrap(wrapped, abs, float)
    assert (3.5, float) == (wrapped(2.5), decorators.unwrap(wrapped)[1])
    assert decorators.rewrap(abs, abs, float) is float


def test_a_part_of_a_graph_is_a_function() -> None:
    with tf.Graph().as_default() as graph:
        a, k = v1.placeholder(tf.float32, name="a"), v1.placeholder(tf.float32, name="k")
        tf.multiply(a, k, name="b")

    double = frozen_graphs.function_from_graph_def(
        graph.as_graph_def(), "a:0", ["b:0"], captures={"k": tf.constant(2.0)}
    )

    assert [6.0] == [one.numpy() for one in double(tf.constant(3.0))]
