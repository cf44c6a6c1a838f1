"""What a process that lives long takes: serving, training, saving, loading and clearing, in turns.

    python -m tests.robust.soak 3600 [EVERY]

does all of it for so many seconds and prints a line every so often (60 s): memory, open files,
threads, lines of the memory map, files left behind, the processor's time per call and per turn. It
fails where anything grows between the first and the last quarter of the time by more than it may.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tensormill as tf

keras: Any = tf.keras

CALLS = 2000  # of the served function, a turn
MAY_GROW = {  # by which factor, and by how much besides, the median may
    "resident": (1.05, 8 << 20),
    "maps": (1.05, 20),
    "files": (1.0, 2),
    "threads": (1.0, 1),
    "left": (1.0, 0),
    "call": (1.25, 0.0),
    "turn": (1.25, 0.0),
}


class Sample(NamedTuple):
    """The process at one moment."""

    seconds: float
    turns: int
    resident: int  # bytes
    maps: int
    files: int  # that are open
    threads: int
    left: int  # files and folders beside those that are meant to stay
    call: float  # microseconds of the processor per call of a served function
    turn: float  # milliseconds of it per turn


class Server:
    """A module with a function for each batch size that comes, and one for all of them."""

    def __init__(self) -> None:
        self.weights = tf.Variable(tf.random.stateless_normal([16, 4], [1, 2]))
        self.answer = tf.function(self._answer, [tf.TensorSpec([None, 16])])
        self.retraced = tf.function(self._answer)

    def _answer(self, x: Any) -> Any:
        return tf.nn.softmax(tf.nn.relu(x) @ self.weights)


class Life:
    """What the process does in one turn after another, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = Server()
        self.turns = 0
        self.calls: list[float] = []  # seconds of the processor per call, one number a turn
        self.costs: list[float] = []  # and per turn
        self.x = np.random.default_rng(1).normal(size=(96, 16)).astype(np.float32)
        self.y = (self.x[:, 0] > 0).astype(np.int64)

    def turn(self) -> None:
        begin = time.process_time()
        self.serve()
        self.train()
        self.save_and_load()
        self.in_threads()
        keras.backend.clear_session()
        gc.collect()
        self.turns += 1
        self.costs.append(time.process_time() - begin)

    def serve(self) -> None:
        x = tf.constant(self.x[:8])
        begin = time.thread_time()
        for _ in range(CALLS):
            self.server.answer(x)
        self.calls.append((time.thread_time() - begin) / CALLS)
        self.server.retraced(tf.constant(self.x[: 1 + self.turns % 90]))

    def train(self) -> None:
        model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8, "tanh")])
        model.add(keras.layers.Dropout(0.1))
        model.add(keras.layers.Dense(2))
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile("adam", loss, metrics=["accuracy"])
        rows = tf.data.Dataset.from_tensor_slices((self.x, self.y)).shuffle(96).batch(32)
        rows = rows.map(lambda x, y: (x * 2.0, y)).prefetch(2)
        model.fit(rows, epochs=2, shuffle=False, verbose=0)
        path = self.folder / "model.keras"
        model.save(path)
        loaded: Any = keras.models.load_model(path)
        np.testing.assert_array_equal(
            loaded.predict(self.x, verbose=0), model.predict(self.x, verbose=0)
        )

    def save_and_load(self) -> None:
        checkpoint = tf.train.Checkpoint(weights=self.server.weights)
        manager = tf.train.CheckpointManager(checkpoint, str(self.folder / "many"), 3)
        checkpoint.restore(manager.save()).assert_consumed()
        module = tf.Module()
        module.weights = self.server.weights
        module.answer = tf.function(
            lambda x: tf.nn.relu(x) @ module.weights, [tf.TensorSpec([None, 16])]
        )
        tf.saved_model.save(module, str(self.folder / "served"))
        loaded = tf.saved_model.load(str(self.folder / "served"))
        x = tf.constant(self.x)
        np.testing.assert_allclose(loaded.answer(x), module.answer(x), 1e-6)

    def in_threads(self) -> None:
        threads = [threading.Thread(target=self.server.answer, args=(self.x,)) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()

    def sample(self, seconds: float) -> Sample:
        """The process now; times are medians since the last sample."""
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        maps = len(Path("/proc/self/maps").read_text().splitlines())
        files, tasks = len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))
        call, turn = statistics.median(self.calls) * 1e6, statistics.median(self.costs) * 1e3
        self.calls, self.costs = [], []
        left = sum(1 for _ in self.folder.rglob("*"))
        return Sample(seconds, self.turns, pages * 4096, maps, files, tasks, left, call, turn)


def live(seconds: float, every: float, folder: Path) -> list[Sample]:
    """Turn after turn until the time is over, with a line for every sample."""
    life, begin, samples = Life(folder), time.monotonic(), list[Sample]()
    while (now := time.monotonic() - begin) < seconds or len(samples) < 4:
        life.turn()
        if now >= every * len(samples):
            samples.append(life.sample(now))
            print(line(samples[-1]), flush=True)
    return samples


def line(one: Sample) -> str:
    return (
        f"{one.seconds:6.0f} s {one.turns:6} turns {one.resident / 2**20:8.1f} MiB "
        f"{one.maps:5} maps {one.files:4} open {one.threads:3} threads {one.left:4} files left "
        f"{one.call:7.2f} us a call {one.turn:8.1f} ms a turn"
    )


def growth(samples: Sequence[Sample]) -> list[str]:
    """What is more in the last quarter than it may be after the first."""
    quarter = max(1, len(samples) // 4)
    found: list[str] = []
    for name, (factor, more) in MAY_GROW.items():
        before, after = (
            statistics.median(getattr(one, name) for one in part)
            for part in (samples[quarter : 2 * quarter], samples[-quarter:])
        )
        if after > before * factor + more:
            found.append(f"{name} grew from {before:.6g} to {after:.6g}")
    return found


def main(arguments: Sequence[str]) -> int:
    seconds, every = [*map(float, arguments), *(3600.0, 60.0)[len(arguments) :]]
    with tempfile.TemporaryDirectory() as folder:
        found = growth(live(seconds, every, Path(folder)))
    print("\n".join(found) or "flat")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
