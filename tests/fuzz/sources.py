"""Random Python functions, as text, whose `if`s, loops and jumps depend on tensors.

Every number is a small multiple of a power of two, and factors are powers of two: arithmetic is
exact in any order, so that what is compiled has to give the very same bits.

The variables of each function: `a`, `b` (float32), `i`, `j` (int32), `v` (three float32), a Python
`count`, and what lives elsewhere: `box.a`, `held["i"]`, the `tf.Variable` `state`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st

FLOATS: Final = (
    "a", "b", "-a", "a + b", "a - 0.25", "b * 0.5", "v[0]", "v[-1]", "tf.reduce_max(v)", "abs(b)",
    "min(a, b)", "max(a, 1.5)", "tf.cast(i, tf.float32)", "float(j)", "box.a", "state + 0.5",
    "tf.reduce_sum(v)", "sum([a, b, 1.0])", "half(b)", "larger(a, b)", "round(a)",
)  # fmt: skip
INTEGERS: Final = (
    "i", "j", "i + 1", "j - 2", "i * j", "i // 2", "j % 3", "-i", "int(a)", "len(v)", "count",
    "held['i']", "tf.size(v)", "abs(i)", "min(i, j)", "i + count", "divmod(i, 2)[1]",
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
)  # fmt: skip


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
    ]
    writer.line(depth, writer.choose(forms)())


def branch(writer: Writer, depth: int, jumps: Jumps) -> None:
    writer.line(depth, f"if {writer.condition()}:")
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
    if jumps == PYTHON_LOOP:
        return assign(writer, depth, jumps)
    writer.line(depth, f"if {writer.condition()}:")
    if writer.choose([False, True]):
        assign(writer, depth + 1, jumps)
    return writer.line(depth + 1, chosen)


STAGED_LOOP: Final = ("break", "continue")
PYTHON_LOOP: Final = ("a tensor may not leave a loop over Python values",)


def counted(writer: Writer, depth: int, jumps: Jumps) -> None:
    name = writer.fresh()
    inside = jumps if jumps == PYTHON_LOOP else STAGED_LOOP
    heads = [
        f"for {name} in tf.range({writer.choose(['3', 'abs(i) % 4', 'len(v)', '1, 6, 2'])}):",
        f"for {name} in range(abs(j) % 3 + 1):",
        f"for {name}, x in enumerate(v):",
        f"for {name} in v:",
        f"for {name}, x in zip(v, v[::-1]):",
    ]
    writer.line(depth, writer.choose(heads))
    writer.line(depth + 1, writer.choose([f"a = clip(a + tf.cast({name}, a.dtype))", "i = i + 1"]))
    _body(writer, depth, inside)


def conditional(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A `while` that ends, whatever its condition."""
    name = writer.fresh()
    inside = jumps if jumps == PYTHON_LOOP else STAGED_LOOP
    writer.line(depth, f"{name} = tf.constant(0)")
    if inside == STAGED_LOOP and writer.choose([False, True]):
        writer.line(depth, "while True:")
        writer.line(depth + 1, f"{name} += 1")
        writer.line(depth + 1, f"if {name} > 3 or {writer.choose(CONDITIONS)}:")
        writer.line(depth + 2, "break")
    else:
        writer.line(depth, f"while {name} < 4 and ({writer.condition()}):")
        writer.line(depth + 1, f"{name} += 1")
    _body(writer, depth, inside)


def _body(writer: Writer, depth: int, inside: Jumps) -> None:
    writer.block(depth + 1, inside)
    if inside == STAGED_LOOP and writer.choose([False, False, True]):
        writer.line(depth, "else:")
        writer.block(depth + 1, ())


def unrolled(writer: Writer, depth: int, jumps: Jumps) -> None:
    writer.line(depth, f"for {writer.fresh()} in [1, 2]:")
    writer.block(depth + 1, PYTHON_LOOP)


def listed(writer: Writer, depth: int, jumps: Jumps) -> None:
    """A list that a staged loop fills; what is in it does not depend on how often."""
    name = writer.fresh()
    first = writer.choose(["[]", "[a]", "[a, b]"])
    writer.line(depth, f"{name} = {first}")
    writer.line(depth, f"for x in {writer.choose(['v', 'v[1:]', 'tf.range(3.0)'])}:")
    writer.line(depth + 1, f"{name}.append({writer.choose(['x * a', 'x', 'clip(x - b)'])})")
    if writer.choose([False, True]):
        writer.block(depth + 1, PYTHON_LOOP)
    uses = [
        f"v = clip(v + tf.reduce_sum(tf.stack({name})))", f"a = clip({name}[-1])",
        f"i = i + len({name})", f"b = clip(sum({name}))",
    ]  # fmt: skip
    writer.line(depth, writer.choose(uses))


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
    listed,
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

def function(a, b, i, j, v, state):
    count = 0
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
    writer.line(1, "return clip(a + b + box.a), small(i + j + held['i'] + count), v")
    return HEADER + "\n".join(writer.lines) + "\n"
