"""How often the body of a staged loop is traced: as often as there is more to find out about it."""

from __future__ import annotations

# Some variables get their value in a loop.
# pyright: reportPossiblyUnboundVariable=false
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tensormill as tf
from tests.autograph.rounds.trace_notes import TraceNotes

DEPTH = 8


class Nest(NamedTuple):
    """Statements in statements; `{0}` is the level."""

    heads: list[str]
    body: str
    before: str = ""
    inside: str = ""


FOR, WHILE = "for i{0} in tf.range(n):", "while tf.reduce_sum(x) < {0}.5:"
IF = "if x[0] > {0}.5:"
LOOPS = [FOR, WHILE]
MIXED = [FOR, IF, WHILE]

ONCE = {
    "for": Nest([FOR], "x = x + 1.0"),
    "while": Nest([WHILE], "x = x + 1.0"),
    "if": Nest([IF], "x = x + 1.0"),
    "all of them": Nest(MIXED, "x = x + 1.0"),
    "if, objects": Nest([IF], "o{0}.add(x)", "o{0} = Owner()"),
    "if, objects that are no state": Nest([IF], "o{0}.keep(x)", "o{0} = Owner()"),
    "one list in an if": Nest([IF], "l.append(x)", "l = []"),
    "first values": Nest([FOR], "x = x + 1.0", "", "y = x"),
    "return": Nest([FOR], "x = x + 1.0\nif x[0] > 3.0: return x"),
    "break": Nest([FOR], "x = x + 1.0; y = x[0]\nif y > 3.0: break"),
}

TWICE = {
    "numbers": Nest(LOOPS, "s{0} = s{0} + x[0]", "s{0} = 0"),
    "one number": Nest(MIXED, "s = s + x[0]", "s = 0"),
    "quotients": Nest([FOR], "s{0} = s{0} / 2", "s{0} = 1"),
    "counters": Nest(["while c{0} < m:"], "c{0} = c{0} + 1", "c{0} = 0"),
    "shapes": Nest(MIXED, "z{0} = tf.concat([z{0}, x], 0)", "z{0} = x"),
    "one shape": Nest(LOOPS, "z = tf.concat([z, x], 0)", "z = x"),
    "lists": Nest(LOOPS, "l{0}.append(x)", "l{0} = []"),
    "one list": Nest(MIXED, "l.append(x)", "l = []"),
    "one list at the bottom": Nest(LOOPS, "x = x + 1.0", "l = []", "l.append(x)"),
    "objects": Nest(LOOPS, "o{0}.add(x)", "o{0} = Owner()"),
    "objects that are no state": Nest(MIXED, "o{0}.keep(x)", "o{0} = Owner()"),
    "one object": Nest(MIXED, "o.add(x)", "o = Owner()"),
    "first values, numbers": Nest(LOOPS, "y{0} = x * 2.0; s = s + x[0]", "s = 0"),
    "first values that were None": Nest(LOOPS, "y{0} = x * 2.0", "y{0} = None"),
    "everything": Nest(
        MIXED,
        "s{0} = s{0} + x[0]; z{0} = tf.concat([z{0}, x], 0); l{0}.append(x); o{0}.add(x)",
        "s{0} = 0; z{0} = x; l{0} = []; o{0} = Owner()",
    ),
}


def source(nest: Nest, depth: int) -> str:
    lines = ["def fn(x, n, m, met):"]
    lines += [f"  {nest.before.format(level)}" for level in range(depth)]
    for level in range(depth):
        lines.append(f"{'  ' * level}  {nest.heads[level % len(nest.heads)].format(level)}")
        body = f"met({level})\n{nest.body.format(level)}"
        lines += [f"{'  ' * level}    {line}" for line in body.splitlines()]
    last = [f"y{level}" for level in range(depth)] if "y{0}" in nest.body else []
    lines.append(f"{'  ' * depth}  {nest.inside}")
    return "\n".join([*lines, f"  return {', '.join(['x', *last])}\n"])


class Owner:
    """An object that methods change."""

    def __init__(self) -> None:
        self.total = 0.0

        self.kind: Any = tf.constant(0)

    def add(self, x: Any) -> None:
        self.total = self.total + x[0]

    def keep(self, x: Any) -> None:
        self.kind = x  # of another dtype: no state


def runs(nest: Nest, depth: int, folder: Path) -> list[int]:
    """How often the body on each level is traced."""
    path = folder / "nest.py"
    path.write_text(source(nest, depth))
    names: dict[str, Any] = {"tf": tf, "Owner": Owner, "__name__": "nest"}
    exec(compile(path.read_text(), path, "exec"), names)
    met = TraceNotes[int]()
    traced: Any = tf.function(lambda x, n, m: names["fn"](x, n, m, met.append))
    traced.get_concrete_function(
        tf.TensorSpec([3]), tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.int64)
    )
    return [met.count(level) for level in range(depth)]


@pytest.mark.sampled
@pytest.mark.parametrize("depth", [1, 2, DEPTH])
@pytest.mark.parametrize("nest", ONCE.values(), ids=ONCE)
def test_a_body_that_shows_nothing_new_is_traced_once(
    nest: Nest, depth: int, tmp_path: Path
) -> None:
    assert [1] * depth == runs(nest, depth, tmp_path)


@pytest.mark.sampled
@pytest.mark.parametrize("depth", [1, 2, DEPTH])
@pytest.mark.parametrize("nest", TWICE.values(), ids=TWICE)
def test_a_body_that_shows_more_is_traced_again_once_however_deep_it_is(
    nest: Nest, depth: int, tmp_path: Path
) -> None:
    assert [2] * depth == runs(nest, depth, tmp_path)


def test_an_exception_of_the_body_is_raised_where_it_comes_up_first() -> None:
    met: list[str] = []

    def refuse() -> None:
        met.append("body")
        raise TypeError("of the user")

    @tf.function
    def function(xs: Any) -> Any:
        total = 0
        for x in xs:
            total = total + 0.5
            for _ in tf.range(3):
                total = total + len(met) * x
                len(refuse)  # pyright: ignore[reportArgumentType]
        return total

    with pytest.raises(TypeError, match=r"(?s)len\(refuse\).*has no len"):
        function(tf.constant([1.0]))
    assert not met


def test_a_number_that_meets_what_it_cannot_be_is_refused_in_its_line() -> None:
    @tf.function
    def function(xs: Any) -> Any:
        k, total = 0, 0.0
        for x in xs:
            total += k * x
            k += 1
        return total

    with pytest.raises(TypeError, match=r"(?s)total \+= k \* x.*use tf\.cast"):
        function(tf.constant([1.0]))


def test_a_tape_goes_back_through_inner_loops_of_every_round() -> None:
    @tf.function
    def function(xs: Any) -> Any:
        w, total = tf.constant(2.0), 0
        for x in xs:
            with tf.GradientTape() as tape:
                tape.watch(w)
                found = []
                if x > 1.0:
                    for _ in tf.range(3):
                        found.append(w * x)
                y = tf.reduce_sum(tf.stack(found))
            total += tape.gradient(y, w) + tf.gradients(y * 2.0, w)[0]
        return total

    assert function(tf.constant([1.0, 2.0, 3.0])).numpy() == 45


def test_calls_of_one_loop_from_two_places_are_two_loops() -> None:
    def last(x: Any) -> Any:
        for _ in tf.range(2):
            y = x * 2
        return y

    @tf.function
    def function(xs: Any) -> Any:
        total = 0
        for x in xs:
            total += tf.cast(last(tf.constant(3)), tf.float32) + last(x)
        return total

    assert function(tf.constant([1.0, 2.0])).numpy() == 18


def test_what_python_knows_before_a_round_it_knows_in_the_next_one() -> None:
    @tf.function
    def function(xs: Any) -> Any:
        total = 0
        for x in xs:
            count = 2
            for _ in tf.range(2):
                y = x
                if x > 10.0:
                    count = 2
            for _ in range(count):
                total += y
        return total

    assert function(tf.constant([1.0, 2.0])).numpy() == 6


def largest(xs: Any) -> Any:
    best = None
    for x in xs:
        best = x if best is None else tf.maximum(best, x)
    return best


def first(xs: Any) -> Any:
    found = None
    for x in xs:
        if found is None:
            found = x
    return found


def steps(xs: Any) -> Any:
    state, total = None, 0

    def step(x: Any, state: Any) -> Any:
        return x if state is None else state * 0.5 + x

    for x in xs:
        state = step(x, state)
        for _ in tf.range(2):
            state = step(x, state)
        if x > 7.0:
            break
        total += state
    return state, total


def counted(xs: Any) -> Any:
    k, last = 0, None
    while k < len(xs):
        last = (xs[k], k) if last is None else (last[0] + xs[k], k)
        k += 1
    return last


@pytest.mark.parametrize("function", [largest, first, steps, counted])
def test_only_the_first_iteration_finds_none(function: Any) -> None:
    compiled = tf.function(function, input_signature=[tf.TensorSpec([None])])

    for xs in ([-3.0, -2.0, -4.0], [-1.0], [1.0, 8.0, 2.0]):
        expected = tf.nest.map_structure(float, function(tf.constant(xs)))
        assert expected == tf.nest.map_structure(float, compiled(xs))
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least once to initialize"):
        compiled(tf.zeros([0]))


def test_a_first_value_may_be_anything_that_a_loop_carries() -> None:
    @tf.function
    def function(n: Any) -> Any:
        k = n
        while k > 0:
            k -= 1
            found, pair, word = [], (k, [k * 2]), "constant"
            for i in tf.range(k + 2):
                found.append(i)
        return found, pair, word

    found, pair, word = function(tf.constant(2))
    assert ([0, 1], (0, [0]), b"constant") == (
        [int(one) for one in found],
        tf.nest.map_structure(int, pair),
        tf.constant(word).numpy(),
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least once to initialize"):
        function(tf.constant(0))


def test_a_value_of_an_earlier_iteration_stays_where_an_inner_loop_does_not_run() -> None:
    @tf.function
    def function(n: Any) -> Any:
        for i in tf.range(n):
            for k in tf.range(n - 1 - i):
                last = (i, k)
        return last

    assert [1, 0] == [int(one) for one in function(tf.constant(3))]


class Met:
    """What a loop has met, noted by code that is not converted."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    @tf.autograph.experimental.do_not_convert
    def __call__(self, item: Any) -> None:
        self.items.append(item)


def plain(items: Any, x: Any, met: Any) -> Any:
    for item in items:
        met(item)
        if x > 0:
            break
    return x


def otherwise(items: Any, x: Any, met: Any) -> Any:
    count = 0
    for at, item in enumerate(items):
        met(item)
        if at == 1:
            continue
        if x > at:
            break
        count += 1
    else:
        met("else")
    return count


def returning(items: Any, x: Any, met: Any) -> Any:
    for item, at in zip(items, range(9), strict=False):
        met(item)
        if x > at:
            return at
    return -1


def listed(items: Any, x: Any, met: Any) -> Any:
    seen: list[Any] = []
    for item in items:
        met(item)
        seen.append(x)
        if x > 0:
            break
    return tf.add_n([x, *seen])


def in_another(items: Any, x: Any, met: Any) -> Any:
    for item in [*items]:
        for _ in range(1):
            met(item)
            if x > 1:
                break
        if x > 0:
            break
    return x


KINDS: dict[str, Any] = {
    "range": range,
    "list": lambda n: [*"abcd"][:n],
    "dict": lambda n: dict.fromkeys("abcd"[:n]),
    "objects": lambda n: (object, tf, None, 1.0)[:n],
    "generator": lambda n: iter(range(n)),
}


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loop", [plain, otherwise, returning, listed, in_another])
def test_a_loop_of_python_that_a_tensor_ends_runs_once_for_each_item(loop: Any, kind: str) -> None:
    for count in range(5):
        met, wanted = Met(), Met()
        x = tf.constant(0)
        result = tf.function(lambda: loop(KINDS[kind](count), tf.identity(x), met))()  # noqa: B023

        expected = loop(KINDS[kind](count), x, wanted)
        assert expected == result
        assert wanted.items == met.items


def test_what_python_ends_before_a_tensor_does_runs_no_further() -> None:
    met = Met()

    @tf.function
    def f(x: Any) -> Any:
        for i in range(9):
            met(i)
            if x > i:
                break
            if i == 2:
                return x + 10
        return x

    assert 10 == f(tf.constant(0))
    assert 1 == f(tf.constant(1))
    assert [0, 1, 2] == met.items


def test_an_exception_of_an_item_comes_out_of_its_only_run() -> None:
    """One that Python code raises, and no `raise` that the graph does when it gets there."""
    met = Met()

    @tf.function
    def f(x: Any) -> Any:
        for i in range(4):
            met(i)
            x += [1, 2][i]
            if x > i:
                break
        return x

    with pytest.raises(IndexError, match="list index out of range"):
        f.get_concrete_function(tf.TensorSpec([], tf.int32))
    assert [0, 1, 2] == met.items
