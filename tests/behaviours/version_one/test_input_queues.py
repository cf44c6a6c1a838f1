"""Queues that threads fill, and readers of files, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
train = v1.train
Make = Callable[[], Any]


def taken(make: Make, runs: int = 100) -> list[Any]:
    """What runs give, until there is nothing more."""
    found: list[Any] = []
    with tf.Graph().as_default(), v1.Session() as session:
        fetches = make()
        session.run(v1.local_variables_initializer())
        coordinator = train.Coordinator()
        threads = train.start_queue_runners(session, coordinator)
        try:
            while len(found) < runs:
                found.append(tf.nest.map_structure(lambda one: one.tolist(), run(session, fetches)))
        except tf.errors.OutOfRangeError:
            found.append("end")
        coordinator.request_stop()
        coordinator.join(threads)
    return found


def run(session: Any, fetches: Any) -> Any:
    """Strings come as bytes, which have no `tolist`."""
    return tf.nest.map_structure(lambda one: Text(one) if isinstance(one, bytes) else one,
                                 session.run(fetches))  # fmt: skip


class Text(bytes):
    def tolist(self) -> str:
        return self.decode()


def records(reader: Make, *files: Path) -> list[Any]:
    def make() -> Any:
        names = [str(one) for one in files]
        queue = train.string_input_producer(names, num_epochs=1, shuffle=False)
        return tuple(reader().read(queue))

    return [one if one == "end" else (one[0].rpartition("/")[2], one[1]) for one in taken(make)]


@behaviour("I10")
def test_readers_give_the_records_of_the_files_of_a_queue(tmp_path: Path):
    first, second, third = (tmp_path / name for name in ("a", "b", "c"))
    first.write_bytes(b"1\n2")
    second.write_bytes(b"h\n\nend\n")
    third.write_bytes(b"hdabcdefft")

    lines = [("a:1", "1"), ("a:2", "2"), ("b:1", "h"), ("b:2", ""), ("b:3", "end"), "end"]
    assert lines == records(v1.TextLineReader, first, second)
    skipping = records(lambda: v1.TextLineReader(skip_header_lines=2), first, second)
    assert [("b:3", "end"), "end"] == skipping
    assert [("a", "1\n2"), "end"] == records(v1.WholeFileReader, first)
    fixed = records(lambda: v1.FixedLengthRecordReader(3, 2, 2), third)
    assert [("c:0", "abc"), ("c:1", "def"), "end"] == fixed
    with v1.python_io.TFRecordWriter(str(first)) as writer:
        writer.write(b"one")
        writer.write(b"two")
    assert [("a:0", "one"), ("a:19", "two"), "end"] == records(v1.TFRecordReader, first)
    with pytest.raises(tf.errors.NotFoundError):
        records(v1.TextLineReader, tmp_path / "none")


@behaviour("I10")
def test_some_records_of_a_file_come_at_once(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"1\n2\n3")

    def make() -> Any:
        reader = v1.TextLineReader()
        queue = train.string_input_producer([str(tmp_path / "a")], 1)
        _, lines = reader.read_up_to(queue, 2)
        with tf.control_dependencies([lines]):
            return lines, reader.num_records_produced()

    assert [([b"1", b"2"], 2), ([b"3"], 3), "end"] == taken(make)


@behaviour("I10")
def test_elements_become_batches():
    def rows() -> Any:
        return train.slice_input_producer([[10, 20, 30]], num_epochs=2, shuffle=False)

    plain = taken(lambda: train.batch(rows(), 4, allow_smaller_final_batch=True))
    assert [[10, 20, 30, 10], [20, 30], "end"] == plain
    assert [[10, 20, 30, 10], "end"] == taken(lambda: train.batch(rows(), 4))
    kept = taken(lambda: train.maybe_batch((one := rows()), one[0] > 10, 2))
    assert [[20, 30], [20, 30], "end"] == kept
    padded = taken(lambda: train.batch({"n": tf.range(rows()[0] // 10)}, 2, dynamic_pad=True), 1)
    assert [{"n": [[0, 0], [0, 1]]}] == padded
    shuffled = taken(lambda: train.shuffle_batch(rows(), 3, 9, 2, num_threads=2))
    assert sorted([10, 20, 30] * 2) == sorted([*shuffled[0], *shuffled[1]])


@behaviour("I10")
def test_sparse_elements_become_batches():
    def make() -> Any:
        number = train.range_input_producer(2, num_epochs=1, shuffle=False).dequeue()
        row = tf.cast(number, tf.int64)
        one = tf.SparseTensor(tf.reshape(row, [1, 1]), tf.reshape(number, [1]), [3])
        return tf.sparse.to_dense(train.batch([one], 2))

    assert [[[0, 0, 0], [0, 1, 0]], "end"] == taken(make)


@behaviour("I10")
def test_each_session_has_its_own_queue():
    with tf.Graph().as_default():
        queue = tf.queue.FIFOQueue(3, tf.int32, shapes=[[]], name="numbers")
        put, size = queue.enqueue_many([[1, 2]]), queue.size()
        assert ("numbers_EnqueueMany", "numbers_Size:0") == (put.name, size.name)
        for _ in range(2):
            with v1.Session() as session:
                session.run(put)
                assert 2 == session.run(size)


@behaviour("I10")
def test_a_thread_that_fails_stops_the_others():
    with tf.Graph().as_default(), v1.Session() as session:
        queue = tf.queue.FIFOQueue(3, tf.float32, shapes=[[]])
        wrong = tf.debugging.check_numerics(tf.constant(1.0) / tf.constant([0.0])[0], "infinite")
        runner = train.QueueRunner(queue, [queue.enqueue(wrong)])
        coordinator = train.Coordinator()
        runner.create_threads(session, coordinator, start=True)
        with pytest.raises(tf.errors.InvalidArgumentError, match="infinite"):
            coordinator.join()

        again = train.QueueRunner(queue_runner_def=runner.to_proto())
        assert runner.name == again.name == "fifo_queue"
        assert again.enqueue_ops[0] is runner.enqueue_ops[0]


@behaviour("I10")
def test_queues_are_wanted_as_they_are():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="non-null"):
            train.string_input_producer([])
        with pytest.raises(ValueError, match="num_epochs"):
            train.limit_epochs(tf.constant(1), 0)
        with pytest.raises(ValueError, match="fully defined"):
            train.batch([v1.placeholder(tf.int32, [None])], 2)
        with pytest.raises(ValueError, match="queue"):
            train.QueueRunner()
    with pytest.raises(RuntimeError, match="eager"):
        train.string_input_producer(["a"])
    with pytest.raises(RuntimeError, match="eager"):
        v1.TextLineReader()
