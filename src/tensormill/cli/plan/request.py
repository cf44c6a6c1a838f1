"""What is asked of a plan: read from options, and told to the process that measures."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import prod
from typing import Final

from ...core.process.named_tuples import NamedTuple

USUAL_AXES: Final = ("batch", "model")


class CannotPlan(Exception):
    """What is asked can not be planned; the text is one sentence for the user."""


class StatedShape(NamedTuple):
    """What was said of an argument: its sizes, and its dtype where that was said."""

    sizes: tuple[int, ...]
    dtype: str | None


@dataclass(frozen=True)
class PlanRequest:
    """A function of a script, a mesh, and what was said of tensors by their names."""

    script: str
    function: str
    axes: tuple[str, ...]
    sizes: tuple[int, ...]
    names_are_own: bool  # whether the axes of the mesh were named
    shards: tuple[tuple[str, tuple[str, ...]], ...] = ()
    shapes: dict[str, StatedShape] = field(default_factory=dict[str, StatedShape])

    @property
    def devices(self) -> int:
        return prod(self.sizes)

    @property
    def mesh(self) -> str:
        return "x".join(map(str, self.sizes))

    def text(self) -> str:
        """All of it, for `read_request`."""
        return json.dumps(asdict(self))


def read_request(text: str) -> PlanRequest:
    """What `PlanRequest.text` wrote."""
    facts = json.loads(text)
    shapes = {
        name: StatedShape(tuple(sizes), dtype) for name, (sizes, dtype) in facts["shapes"].items()
    }
    shards = tuple((pattern, tuple(axes)) for pattern, axes in facts["shards"])
    lists = {name: tuple(facts[name]) for name in ("axes", "sizes")}
    return PlanRequest(**(facts | lists | {"shapes": shapes, "shards": shards}))


def request_of(target: str, mesh: str, shards: Sequence[str], shapes: Sequence[str]) -> PlanRequest:
    """The request that options say.

    Raises:
        CannotPlan: one of them says nothing.
    """
    script, _, function = target.rpartition(":")
    if not script or not function:
        raise CannotPlan(f"{target!r} names no function: say SCRIPT:FUNCTION, as train.py:step")
    axes, sizes, own = _mesh(mesh)
    return PlanRequest(
        script, function, axes, sizes, own,
        tuple(map(_shard, shards)), dict(map(_shape, shapes)),
    )  # fmt: skip


def _mesh(text: str) -> tuple[tuple[str, ...], tuple[int, ...], bool]:
    if re.fullmatch(r"[1-9]\d*(x[1-9]\d*)*", text):
        sizes = tuple(map(int, text.split("x")))
        if len(sizes) > len(USUAL_AXES):
            raise CannotPlan(f"name the axes of the mesh {text}: --mesh batch=2,model=2,other=2")
        return USUAL_AXES[: len(sizes)], sizes, False
    if re.fullmatch(r"\w+=[1-9]\d*(,\w+=[1-9]\d*)*", text):
        pairs = [one.split("=") for one in text.split(",")]
        names = tuple(name for name, _ in pairs)
        if len({*names}) == len(names):
            return names, tuple(int(size) for _, size in pairs), True
    raise CannotPlan(f"{text!r} is no mesh: say --mesh 64x8, or --mesh batch=64,model=8")


def _shard(text: str) -> tuple[str, tuple[str, ...]]:
    name, is_there, axes = text.partition("=")
    if not name or not is_there:
        raise CannotPlan(f"--shard {text} says nothing: wanted is NAME=AXES, as kernel=,model")
    return name, tuple("" if one == "-" else one for one in axes.split(","))


def _shape(text: str) -> tuple[str, StatedShape]:
    found = re.fullmatch(r"(\w+)=((?:\d+(?:,\d+)*)?)(?::(\w+))?", text)
    if found is None:
        raise CannotPlan(f"--shape {text} says nothing: wanted is NAME=SIZES, as x=4096,784")
    sizes = tuple(int(one) for one in found[2].split(",") if one)
    return found[1], StatedShape(sizes, found[3])
