"""Ctrl-C at any step of what programs do with the library; then they go on.

`python -m tests.attack.interrupts SCENARIO SEED NUMBER` shows one try again.
"""

from __future__ import annotations

import gc
import itertools
import random
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import tensormill as tf
from tensormill.core import context
from tensormill.core.process.logs import logger
from tests.attack.interrupting import Interrupter

INSTRUCTIONS = 8  # of a line, at which it may come
PATIENCE = 30.0  # seconds until another thread is said to wait for ever

numbers = itertools.count(2)


class Scenario(NamedTuple):
    """What is interrupted, and what must hold afterwards, whether it was or not."""

    act: Callable[[], Any]
    check: Callable[[], None]


def tracing() -> Scenario:
    """A first call: AutoGraph, tracing, lowering, LLVM, linking, running; and one within it."""
    factor, v = float(next(numbers)), tf.Variable(3.0)

    @tf.function
    def inner(x: Any) -> Any:
        return x * factor

    @tf.function
    def outer(x: Any) -> Any:
        total = tf.zeros([])
        for i in tf.range(3):
            if i > 0:
                total += tf.reduce_sum(inner(x))
        with tf.GradientTape() as tape:
            y = v * v
        v.assign_add(tape.gradient(y, v))
        return total

    def check() -> None:
        assert float(v) in (3.0, 9.0), f"the variable holds {float(v)}"
        v.assign(3.0)
        assert float(outer(tf.ones([2]))) == 4 * factor
        assert float(v) == 9.0
        count = outer.experimental_get_tracing_count()
        assert count in (1, 2), count  # 2: a trace had ended, and was not kept yet
        assert float(inner(tf.constant(2.0))) == 2 * factor

    return Scenario(lambda: outer(tf.ones([2])), check)


def calling() -> Scenario:
    """Calls of a function that is compiled: of the entry, and with other arguments."""
    known.v.assign(1.0)

    def act() -> None:
        known.add(tf.constant(1.0))
        known.add(2.0)
        known.add(x=tf.constant(3.0))

    def check() -> None:
        assert float(known.v) in (1.0, 2.0, 4.0, 7.0), f"the variable holds {float(known.v)}"
        known.v.assign(1.0)
        assert float(known.add(tf.constant(4.0))) == 5.0

    return Scenario(act, check)


class Known(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.v = tf.Variable(1.0)

    @tf.function
    def add(self, x: Any) -> Any:
        return self.v.assign_add(x).read_value()


known: Final = Known()


def eager() -> Scenario:
    """Operations, tapes within tapes, variables."""
    v = tf.Variable([1.0, 2.0])
    seen: list[Any] = []

    def act() -> None:
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(v * v * v)
            first = inner.gradient(y, v)
            v.assign(v * 1.0)
        seen.append(outer.gradient(first, v))
        with tf.name_scope("a"), tf.control_dependencies([y]):
            v.assign_add([1.0, 1.0])
        v.assign_sub([1.0, 1.0])

    def check() -> None:
        assert v.numpy().tolist() in ([1.0, 2.0], [2.0, 3.0]), v.numpy().tolist()
        v.assign([1.0, 2.0])
        act()
        assert seen[-1].numpy().tolist() == [6.0, 12.0]
        assert tf.get_current_name_scope() == ""

    return Scenario(act, check)


def dataset() -> Scenario:
    """A pipeline is made and iterated."""
    shift = next(numbers)

    def pipeline() -> Any:
        numbers = tf.data.Dataset.range(10).map(lambda x: x + shift).shuffle(4, seed=1).batch(3)
        return numbers.prefetch(1)

    made = tf.data.Dataset.range(6).map(lambda x: x * 2).filter(lambda x: x > 2).cache()
    parallel = made.map(lambda x: x + 1, num_parallel_calls=2)

    def act() -> None:
        for _ in pipeline():
            pass
        for _ in made:
            pass
        for _ in parallel:
            pass

    def check() -> None:
        found = sorted(int(x) for batch in pipeline() for x in batch)
        assert found == list(range(shift, 10 + shift)), found
        assert [int(x) for x in made] == [4, 6, 8, 10]

    return Scenario(act, check)


def saving() -> Scenario:
    """Checkpoints and SavedModels: the files are old or new, the state in memory is whole."""
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name)
    model = tf.Module()
    model.v, model.w = tf.Variable([1.0, 2.0]), tf.Variable(3)
    checkpoint = tf.train.Checkpoint(model=model)
    manager = tf.train.CheckpointManager(checkpoint, str(path / "managed"), max_to_keep=2)
    first = manager.save()

    def act() -> None:
        model.v.assign([5.0, 6.0])
        manager.save()
        tf.saved_model.save(model, str(path / "saved"))
        tf.saved_model.load(str(path / "saved"))
        checkpoint.restore(manager.latest_checkpoint).assert_consumed()
        manager.save()

    def check() -> None:
        assert model.v.numpy().tolist() in ([1.0, 2.0], [5.0, 6.0])
        latest = tf.train.latest_checkpoint(str(path / "managed"))
        assert latest is not None
        checkpoint.restore(latest).assert_consumed()
        assert model.v.numpy().tolist() == ([1.0, 2.0] if latest == first else [5.0, 6.0])
        act()
        assert manager.latest_checkpoint == tf.train.latest_checkpoint(str(path / "managed"))
        assert tf.saved_model.load(str(path / "saved")).v.numpy().tolist() == [5.0, 6.0]
        folder.cleanup()

    return Scenario(act, check)


def variables() -> Scenario:
    """Variables that a function makes when it is first called, some from symbolic values."""
    factor = float(next(numbers))
    made: list[Any] = []

    @tf.function
    def create(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(tf.ones([2]) * factor, name="made"))
        return made[0] * x

    def check() -> None:
        made.clear() if made and not made[0].is_initialized() else None
        assert create(tf.constant(2.0)).numpy().tolist() == [2 * factor] * 2
        assert create(tf.constant(3.0)).numpy().tolist() == [3 * factor] * 2

    return Scenario(lambda: create(tf.constant(1.0)), check)


def generator() -> Scenario:
    """Random numbers: a state is old or new, and drawn from by others."""
    drawn = tf.random.Generator.from_seed(7)
    states = [drawn.state.numpy().tolist()]
    for _ in range(3):
        drawn.normal([3])
        states.append(drawn.state.numpy().tolist())
    drawn = tf.random.Generator.from_seed(7)

    def act() -> None:
        for _ in range(3):
            drawn.normal([3])
        tf.random.uniform([2])
        tf.random.set_seed(3)

    def check() -> None:
        assert drawn.state.numpy().tolist() in states
        drawn.normal([3])
        tf.random.set_seed(5)
        first = tf.random.uniform([2]).numpy().tolist()
        tf.random.set_seed(5)
        assert tf.random.uniform([2]).numpy().tolist() == first

    return Scenario(act, check)


def graphs() -> Scenario:
    """Graphs made by hand, sessions, and functions imported from them."""
    factor = float(next(numbers))

    def act() -> None:
        with tf.Graph().as_default() as graph, tf.name_scope("scope"):
            x = tf.compat.v1.placeholder(tf.float32, [])
            y = tf.cond(x > 1.0, lambda: x * factor, lambda: x)
        with tf.compat.v1.Session(graph=graph) as session:
            assert session.run(y, {x: 2.0}) == 2 * factor

    return Scenario(act, act)


def derivatives() -> Scenario:
    """Gradients of loops, custom gradients, forward mode, in a function that is new."""
    factor = float(next(numbers))

    @tf.custom_gradient
    def clipped(x: Any) -> Any:
        return x, lambda dy: dy * factor

    @tf.function
    def derived(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = y * 2.0
            y = clipped(y)
        with tf.autodiff.ForwardAccumulator(x, tf.ones([])) as accumulator:
            z = x * x
        return tape.gradient(y, x), accumulator.jvp(z)

    def check() -> None:
        first, second = derived(tf.constant(3.0))
        assert (float(first), float(second)) == (8 * factor, 6.0)

    return Scenario(lambda: derived(tf.constant(1.0)), check)


def containers() -> Scenario:
    """A user's dicts, lists and objects, which staged code changes, and puts others in place of."""
    kept: dict[str, Any] = {"n": 1, "m": [2.0, 3.0]}
    rows: list[list[Any]] = [[1], [2]]
    alias, total = kept["m"], 5
    first, second = rows

    @tf.function
    def changed(n: Any) -> Any:
        nonlocal total
        for i in tf.range(n):
            kept["m"][0] += 1.0
            kept["n"] += tf.cast(alias[1], tf.int32)
            rows[1][0] += i
            total = total + i
        if n > 2:
            kept["m"] = [kept["m"][0] * 2.0, 1.0]
            rows[0], rows[1] = rows[1], rows[0]
        return kept["n"] + rows[0][0] + total, kept["m"][0]

    def check() -> None:
        assert (kept, rows, total) == ({"n": 1, "m": [2.0, 3.0]}, [[1], [2]], 5)
        assert kept["m"] is alias
        assert rows[0] is first
        assert rows[1] is second
        result, item = changed(tf.constant(3))
        assert (int(result), float(item)) == (10 + 5 + 8, 10.0)

    return Scenario(lambda: changed(tf.constant(3)), check)


SCENARIOS: Final[dict[str, Callable[[], Scenario]]] = {
    one.__name__: one
    for one in (
        tracing, calling, eager, dataset, saving, variables, generator, graphs, derivatives,
        containers
    )
}  # fmt: skip


def attack(count: int, seed: int) -> list[str]:
    """Interrupt `count` times, each scenario in turn, at steps that `seed` decides."""
    return attack_on(SCENARIOS, count, seed)


def attack_on(scenarios: Mapping[str, Callable[[], Scenario]], count: int, seed: int) -> list[str]:
    with quiet():
        lengths = {name: length(make) for name, make in scenarios.items()}
        found: list[str] = []
        for number, name in zip(range(count), itertools.cycle(scenarios), strict=False):
            found += attempt(scenarios[name], seed, number, lengths[name])
        return found


@contextmanager
def quiet() -> Iterator[None]:
    """Without what is said of functions that are traced again and again."""
    before = logger.level
    logger.setLevel("ERROR")
    try:
        yield
    finally:
        logger.setLevel(before)


def length(make: Callable[[], Scenario]) -> int:
    """How many lines it takes, the second time: the first one imports."""
    first = make()
    first.act()
    first.check()
    second, counting = make(), Interrupter(-1)
    counting.run(second.act)
    second.check()
    return counting.lines


def attempt(make: Callable[[], Scenario], seed: int, number: int, lines: int) -> list[str]:
    """What one interrupt does that it should not."""
    draw = random.Random(f"{seed} {number}")
    scenario, threads = make(), set(threading.enumerate())
    interrupter = Interrupter(draw.randrange(lines) + 1, draw.randrange(INSTRUCTIONS))
    unraisable: list[str] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda what: unraisable.append(str(what))
    try:
        interrupter.run(scenario.act)
        problems = [*left_behind(scenario.check)]
    finally:
        sys.unraisablehook = before
    place = interrupter.place or "no place"
    interrupter.raised = None  # generators that live on may still be traced by the interrupter
    scenario = interrupter = None
    problems += threads_left(threads)
    shown = f"{make.__name__} {seed} {number} of {lines}, interrupted at {place}"
    return [f"{shown}: {one}" for one in problems]


def threads_left(before: set[threading.Thread]) -> Iterator[str]:
    """Threads that do not end when all that they work for is gone."""
    gc.collect()
    for thread in set(threading.enumerate()) - before:
        if thread.ident is not None:
            thread.join(PATIENCE)
        if thread.is_alive() or thread.ident is None:
            yield f"left: {thread}"


def left_behind(check: Callable[[], None]) -> Iterator[str]:
    here = context.current.get(None)
    if here is not None:
        yield f"the context is left: {here.interpreter} {here.recorders} {here.name_scope!r}"
        context.current.set(None)
    yield from (f"in another thread: {one}" for one in in_another_thread(check_others))
    yield from told_by(check)


def check_others() -> None:
    """What other threads do with what all share."""
    assert float(known.add(tf.zeros([]))) == float(known.v)
    assert int(tf.reduce_sum(tf.random.uniform([2], maxval=1, dtype=tf.int32))) == 0


def told_by(check: Callable[[], None]) -> list[str]:
    try:
        check()
    except BaseException:
        return [traceback.format_exc()]
    return []


def in_another_thread(check: Callable[[], None]) -> list[str]:
    problems: list[str] = []
    thread = threading.Thread(target=lambda: problems.extend(told_by(check)), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return ["it waits for ever"] if thread.is_alive() else problems


if __name__ == "__main__":
    _, scenario_name, seed_text, number_text = sys.argv
    steps = length(SCENARIOS[scenario_name])
    for line in attempt(SCENARIOS[scenario_name], int(seed_text), int(number_text), steps):
        print(line)
