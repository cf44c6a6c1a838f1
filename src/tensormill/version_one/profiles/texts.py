"""Profiles as texts, where the options say they go."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

_COLUMNS: Final = {
    "params": ("# parameters", "params"),
    "float_ops": ("# float_ops", "flops"),
    "occurrence": ("op occurrence", "ops"),
}


def show(nodes: list[Any], options: dict[str, Any], cmd: str) -> None:
    """Print what was counted, or write it to a file, or neither.

    Raises:
        NotImplementedError: to a timeline, or for pprof.
    """
    kind, _, place = options["output"].partition(":outfile=")
    if kind == "none":
        return
    if kind not in ("stdout", "file"):
        raise NotImplementedError(f"profiles go to 'stdout', 'file' or 'none', not to {kind!r}")
    facts = [fact for fact in _COLUMNS if fact in options["select"]]
    heading = " | ".join(["node name", *(_COLUMNS[fact][0] for fact in facts)])
    rows = _kinds(nodes, facts) if cmd == "op" else _tree(nodes[0], facts, 0)
    text = "\n".join([heading, *rows])
    if kind == "file":
        Path(place).write_text(f"{text}\n")
    else:
        print(f"\n{text}\n")


def _tree(node: Any, facts: list[str], depth: int) -> list[str]:
    counted = ", ".join(
        f"{_short(node.counts[fact]) if node.counts[fact] else '--'}"
        f"/{_short(node.totals[fact])} {_COLUMNS[fact][1]}"
        for fact in facts
    )
    rows = [f"{'  ' * depth}{node.name} ({counted})"]
    for child in node.children:
        rows += _tree(child, facts, depth + 1)
    return rows


def _kinds(kinds: list[Any], facts: list[str]) -> list[str]:
    """Each with its share of all, and that of itself and what follows."""
    rows: list[str] = []
    for kind in kinds:
        cells = [f"{kind.name:<24}"]
        for fact in facts:
            whole = max(kinds[0].totals[fact], 1)
            own, rest = kind.counts[fact], kind.totals[fact]
            cells.append(f"{_short(own)} {fact} ({rest / whole:.2%}, {own / whole:.2%})")
        rows.append(" ".join(cells))
    return rows


def _short(number: int) -> str:
    for size, letter in ((10**9, "b"), (10**6, "m"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.2f}{letter}"
    return str(number)
