"""Datasets whose elements workers compute: in threads of this process, and in another process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

service = tf.data.experimental.service
Policy = service.ShardingPolicy
Dataset = tf.data.Dataset
errors = tf.errors


class Servers:
    """A dispatcher and workers."""

    def __init__(self, workers: int, **config: Any) -> None:
        self.dispatcher = service.DispatchServer(service.DispatcherConfig(**config))
        self.target = self.dispatcher.target
        self.workers: list[Any] = []
        for _ in range(workers):
            self.add()

    @property
    def address(self) -> str:
        return self.target.partition("://")[2]

    def add(self) -> None:
        config = service.WorkerConfig(dispatcher_address=self.address)
        self.workers.append(service.WorkerServer(config))

    def stop(self) -> None:
        for one in (*self.workers, self.dispatcher):
            one.stop()

    def given(self, dataset: Any, mode: Any = "distributed_epoch", **facts: Any) -> Any:
        return dataset.apply(service.distribute(mode, self.target, **facts))


@pytest.fixture(scope="module")
def two() -> Iterator[Servers]:
    servers = Servers(2)
    yield servers
    servers.stop()


def numbers(dataset: Any) -> list[int]:
    return sorted(int(one) for one in dataset)


@pytest.mark.sampled
@pytest.mark.parametrize(("mode", "times"), [
    ("parallel_epochs", 2), (Policy.OFF, 2), ("distributed_epoch", 1), (Policy.DYNAMIC, 1),
])  # fmt: skip
@pytest.mark.parametrize("facts", [{}, {"compression": "SNAPPY", "max_outstanding_requests": 1}])
def test_workers_share_elements_or_give_all(
    two: Servers, mode: Any, times: int, facts: dict[str, Any]
) -> None:
    squares = Dataset.range(5).map(lambda n: n * n).shuffle(3).repeat(2)
    given = two.given(squares, mode, **facts)

    assert sorted([0, 1, 4, 9, 16] * 2 * times) == numbers(given) == numbers(given)
    assert given.element_spec == squares.element_spec
    assert -2 == int(given.cardinality())


def test_elements_are_any_structure(two: Servers) -> None:
    x = np.random.default_rng(0).random((20, 3), np.float32)
    data = Dataset.from_tensor_slices({"x": x, "s": [f"{n}" for n in range(20)]})
    pairs = data.map(lambda one: (one, tf.ragged.stack([one["x"], one["x"][:1]])))
    found = {int(one["s"].numpy()): (one["x"], rows) for one, rows in two.given(pairs)}

    assert [*range(20)] == sorted(found)
    for number, (row, rows) in found.items():
        np.testing.assert_array_equal(x[number], row)
        np.testing.assert_array_equal(x[number][:1], rows[1])


def test_jobs_of_one_name_share_elements(two: Servers) -> None:
    one, other = (iter(two.given(Dataset.range(9), job_name="shared")) for _ in range(2))
    first = [int(next(one)), int(next(other))]

    assert [*range(9)] == sorted(first + numbers(one) + numbers(other))
    assert [] == numbers(two.given(Dataset.range(9), job_name="shared"))  # the job is over
    with pytest.raises(errors.FailedPreconditionError, match="'shared'"):
        numbers(two.given(Dataset.range(9), "parallel_epochs", job_name="shared"))


def test_a_job_begins_anew_when_it_is_read_again(two: Servers) -> None:
    data = two.given(Dataset.range(4), job_name="anew")

    assert [0, 1, 2, 3] == sorted(numbers(data))
    assert [0, 0, 1, 1, 2, 2, 3, 3] == sorted(numbers(data.repeat(2)))
    assert [] == numbers(two.given(Dataset.range(4), job_name="anew"))  # others began it already


def in_rounds(servers: Servers, consumers: int, data: Any, name: str) -> list[list[int]]:
    """What consumers, each in a thread, are given in four rounds."""
    seen: list[list[int]] = [[] for _ in range(consumers)]

    def consume(index: int) -> None:
        facts = {"job_name": name, "consumer_index": index, "num_consumers": consumers}
        seen[index] = numbers(servers.given(data, "parallel_epochs", **facts).take(4))

    threads = [threading.Thread(target=consume, args=(index,)) for index in range(consumers)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    return seen


def test_consumers_are_given_rounds_by_workers_in_turn(two: Servers) -> None:
    data = Dataset.range(100).repeat()
    assert [[0, 0, 2, 2], [1, 1, 3, 3]] == in_rounds(two, 2, data, "rounds of two")
    assert [[0, 0, 1, 1]] == in_rounds(two, 1, data, "rounds of one")


def test_a_round_may_be_what_belongs_together(two: Servers) -> None:
    data = Dataset.range(8).repeat()  # pairs of even numbers for all, then pairs of odd ones
    alike = data.group_by_window(lambda n: n % 2, lambda _, group: Dataset.from_tensors(group), 4)
    given = two.given(
        alike.flat_map(lambda group: group.batch(2)), "parallel_epochs", job_name="pairs",
        consumer_index=0, num_consumers=1,
    )  # fmt: skip

    assert [[0, 2], [0, 2], [4, 6]] == [one.numpy().tolist() for one in given.take(3)]


def test_a_round_begins_when_all_consumers_have_asked(two: Servers) -> None:
    data, alone = Dataset.range(9).repeat(), threading.Event()
    first, second = (
        iter(
            two.given(data, "parallel_epochs", job_name="alike", consumer_index=k, num_consumers=2)
        )
        for k in range(2)
    )
    assert (0, 1) == (int(next(first)), int(next(second)))
    assert (0, 1) == (int(next(first)), int(next(second)))

    hurrying = threading.Thread(target=lambda: (next(first), next(first), alone.set()))
    hurrying.start()
    assert not alone.wait(0.2)  # the second has not asked for so much
    next(second)
    assert alone.wait(60)


def test_rounds_go_on_after_an_element_that_fails(two: Servers) -> None:
    data = Dataset.range(3).repeat().map(lambda n: 6 // (n - 1))
    facts = {"job_name": "fails", "consumer_index": 0, "num_consumers": 1}
    given = iter(two.given(data, "parallel_epochs", **facts))

    assert [-6, -6] == [int(next(given)) for _ in range(2)]
    for _ in range(2):
        with pytest.raises(errors.InvalidArgumentError, match="division by zero"):
            next(given)
    assert [6, 6] == [int(next(given)) for _ in range(2)]


def test_trainers_with_a_cache_get_the_same_elements(two: Servers) -> None:
    every = [
        two.given(
            Dataset.range(7).repeat(), "parallel_epochs", job_name="cached",
            cross_trainer_cache=service.CrossTrainerCache(name), max_outstanding_requests=1,
        )
        for name in ("a", "b")
    ]  # fmt: skip
    first, second = (numbers(one.take(12)) for one in every)

    assert first == second
    assert -1 == int(every[0].cardinality())
    with pytest.raises(ValueError, match="non-empty"):
        service.CrossTrainerCache("")


def test_registered_datasets_are_found_by_their_ids(two: Servers) -> None:
    batches = Dataset.range(5).batch(2)
    name = service.register_dataset(two.target, batches)
    service.register_dataset(two.target, batches, dataset_id="named")
    for one in (name, "named"):
        found = service.from_dataset_id("distributed_epoch", two.target, one)
        assert found.element_spec == batches.element_spec
        assert [*range(5)] == numbers(found.unbatch())

    with pytest.raises(errors.InvalidArgumentError, match="same structure"):
        service.register_dataset(two.target, Dataset.range(5), dataset_id="named")
    with pytest.raises(ValueError, match="nobody's"):
        service.from_dataset_id("parallel_epochs", two.target, "nobody's")
    with pytest.raises(errors.NotFoundError, match="not found"):
        service.from_dataset_id("parallel_epochs", two.target, "nobody's", TEXT)


TEXT = tf.TensorSpec([], tf.string)


def test_an_element_that_fails_is_told_and_the_others_come(two: Servers) -> None:
    inverse = Dataset.range(6).map(lambda n: tf.debugging.check_numerics(6 / (n - 2), "infinite"))
    with pytest.raises(errors.InvalidArgumentError, match="infinite"):
        numbers(two.given(inverse))
    given = two.given(inverse).ignore_errors()

    assert [-6, -3, 2, 3, 6] == numbers(given)


def test_static_sharding_divides_elements_and_files(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text(f"{name}\n{name}\n")
    files = tf.data.TextLineDataset([str(tmp_path / name) for name in "abc"])
    servers = Servers(2, worker_addresses=["localhost:%port%", "localhost"])

    for mode in (Policy.DATA, Policy.FILE_OR_DATA):
        assert [*range(7)] == numbers(servers.given(Dataset.range(7), mode))
    lines = sorted(one.numpy() for one in servers.given(files, Policy.FILE))
    assert [b"a", b"a", b"b", b"b", b"c", b"c"] == lines
    with pytest.raises(errors.InvalidArgumentError, match="reads no files"):
        numbers(servers.given(Dataset.range(7), Policy.FILE))
    servers.stop()


def test_a_pass_waits_for_workers() -> None:
    servers = Servers(0)
    elements = iter(servers.given(Dataset.range(4)))
    late = threading.Thread(target=servers.add)
    late.start()

    assert [*range(4)] == numbers(elements)
    late.join()
    servers.stop()


WORKER = """
import sys, tensormill as tf
service = tf.data.experimental.service
worker = service.WorkerServer(service.WorkerConfig(sys.argv[1]))
print("ready", flush=True)
worker.join()
"""


@pytest.mark.sampled(among="threads and interrupts")
def test_workers_may_be_other_processes(tmp_path: Path) -> None:
    servers = Servers(0)
    offset = tf.constant(np.arange(5000), tf.int64)
    data = Dataset.range(3).flat_map(lambda n: Dataset.range(n)).map(lambda n: offset[n] + 7)
    command = [sys.executable, "-c", WORKER, servers.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            assert [7, 7, 8] == numbers(servers.given(data))
        finally:
            process.kill()
    servers.add()

    assert [7, 7, 8] == numbers(servers.given(data))  # without the one that is gone
    servers.stop()


def test_what_workers_computed_is_saved(two: Servers, tmp_path: Path) -> None:
    data = Dataset.range(6).map(lambda n: n * n)
    tf.data.experimental.distributed_save(data, str(tmp_path / "kept"), two.target)

    kept = Dataset.load(str(tmp_path / "kept"), compression="SNAPPY")
    assert [0, 1, 4, 9, 16, 25] == numbers(kept)


def test_what_workers_do_not_have_is_refused(two: Servers) -> None:
    shift = tf.Variable(1, dtype=tf.int64)
    generated = Dataset.from_generator(lambda: iter([1]), output_types=tf.int64)
    called = Dataset.range(3).map(lambda n: tf.numpy_function(lambda x: x, [n], tf.int64))
    for data in (Dataset.range(3).map(lambda n: n + shift), generated, called):
        with pytest.raises(errors.FailedPreconditionError, match="do not have"):
            two.given(data)


@pytest.mark.parametrize(("error", "match", "facts"), [
    (ValueError, "processing mode", {"mode": "bad"}),
    (ValueError, "must be a string", {"job_name": 3}),
    (ValueError, "must not be empty", {"job_name": ""}),
    (ValueError, "compression", {"compression": "x"}),
    (ValueError, "job_name", {"num_consumers": 2}),
    (ValueError, "consumer_index", {"num_consumers": 2, "job_name": "a"}),
    (ValueError, "positive", {"num_consumers": 0, "job_name": "a", "consumer_index": 0}),
    (errors.FailedPreconditionError, r"not in \[0, 2\)",
     {"num_consumers": 2, "job_name": "a", "consumer_index": 2}),
    (errors.FailedPreconditionError, "without an end",
     {"num_consumers": 1, "job_name": "b", "consumer_index": 0}),
    (errors.InvalidArgumentError, "target workers", {"target_workers": "x"}),
    (errors.UnimplementedError, "HINT", {"mode": Policy.HINT}),
    (errors.NotFoundError, "worker_addresses", {"mode": Policy.DATA}),
])  # fmt: skip
def test_what_is_wrong_is_told(two: Servers, error: Any, match: str, facts: dict[str, Any]) -> None:
    with pytest.raises(error, match=match):
        numbers(two.given(Dataset.range(3), **facts))


def test_servers_that_are_not_there_are_told_of() -> None:
    servers = Servers(1)
    given = servers.given(Dataset.range(3))
    servers.stop()

    with pytest.raises(errors.UnavailableError):
        numbers(given)
    with pytest.raises(errors.UnavailableError, match="not started"):
        _ = servers.dispatcher.target
    for wrong in (3, "", "http://localhost:1"):
        with pytest.raises(ValueError, match="`service`"):
            service.distribute("parallel_epochs", wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="work dir"):
        service.DispatchServer(service.DispatcherConfig(fault_tolerant_mode=True))


def test_how_a_server_is_set_up_is_told_with_what_stands_for_nothing() -> None:
    service = tf.data.experimental.service
    dispatcher = service.DispatcherConfig(protocol=None)
    worker = service.WorkerConfig("localhost:1")

    assert ("grpc", 0, 0) == (
        dispatcher.protocol,
        dispatcher.job_gc_check_interval_ms,
        dispatcher.job_gc_timeout_ms,
    )
    assert dispatcher.worker_timeout_ms is None
    assert "localhost:%port%" == worker.worker_address
    assert ("grpc", 0, 0, None, "localhost:%dts_port%") == worker[3:]
