"""Random Python functions, as text, whose `if`s, loops and jumps depend on tensors.

Every number is a small multiple of a power of two, and factors are powers of two: arithmetic is
exact in any order, so that what is compiled has to give the very same bits.

The variables of each function: `a`, `b` (float32), `i`, `j` (int32), `v` (three float32), a Python
`count`, and what lives elsewhere: `box.a`, `held["i"]`, the `tf.Variable` `state`, the object
`tally`, the dataclass `point`, the list `table`, and the variables of the closure `counted`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st

FLOATS: Final = (
    "a", "b", "-a", "a + b", "a - 0.25", "b * 0.5", "v[0]", "v[-1]", "tf.reduce_max(v)", "abs(b)",
    "min(a, b)", "max(a, 1.5)", "tf.cast(i, tf.float32)", "float(j)", "box.a", "state + 0.5",
    "tf.reduce_sum(v)", "sum([a, b, 1.0])", "half(b)", "larger(a, b)", "round(a)", "tally.total",
    "point.x", "table[j % 3]", "table[-1]",
)  # fmt: skip
INTEGERS: Final = (
    "i", "j", "i + 1", "j - 2", "i * j", "i // 2", "j % 3", "-i", "int(a)", "len(v)", "count",
    "held['i']", "tf.size(v)", "abs(i)", "min(i, j)", "i + count", "divmod(i, 2)[1]",
    "tally.count", "point.y", "len(table)",
)  # fmt: skip
VECTORS: Final = (
    "v", "v + a", "v * 0.5", "-v", "v[::-1]", "tf.stack([a, b, v[0]])", "tf.where(v > b, v, a)",
    "tf.sort(v)", "tf.concat([v[1:], [b]], 0)", "tf.fill([3], a)",
    "tf.stack([x for x in (a, b, a)])",
)  # fmt: skip
CONDITIONS: Final = (
    "a > b", "i < 3", "v[1] <= 0.5", "i == j", "0 < i < 4", "tf.reduce_any(v > a)", "j % 2 == 0",
    "a != 1", "count < 2", "box.a > 0", "state > 1",
    "(z := a * 2) > b", "is_small(i)",
    "i in (1, 2)", "j not in [0, i]", "all([a > 0, i > 0])", "any(x > b for x in (a, v[0]))",
    "tally.count < 2", "table[i % 3] > a", "(z := b * 2) > a",
)  # fmt: skip
NUMBERS: Final = ("i % 2", "j", "not i", "a", "count", "len(v) - 3")


class Writer:
    """Writes the lines of one function; every choice is hypothesis's."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.loops = 0

    def choose(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(list(options)))

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def number(self) -> str:
        return f"clip({self._either(FLOATS)})"

    def integer(self) -> str:
        return f"small({self._either(INTEGERS)})"

    def _either(self, options: Sequence[str]) -> str:
        chosen = self.choose(options)
        if self.choose(range(8)):
            return chosen
        return f"({chosen} if {self.condition()} else {self.choose(options)})"

    def condition(self) -> str:
        first, second = self.choose(CONDITIONS), self.choose(CONDITIONS)
        forms = [first] * 4 + [f"not {first}", f"{first} and {second}", f"{first} or {second}"]
        return self.choose(forms)

    def decision(self) -> str:
        """A condition that stands alone: a number may be one."""
        return self.condition() if self.choose(range(6)) else self.choose(NUMBERS)

    def block(self, depth: int, jumps: Sequence[str]) -> None:
        for _ in range(self.choose([1, 1, 2, 3])):
            kinds = SIMPLE if depth > 3 else STATEMENTS
            self.choose(kinds)(self, depth, jumps)

    def fresh(self) -> str:
        self.loops += 1
        return f"n{self.loops}"


Jumps = Sequence[str]
RETURN: Final = "return clip({a}), i, v"


def assign(writer: Writer, depth: int, jumps: Jumps) -> None:
    forms = [
        lambda: f"{writer.choose('ab')} = {writer.number()}",
        lambda: f"{writer.choose('ij')} = {writer.integer()}",
        lambda: f"v = clip({writer.choose(VECTORS)})",
        lambda: "a, b = b, a",
        lambda: f"a += {writer.number()}",
        lambda: "count += 1",
        lambda: f"box.a = {writer.number()}",
        lambda: f"held['i'] = {writer.integer()}",
        lambda: f"state.assign({writer.number()})",
        lambda: "bump()",
        lambda: f"tally.add({writer.number()})",
        lambda: f"a = counted({writer.number()})",
        lambda: f"point = Point({writer.number()}, point.y + 1)",
        lambda: f"point.x = {writer.number()}",
        lambda: f"table[{writer.choose(['i % 3', 'j % 3', '0', '-1'])}] = {writer.number()}",
        lambda: f"table[{writer.choose(['i % 3', '1'])}] += {writer.choose(['0.5', 'b'])}",
        lambda: "table[0], table[j % 3] = clip(table[j % 3]), clip(table[0])",
        lambda: "a, *others = v",
        lambda: f"i = small(i + 1 if {writer.condition()} and (k := j + 1) > 0 and k < 4 else j)",
    ]
    writer.line(depth, writer.choose(forms)())


def branch(writer: Writer, depth: int, jumps: Jumps) -> None:
    writer.line(depth, f"if {writer.decision()}:")
    writer.block(depth + 1, jumps)
    if writer.choose([False, True]):
        writer.line(depth, f"elif {writer.condition()}:")
        writer.block(depth + 1, jumps)
    if writer.choose([False, True]):
        writer.line(depth, "else:")
        writer.block(depth + 1, jumps)


def jump(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A jump under a condition: what comes after it may still run."""
    chosen = writer.choose(["return", *jumps])
    if chosen == "return":
        chosen = RETURN.format(a=writer.choose(["a", "b", "a * 2"]))
    writer.line(depth, f"if {writer.condition()}:")
    if writer.choose([False, True]):
        assign(writer, depth + 1, jumps)
    return writer.line(depth + 1, chosen)


LOOP: Final = ("break", "continue")


def counted(writer: Writer, depth: int, jumps: Jumps) -> None:
    name = writer.fresh()
    heads = [
        f"for {name} in tf.range({writer.choose(['3', 'abs(i) % 4', 'len(v)', '1, 6, 2'])}):",
        f"for {name} in range(abs(j) % 3 + 1):",
        f"for {name}, x in enumerate(v):",
        f"for {name} in v:",
        f"for {name}, x in zip(v, v[::-1]):",
    ]
    writer.line(depth, writer.choose(heads))
    writer.line(depth + 1, writer.choose([f"a = clip(a + tf.cast({name}, a.dtype))", "i = i + 1"]))
    _body(writer, depth)


def conditional(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A `while` that ends, whatever its condition."""
    name = writer.fresh()
    writer.line(depth, f"{name} = tf.constant(0)")
    if writer.choose([False, True]):
        writer.line(depth, "while True:")
        writer.line(depth + 1, f"{name} += 1")
        writer.line(depth + 1, f"if {name} > 3 or {writer.choose(CONDITIONS)}:")
        writer.line(depth + 2, "break")
    else:
        writer.line(depth, f"while {name} < 4 and ({writer.condition()}):")
        writer.line(depth + 1, f"{name} += 1")
    _body(writer, depth)


def _body(writer: Writer, depth: int) -> None:
    writer.block(depth + 1, LOOP)
    if writer.choose([False, False, True]):
        writer.line(depth, "else:")
        writer.block(depth + 1, ())


def unrolled(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A loop over Python values, which a tensor may end."""
    name = writer.fresh()
    values = writer.choose(["[1, 2]", "range(3)", "enumerate([a, b, 0.5])", "(half, abs)"])
    writer.line(depth, f"for {name} in {values}:")
    _body(writer, depth)


def listed(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A list that a staged loop fills; what is in it does not depend on how often."""
    name = writer.fresh()
    first = writer.choose(["[]", "[a]", "[a, b]"])
    writer.line(depth, f"{name} = {first}")
    writer.line(depth, f"for x in {writer.choose(['v', 'v[1:]', 'tf.range(3.0)'])}:")
    writer.line(depth + 1, f"{name}.append({writer.choose(['x * a', 'x', 'clip(x - b)'])})")
    if writer.choose([False, True]):
        writer.block(depth + 1, ())
    for _ in range(writer.choose([0, 1, 2])):
        writer.line(depth, writer.choose(CHANGES).format(name=name))
    uses = [
        f"v = clip(v + tf.reduce_sum(tf.stack({name})))", f"a = clip({name}[-1])",
        f"i = i + len({name})", f"b = clip(sum({name}))", f"b = clip(max({name}, key=abs))",
        f"a = clip(sum([x * 2 for x in {name} if x > 0], 0.0))", f"i = i + 1 if a in {name} else j",
        f"a, *{name} = {name}",
    ]  # fmt: skip
    writer.line(depth, writer.choose(uses))


CHANGES: Final = (
    "{name}.insert(1, b)", "{name}.insert(-1, a)", "{name}.sort()", "{name}.sort(key=abs)",
    "{name}.reverse()", "b = {name}.pop(0)", "del {name}[1]", "{name}[1:] = [a, b]",
    "{name}[-1] += b", "{name} = {name}[::-1]", "{name}.extend([a, b])", "{name} = [*{name}, b]",
    "{name} = [b] + {name}", "{name}[i % 2] = b", "{name} *= 2",
)  # fmt: skip


def driven(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A loop that a list drives. What is appended is smaller each time, so it ends."""
    name = writer.fresh()
    writer.line(depth, f"{name} = {writer.choose(['[a, b]', 'list(v)', '[a, 2.0, b]'])}")
    writer.line(depth, f"while {writer.choose([name, f'len({name}) > 0'])}:")
    writer.line(depth + 1, f"x = clip({name}.{writer.choose(['pop()', 'pop(0)', 'pop(-1)'])})")
    writer.line(depth + 1, "if x > 1.5:")
    writer.line(depth + 2, f"{name}.append(x * 0.5)")
    writer.line(depth + 1, "a = clip(a + x)")
    writer.block(depth + 1, LOOP)
    writer.line(depth, f"i = i + (2 if {name} else len({name}))")


def matched(writer: Writer, depth: int, jumps: Jumps) -> None:
    writer.line(depth, f"match {writer.choose(['(a, 2)', '(b, 1)', '[a]'])}:")
    for pattern in ("case (x, 2):", "case (x, 1) if depth == 0:", "case _:"):
        writer.line(depth + 1, pattern)
        writer.choose(SIMPLE)(writer, depth + 2, jumps)


def left_at_last(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A jump out of `finally`, which forgets what was raised."""
    writer.line(depth, "try:")
    assign(writer, depth + 1, ())
    writer.line(depth + 1, writer.choose(["int('one')", "a = clip(a + 1.0)"]))
    writer.line(depth, "except KeyError:")
    writer.line(depth + 1, "a = b")
    writer.line(depth, "finally:")
    jump(writer, depth + 1, jumps)
    writer.line(depth + 1, RETURN.format(a="b") if not jumps else writer.choose(jumps))


def guarded(writer: Writer, depth: int, jumps: Jumps) -> None:
    if writer.choose([False, True]):
        writer.line(depth, "with tf.name_scope('inside'):")
        return writer.block(depth + 1, jumps)
    writer.line(depth, "try:")
    writer.block(depth + 1, jumps)
    writer.line(depth, "finally:")
    return assign(writer, depth + 1, ())


SIMPLE: Final = (assign, assign, assign, jump)
STATEMENTS: Final = (
    assign, assign, assign, branch, branch, jump, jump, counted, conditional, unrolled, guarded,
    assign, assign, listed, driven, matched, left_at_last,
)  # fmt: skip

HEADER: Final = """\
def half(x):
    if x > 1:
        return x * 0.5
    return x

def larger(x, y):
    for z in [y]:
        if z > x:
            x = z
    return x

def is_small(k):
    return k < 3 and k > -3

class Tally:
    def __init__(self, total):
        self.total, self.count = total, 0
    def add(self, x):
        self.total = clip(self.total + x)
        self.count += 1

@dataclasses.dataclass
class Point:
    x: object
    y: object = 0

def counter(total):
    calls = 0
    def add(x):
        nonlocal calls, total
        calls += 1
        total = clip(total + x)
        return total if calls < 3 else x
    return add

def function(a, b, i, j, v, state):
    count = depth = 0
    tally, point, counted = Tally(a), Point(b), counter(b)
    table = [a, b, 0.5]
    box = types.SimpleNamespace(a=b)
    held = {"i": i}
    def bump():
        nonlocal a
        if a < 4:
            a = a + 1
"""


@st.composite
def sources(draw: Any) -> str:
    """The text of one function, and of the functions that it calls."""
    writer = Writer(draw)
    for _ in range(draw(st.integers(1, 5))):
        writer.choose(STATEMENTS)(writer, 1, ())
    writer.line(
        1,
        "return clip(a + b + box.a + tally.total + point.x + sum(table)), "
        "small(i + j + held['i'] + count + tally.count + point.y), v",
    )
    return HEADER + "\n".join(writer.lines) + "\n"
