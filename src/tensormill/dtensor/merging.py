"""How the layouts of operands become one: which axis of a mesh an axis of the result gets.

The facts are those that TensorFlow 2.21 showed on meshes of CPUs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from .layout import UNSHARDED, Specs


class LaidOutOperand:
    """What a rule knows of an operand: how it is laid out, its sizes, and its constant value.

    specs: None where it is unknown how it is laid out; of handles, those of what they hold.
    is_given: whether it comes from outside of the function, so that nothing else decides of it.
    """

    __slots__ = ("is_given", "shape", "specs", "value")

    def __init__(
        self, specs: Specs | None, shape: tuple[int | None, ...] | None, value: object = None,
        is_given: bool = True,
    ) -> None:  # fmt: skip
        self.is_given = is_given
        self.specs = specs
        self.shape = shape
        self.value = value

    @property
    def is_replicated(self) -> bool:
        """Whether every device has the whole of it."""
        return self.specs is not None and all(spec == UNSHARDED for spec in self.specs)


def replicated(rank: int) -> Specs:
    return (UNSHARDED,) * rank


def without_repeats(specs: Sequence[str], lost: list[str]) -> Specs:
    """No axis of the mesh for two axes of a tensor: neither has it then, and `lost` is told."""
    found = [UNSHARDED if specs.count(spec) > 1 else spec for spec in specs]
    lost += set(specs) - {*found, UNSHARDED}
    return tuple(found)


def broadcast(operands: Iterable[Specs], lost: list[str]) -> Specs:
    """What operands have that are broadcast: of an axis the first has, unless some other axis of
    the result is divided along the same axis of the mesh: that is told to `lost`.
    """
    rows = list(operands)
    rank = max(map(len, rows), default=0)
    wide = [(UNSHARDED,) * (rank - len(row)) + row for row in rows]
    return tuple(_merged(wide, axis, lost) for axis in range(rank))


def _merged(rows: list[Specs], axis: int, lost: list[str]) -> str:
    named = [row[axis] for row in rows if row[axis] != UNSHARDED]
    if not named:
        return UNSHARDED
    elsewhere = {spec for row in rows for k, spec in enumerate(row) if k != axis}
    repeated = elsewhere.intersection(named)
    lost += repeated
    return UNSHARDED if repeated else named[0]


def contracted(
    operands: Sequence[Specs],
    labels: Sequence[Sequence[Hashable]],
    result: Sequence[Hashable],
    lost: list[str],
) -> Specs | None:
    """What the result of a product has, whose axes are the labels `result`; None where operands
    differ in how an axis is divided that they share.
    """
    found: dict[Hashable, str] = {}
    for row, names in zip(operands, labels, strict=True):
        for spec, name in zip(row, names, strict=True):
            if spec != UNSHARDED and found.setdefault(name, spec) != spec:
                return None
    return without_repeats([found.get(name, UNSHARDED) for name in result], lost)


def reshaped(
    specs: Specs, before: Sequence[int], after: Sequence[int], parts: Mapping[str, int]
) -> Specs | None:
    """What a reshaped tensor has: of axes that become others the first one hands on how it is
    divided, where the first of the others can be divided so; None where there are no elements.
    """
    if 0 in before or 0 in after:
        return None
    found = [UNSHARDED] * len(after)
    old = [axis for axis, size in enumerate(before) if size != 1]
    new = [axis for axis, size in enumerate(after) if size != 1]
    while old and new:
        first, target = old[0], new[0]
        left, right = before[old.pop(0)], after[new.pop(0)]
        while left != right:
            if left < right:
                left *= before[old.pop(0)]
            else:
                right *= after[new.pop(0)]
        if after[target] % parts.get(specs[first], 1) == 0:
            found[target] = specs[first]
    return tuple(found)
