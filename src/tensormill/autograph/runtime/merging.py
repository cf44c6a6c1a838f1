"""One value out of two: what a variable is after a staged `if`.

`merge` compares what the two branches left behind, in words that name the variable, and says what
has to come out of the graph. It makes no tensors: each branch converts its own, later, in its own
graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tensormill.autograph.errors import NotInEveryBranch
from tensormill.core import tree

from . import tensors
from .sentinels import NO_VALUE, UNSET, Absence

MAIN, ELSE = "main", "else"


@dataclass(frozen=True, slots=True)
class Output:
    """One tensor that comes out of the conditional.

    `main` and `orelse` are what each branch makes it from; NO_VALUE means: anything that looks
    like the other one. `dtype` is None where the values decide it.
    """

    main: Any
    orelse: Any
    dtype: Any = None


@dataclass(slots=True)
class Merged:
    """What a variable becomes: a value known now, or a structure of outputs."""

    value: Any = None  # of the structure only the shape counts, where there are outputs
    outputs: list[Output] = field(default_factory=list)
    kept: dict[int, Any] = field(default_factory=dict)  # leaves that are the same in both branches

    def rebuilt(self, results: Sequence[Any]) -> Any:
        """The value, given the tensors that came out."""
        if not self.outputs:
            return self.value
        rest = iter(results)
        count = len(self.outputs) + len(self.kept)
        leaves = [self.kept[i] if i in self.kept else next(rest) for i in range(count)]
        return tree.pack_sequence_as(self.value, leaves, expand_composites=True)


def merge(name: str, main: Any, orelse: Any) -> Merged:
    """Compare what two branches left in the variable `name`.

    Raises:
        ValueError: it has a value in one of them only, or is None in one of them.
        TypeError: the structures or the dtypes differ, or it holds something that no tensor can.
    """
    if _is_same(main, orelse):
        return Merged(main)
    if main is NO_VALUE or orelse is NO_VALUE:
        return _merge_with_nothing(name, main, orelse)
    _check_present(name, main, orelse)
    _check_structure(name, main, orelse)
    merged = Merged(main)
    leaves = zip(_leaves(main), _leaves(orelse), strict=True)
    for index, ((path, first), (_, second)) in enumerate(leaves):
        if _is_same(first, second):
            merged.kept[index] = first
        else:
            merged.outputs.append(_output(name + tree.path_text(path), first, second))
    if not merged.outputs:
        merged.value = tree.pack_sequence_as(main, list(merged.kept.values()), True)
    return merged


def _is_same(main: Any, orelse: Any) -> bool:
    """Whether the branches agree, so that the value needs no tensor.

    Equal bools do, too: they are flags of the converted code, and stay known while tracing.
    """
    if main is orelse:
        return True
    return isinstance(main, bool) and isinstance(orelse, bool) and main == orelse


def _leaves(value: Any) -> list[tree.Leaf]:
    return tree.flatten_with_path(value, expand_composites=True)


def _merge_with_nothing(name: str, main: Any, orelse: Any) -> Merged:
    """Only one branch returned: the flag says which, and the other makes up a value."""
    present = orelse if main is NO_VALUE else main
    if present is UNSET or present is None:
        return Merged(present)
    merged = Merged(present)
    for path, leaf in _leaves(present):
        check_is_tensor_like(name + tree.path_text(path), leaf)
        pair = (NO_VALUE, leaf) if main is NO_VALUE else (leaf, NO_VALUE)
        merged.outputs.append(Output(*pair))
    return merged


def _check_present(name: str, main: Any, orelse: Any) -> None:
    for value, branch in ((orelse, ELSE), (main, MAIN)):
        if value is UNSET:
            raise NotInEveryBranch(
                name, f"'{name}' must also be initialized in the {branch} branch"
            )
    for value, branch in ((main, MAIN), (orelse, ELSE)):
        if value is None:
            raise NotInEveryBranch(name, f"'{name}' is None at the end of the {branch} branch.")


def _check_structure(name: str, main: Any, orelse: Any) -> None:
    try:
        tree.assert_same_structure(main, orelse, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"'{name}' must have the same nested structure in the main and else branches: "
            f"{str(error).rpartition('More specifically: ')[2]}"
        ) from None


def _output(name: str, main: Any, orelse: Any) -> Output:
    _check_present(name, main, orelse)
    for value in (main, orelse):
        check_is_tensor_like(name, value)
    dtype = tensors.common_dtype(main, orelse)
    if dtype is not None:
        return Output(main, orelse, dtype)
    raise TypeError(
        f"'{name}' has dtype {tensors.dtype_of(main).name} in the main branch, but dtype "
        f"{tensors.dtype_of(orelse).name} in the else branch; use tf.cast in one of them"
    )


def check_is_tensor_like(name: str, value: Any) -> None:
    """Raise a TypeError for what cannot leave a branch as a tensor."""
    if not isinstance(value, Absence) and tensors.may_be_tensor(value):
        return
    raise TypeError(
        f"'{name}' must return zero or more Tensors or ExtensionTypes or None values from both "
        f"branches, since a tensor decides between them; found return value of type "
        f"{type(value).__name__}: {value!r}"
    )
