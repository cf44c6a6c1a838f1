"""Functions that are partly strings: cut into segments, and called for many elements at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.data.functions import ElementFunction
from tensormill.data.segments import PythonSegment, segments_of
from tensormill.errors import InvalidArgumentError
from tensormill.ops.op import REGISTRY

from ..ops.rules import eager_outputs
from ..ops.samples import SAMPLES

Dataset = tf.data.Dataset
TEXT = tf.TensorSpec((), tf.string)


def example(number: int) -> bytes:
    feature = tf.train.Feature
    features = {
        "x": feature(float_list=tf.train.FloatList(value=[number, 2.5][: 1 + (number != 5)])),
        "s": feature(bytes_list=tf.train.BytesList(value=[b"text"] * (number % 3))),
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


EXAMPLES = [example(number) for number in range(9)]
DENSE = {"x": tf.io.FixedLenFeature([2], tf.float32)}
LISTED = {"s": tf.io.VarLenFeature(tf.string), "x": tf.io.RaggedFeature(tf.float32)}
captured = tf.constant("and")

FUNCTIONS: dict[str, Any] = {
    "dense": lambda one: tf.reduce_sum(tf.io.parse_single_example(one, DENSE)["x"]) * 2.0,
    "lists": lambda one: tf.io.parse_single_example(one, LISTED),
    "texts": lambda one: (tf.strings.length(one), tf.strings.regex_replace(one, "t", "_")),
    "back and forth": lambda one: tf.strings.as_string(tf.strings.length(one) + 1),
    "joined": lambda one: (tf.strings.join([one, captured]), one, tf.constant(3)),
    "reversed": lambda one: tf.reverse(tf.stack([one, tf.constant("a")]), [0]),
    "divided": lambda one: 60 // (tf.strings.length(one) - len(EXAMPLES[2])),
}


def results(dataset: Any) -> list[Any]:
    """What a pass gives, errors among it."""
    found: list[Any] = []
    iterator = iter(dataset)
    while len(found) < 20:
        try:
            element = next(iterator)
        except StopIteration:
            break
        except InvalidArgumentError as error:
            found.append(error.message.split("\n")[0])
        else:
            found.append([str(part) for part in tf.nest.flatten(element, expand_composites=True)])
    return found


def test_a_native_segment_goes_on_with_what_it_handed_on() -> None:
    def function(one: Any) -> Any:
        return 2 * tf.identity(tf.identity(tf.strings.length(one)) + 1)

    assert [[str(tf.constant(8))]] == results(Dataset.from_tensors("abc").map(function))


def test_a_native_segment_hands_on_only_what_others_read():
    """Each result is memory of its own: of a picture that is resized, the picture once more."""

    def function(one: Any) -> Any:
        unread = tf.cast(tf.strings.length(one), tf.float32) + 1.0
        read = unread * 2.0
        return tf.strings.as_string(read), read - 1.0

    segments = segments_of(ElementFunction(function, "Dataset.map", TEXT).graph)
    assert segments is not None
    lengths, sums, texts = segments.parts
    values = segments.template([])
    values[0] = tf.constant("abc")
    lengths.bound([])(values)
    empty = [place for place, value in enumerate(values) if value is None]
    sums.bound([])(values)

    found = [float(values[place]) for place in empty if values[place] is not None]
    assert isinstance(texts, PythonSegment)
    assert found == [8.0, 7.0]


@pytest.mark.sampled
@pytest.mark.parametrize("name", FUNCTIONS)
def test_many_elements_at_once_are_as_one_by_one(name: str):
    function = FUNCTIONS[name]

    def yielded() -> Iterator[bytes]:  # nobody reads ahead of what a generator yields
        yield from EXAMPLES

    together = results(Dataset.from_tensor_slices(EXAMPLES).map(function))

    assert together == results(Dataset.from_generator(yielded, output_signature=TEXT).map(function))
    assert len(together) == len(EXAMPLES)
    assert ("Error in" in str(together)) == (name in ("dense", "divided"))


WORDS = np.array([[b"a%d" % k, b"b%d" % k, b"c%d" % k] for k in range(4)], object)
MOVED: dict[str, Any] = {
    "reversed": lambda one: tf.reverse(one, [0]),
    "rolled": lambda one: tf.roll(one, 1, 0),
    "scattered": lambda one: tf.tensor_scatter_nd_update(one, [[1]], ["new"]),
    "upper": tf.strings.upper,
}


@pytest.mark.parametrize("name", MOVED)
def test_what_moves_texts_moves_those_of_one_element(name: str):
    function = MOVED[name]
    found = [*Dataset.from_tensor_slices(WORDS).map(function).as_numpy_iterator()]

    np.testing.assert_array_equal([function(one) for one in WORDS], found)


def test_only_what_changes_elements_by_themselves_does_so_to_many():
    """Its kernel gives the same for samples on top of each other as for each."""
    ops = [op for op in REGISTRY.values() if op.ignores_places]

    assert {"AsString", "StringStrip", "RegexReplace", "UnicodeTranscode"} <= {
        op.name for op in ops
    }
    for op in ops:  # internal ones have none
        for sample in SAMPLES.get(op.name, ()):
            (found,) = eager_outputs(op, sample)
            both = [
                np.stack([one, one]) if field.axes == ("*s",) else one
                for field, one in zip(op.inputs, sample.operands, strict=True)
            ]
            (stacked,) = eager_outputs(op, replace(sample, operands=tuple(both)))
            np.testing.assert_array_equal(np.stack([found, found]), stacked)


def test_an_element_that_fails_fails_in_its_turn():
    parsed = Dataset.from_tensor_slices(EXAMPLES).map(FUNCTIONS["dense"])
    taken = iter(parsed)

    assert [float(next(taken)) for _ in range(5)] == [5.0, 7.0, 9.0, 11.0, 13.0]
    with pytest.raises(InvalidArgumentError, match=r"(?s)Dataset.map: .*1 values"):
        next(taken)
    assert float(next(taken)) == 17.0


def test_nothing_is_taken_from_a_generator_before_it_is_wanted():
    yielded: list[int] = []

    def numbers() -> Iterator[bytes]:
        for number, one in enumerate(EXAMPLES):
            yielded.append(number)
            yield one

    taken = iter(Dataset.from_generator(numbers, output_signature=TEXT).map(FUNCTIONS["texts"]))
    next(taken)
    next(taken)

    assert yielded == [0, 1]


def drawing(one: Any) -> Any:
    length = tf.cast(tf.strings.length(one), tf.float32)
    noise = tf.random.normal([2], length, seed=3) + tf.random.uniform([2])
    return noise, tf.strings.as_string(tf.random.uniform([], maxval=9, dtype=tf.int32, seed=5))


def branching(one: Any) -> Any:
    length = tf.strings.length(one)
    return tf.cond(length > len(EXAMPLES[2]), lambda: tf.random.uniform([], seed=7), lambda: 0.0)


def checked(one: Any) -> Any:
    tf.debugging.assert_greater(tf.strings.length(one), 3, message="too short")
    return one


@pytest.mark.parametrize("function", [drawing, branching])
def test_random_numbers_are_those_of_the_function_as_a_whole(function: Any):
    tf.random.set_seed(1)
    made = ElementFunction(function, "Dataset.map", TEXT)
    whole = backends.default().compile(made.graph).bind(made.captured)
    cut = made.in_segments(made.captured)
    assert cut is not None
    assert not cut.takes_rows

    for one in [*EXAMPLES, *EXAMPLES]:
        text = tf.constant(one)
        found = [str(value) for value in cut(text)]
        assert found == [str(value) for value in whole(text)]


def test_what_has_effects_keeps_its_order():
    total = tf.Variable(0)
    seen: list[int] = []

    def look(text: bytes) -> int:
        seen.append(int(total))
        return len(text)

    def function(one: Any) -> Any:
        before = total.assign_add(1)
        length = tf.numpy_function(look, [one], np.int64, stateful=True)
        after = total.assign_add(10)
        return before, length, after, total.read_value()

    rows = Dataset.from_tensors("abc").repeat(2).map(function)
    found = [[int(part) for part in row] for row in rows]

    assert segments_of(ElementFunction(function, "Dataset.map", TEXT).graph) is not None
    assert found == [[1, 3, 11, 11], [12, 3, 22, 22]]
    assert seen == [1, 12]


def test_what_draws_or_checks_in_python_is_not_cut():
    def is_cut(function: Any, spec: Any = TEXT) -> bool:
        return segments_of(ElementFunction(function, "Dataset.map", spec).graph) is not None

    assert all(is_cut(function) for function in FUNCTIONS.values())
    assert not is_cut(lambda n: n + 1, tf.TensorSpec((), tf.int64))
    assert is_cut(lambda one: (tf.strings.length(one), tf.random.uniform([])))
    assert is_cut(lambda one: tf.numpy_function(len, [one], np.int64) + 1)
    assert not is_cut(checked)
    assert not is_cut(lambda one: tf.random.shuffle(tf.strings.split(one), seed=1))
    assert not is_cut(lambda one: tf.cond(tf.strings.length(one) > 3, lambda: one, lambda: "short"))


def test_elements_are_read_ahead_only_for_what_takes_many_at_once():
    def takes_rows(function: Any) -> bool:
        made = ElementFunction(function, "Dataset.map", TEXT)
        bound = made.in_segments(made.captured)
        return bound is not None and bound.takes_rows

    assert takes_rows(FUNCTIONS["dense"])
    assert takes_rows(FUNCTIONS["texts"])
    assert not takes_rows(lambda one: tf.strings.split(one))
    assert not takes_rows(lambda one: (tf.strings.split(one), tf.strings.length(one)))


def test_a_function_that_reads_files_is_cut(tmp_path: Path) -> None:
    """Reading changes nothing: two of it have no order."""
    names = []
    for number in range(3):
        names.append([str(tmp_path / f"{number}_{kind}") for kind in "ab"])
        for name in names[-1]:
            Path(name).write_text(f"{len(name) + number}")

    def read(pair: Any) -> Any:
        numbers = [tf.strings.to_number(tf.io.read_file(pair[k])) for k in (0, 1)]
        return numbers[0] * 10.0 + numbers[1]

    rows_of_names = Dataset.from_tensor_slices(names)
    rows = rows_of_names.map(read)
    graph = ElementFunction(read, "Dataset.map", rows_of_names.element_spec).graph

    assert segments_of(graph) is not None
    wanted = [11.0 * (len(names[0][0]) + k) for k in range(3)]
    assert wanted == [float(one) for one in rows]
    Path(names[1][1]).unlink()
    with pytest.raises(tf.errors.NotFoundError, match="1_b"):
        list(rows)
