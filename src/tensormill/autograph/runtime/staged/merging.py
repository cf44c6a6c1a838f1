"""One value out of two: what a variable is after a staged `if`.

`merge` compares what the two branches left behind, in words that name the variable, and says what
has to come out of the graph. It makes no tensors: each branch converts its own, later, in its own
graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ....core.process.named_tuples import NamedTuple
from ....graph.numbers.loop_numbers import LoopNumber, fits, numbers_in
from ...errors import NotInEveryBranch
from .. import tensors
from ..places.records import instead_of_object
from ..places.structures import TakenApart
from ..sentinels import NO_VALUE, UNSET, Absence

MAIN, ELSE = "main", "else"


class Output(NamedTuple):
    """One tensor that comes out of the conditional.

    `main` and `orelse` are what each branch makes it from; NO_VALUE means: anything that looks
    like the other one. `dtype` is None where the values decide it.
    """

    main: Any
    orelse: Any
    dtype: Any = None
    numbers: Sequence[LoopNumber] = ()  # of loops around: what comes out is made of them alone


@dataclass(slots=True)
class Merged:
    """What a variable becomes: something known now, around the outputs (if there are any)."""

    structure: TakenApart
    outputs: list[Output] = field(default_factory=list)
    # The parts that both branches left alike, by their position among all parts.
    kept: dict[int, Any] = field(default_factory=dict)

    def rebuilt(self, results: Sequence[Any]) -> Any:
        """The value, given the tensors that came out."""
        if not self.outputs and not self.kept:
            return self.structure.value
        rest = iter(results)
        count = len(self.structure.parts)
        parts = [self.kept[i] if i in self.kept else next(rest) for i in range(count)]
        return self.structure.rebuilt(parts)


def merge(name: str, main: TakenApart, orelse: TakenApart) -> Merged:
    """Compare what two branches left in the variable `name`.

    Raises:
        ValueError: it has a value in one of them only, or is None in one of them.
        TypeError: the structures or the dtypes differ, or it holds something that no tensor can.
    """
    if _is_same(main.value, orelse.value):
        return Merged(main)
    if main.value is NO_VALUE:
        return _merge_with_nothing(orelse, is_main=False)
    if orelse.value is NO_VALUE:
        return _merge_with_nothing(main, is_main=True)
    _check_present(name, main.value, orelse.value)
    if main.difference(orelse) is not None:
        raise _other_structure(name, main.value, orelse.value)
    main.widen(orelse)
    merged = Merged(main)
    rows = zip(main.names, main.parts, orelse.parts, strict=True)
    for index, (part, first, second) in enumerate(rows):
        if _is_same(first, second):
            merged.kept[index] = first
        else:
            merged.outputs.append(_output(part, first, second))
    return merged


def _is_same(main: Any, orelse: Any) -> bool:
    """Whether the branches agree, so that the value needs no tensor.

    Equal bools do, too: they are flags of the converted code, and stay known while tracing.
    """
    if main is orelse:
        return True
    return isinstance(main, bool) and isinstance(orelse, bool) and main == orelse


def _merge_with_nothing(present: TakenApart, *, is_main: bool) -> Merged:
    """Only one branch has a value that may be looked at: the other makes one up.

    Of a constant, it makes up the same one: `return 0` may then still become a float.
    """
    merged = Merged(present)
    for index, part in enumerate(present.parts):
        if tensors.is_tensor(part):
            merged.outputs.append(Output(part, NO_VALUE) if is_main else Output(NO_VALUE, part))
        else:
            merged.kept[index] = part
    return merged


def _check_present(name: str, main: Any, orelse: Any) -> None:
    for value, branch in ((orelse, ELSE), (main, MAIN)):
        if value is UNSET:
            raise NotInEveryBranch(
                name,
                f"{_called(name)} must also be initialized in the {branch} branch: give it a value "
                "there, or in front of the statement",
            )
    for value, branch, other in ((main, MAIN, orelse), (orelse, ELSE, main)):
        if value is None:
            raise NotInEveryBranch(name, _of_none(name, branch, other))


def _called(name: str) -> str:
    from ..wording import subject  # not before there is an error

    return subject(name)


def _of_none(name: str, branch: str, other: Any) -> str:
    from ..wording import described, stand_in_for

    example = stand_in_for(other)
    return (
        f"{_called(name)} is None at the end of the {branch} branch, and {described(other)} in the "
        "other one: a tensor decides between them, so it has to be a tensor in both"
        f"{f', like {example}' if example else ''}"
    )


def _other_structure(name: str, main: Any, orelse: Any) -> TypeError:
    from ..wording import described

    return TypeError(
        f"{_called(name)} must have the same nested structure in the main and else branches: it is "
        f"{described(main)} in the main branch, but {described(orelse)} in the else branch"
    )


def _output(name: str, main: Any, orelse: Any) -> Output:
    _check_present(name, main, orelse)
    for value in (main, orelse):
        check_is_tensor_like(name, value)
    dtype = tensors.common_dtype(main, orelse) or _adopted_dtype(main, orelse)
    if dtype is not None:
        return Output(main, orelse, dtype, _numbers(main, orelse))
    names = tensors.dtype_of(main).name, tensors.dtype_of(orelse).name
    cast = "tf.strings.as_string" if "string" in names else "tf.cast"
    raise TypeError(
        f"{_called(name)} has dtype {names[0]} in the main branch, but dtype {names[1]} in the "
        f"else branch; use {cast} in one of them"
    )


def _adopted_dtype(main: Any, orelse: Any) -> Any:
    """The dtype of one of them, if the other is a number of a loop, which will be asked for it."""
    for one, other in ((main, orelse), (orelse, main)):
        dtype = tensors.dtype_of(other)
        if fits(tensors.dtype_of(one), dtype) and numbers_in(one):
            return dtype
    return None


def _numbers(main: Any, orelse: Any) -> list[LoopNumber]:
    found = [numbers_in(one) for one in (main, orelse) if not tensors.is_weak(one)]
    return [number for numbers in found for number in numbers] if all(found) else []


def check_is_tensor_like(name: str, value: Any) -> None:
    """Raise a TypeError for what cannot leave a branch as a tensor."""
    if not isinstance(value, Absence) and tensors.may_be_tensor(value):
        return
    raise TypeError(
        f"{_called(name)} must return zero or more Tensors or ExtensionTypes or None values from "
        "both branches, since a tensor decides between them; found return value of type "
        f"{type(value).__name__}: {value!r}{instead_of_object(value)}"
    )
