"""Which operations run in XLA, by which kind of rule: the list in docs/xla.md.

`python -m tests.xla.operations` writes it.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final

from tensormill.ops import catalogue as catalogue
from tensormill.ops.families import Elementwise
from tensormill.ops.op import REGISTRY, Op, as_eager, as_lower
from tensormill.xla.absences import absence_of
from tensormill.xla.builder import rule_of

PAGE: Final = Path(__file__).parents[2] / "docs" / "xla.md"
START: Final = "<!-- written by `python -m tests.xla.operations` -->\n"
KINDS: Final = {
    "element": "by the rule of one element (`scalar`), read with JAX's arrays",
    "kernel": "by the kernel (`eager`), which is right with JAX's functions of NumPy's names",
    "loops": "by the rule of the compiler (`lower`), which says what both have words for",
    "own": "by a rule of their own (`xla`)",
    "others": "as other operations (`expand`), where XLA has all of these",
}


def kind_of(op: type[Op]) -> str | None:
    rule = rule_of(op)
    if rule is None:
        return None if op.expand is None else "others"
    named = {Elementwise.xla: "element", as_eager: "kernel", as_lower: "loops"}
    return named.get(rule, "own")


def listed() -> str:
    """The list, in Markdown."""
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    absent: defaultdict[str, list[str]] = defaultdict(list)
    for name, op in sorted(REGISTRY.items()):
        if op.__module__.startswith("tensormill.ops."):
            kind = kind_of(op)
            (absent[absence_of(op)] if kind is None else kinds[kind]).append(name)
    lines = [START]
    for kind, said in KINDS.items():
        lines += [f"\n**{len(kinds[kind])} {said}:** {' '.join(kinds[kind])}\n"]
    lines += [f"\n### The {sum(map(len, absent.values()))} that XLA does not have\n"]
    for reason in sorted(absent):
        lines += [f"\n**{reason[0].upper()}{reason[1:]} ({len(absent[reason])}):** "]
        lines += [" ".join(absent[reason]), "\n"]
    return "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(PAGE.read_text().partition(START)[0] + listed())
