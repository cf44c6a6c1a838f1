"""Whether traced branches return the same; and what to say where they do not."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from typing import Any

from ..core import tree
from ..core.source import is_ours
from ..core.type_spec import spec_of
from ..core.values import TensorLike
from .structure import TracedBranch

# Values with a longer text are called by their class.
_LONGEST = 40


def check_alike(
    traced: Sequence[TracedBranch], names: Sequence[str], what: str, functions: Sequence[Any]
) -> None:
    """Raise where the results of branches, which `functions` are, cannot stand for each other.

    Raises:
        TypeError: structures, kinds or dtypes differ.
        ValueError: None stands where another branch has a tensor.
    """
    first = traced[0].structure
    for other, name, function in zip(traced[1:], names[1:], functions[1:], strict=True):
        try:
            _check_pair(first, other.structure, (names[0], name), what)
        except (TypeError, ValueError) as error:
            lines = _line_of(names[0], functions[0]), _line_of(name, function)
            if lines[0][1:] == lines[1][1:] or not all(lines):
                raise
            raise type(error)(
                str(error) + "".join(f"\n  {': '.join(one)}" for one in lines)
            ) from None


def _line_of(name: str, function: Any) -> tuple[str, ...]:
    """The branch's name, and where it is written; nothing if that cannot be known."""
    code = getattr(function, "__code__", None)
    if code is None or is_ours(code.co_filename):
        return ()
    line = code.co_firstlineno
    text = linecache.getline(code.co_filename, line).strip()
    return name, f"{code.co_filename}:{line}  {text}"


def common_structure(traced: Sequence[TracedBranch]) -> Any:
    """What the results of all branches have in common.

    That of the first; where composites differ, say in their shapes, it has the spec of all.
    """
    return tree.map_structure(_common, *(one.structure for one in traced), check_types=False)


def _common(leaf: Any, *others: Any) -> Any:
    spec = spec_of(leaf) if isinstance(leaf, tree.Composite) else None
    if spec is None:
        return leaf
    specs = [spec_of(other) for other in others]
    return leaf if all(spec == one for one in specs) else spec.most_specific_common_supertype(specs)


def _check_pair(first: Any, second: Any, names: tuple[str, str], what: str) -> None:
    one, other = names
    lead = (
        f"{one} and {other} arguments to {what} must have the same number, type, and overall "
        "structure of return values."
    )
    _check_none(first, second, names, what)
    if tree.difference(first, second) is not None:
        raise TypeError(
            f"{lead} {one} returns {described(first)}, {other} returns {described(second)}"
        )
    pairs = zip(tree.flatten_with_path(first), tree.flatten(second), strict=True)
    for position, ((path, mine), theirs) in enumerate(pairs):
        _check_leaves(position, tree.path_text(path), mine, theirs, names, what, lead)


def _check_none(first: Any, second: Any, names: tuple[str, str], what: str) -> None:
    if (first is None) == (second is None):
        return
    rest = first if second is None else second
    raise ValueError(
        f"Lengths of branch outputs of cond must match: {names[first is not None]} of {what} "
        f"returns None and the other returns {described(rest)}; a tensor decides, so both have to "
        "return the same"
    )


def _check_leaves(
    position: int,
    path: str,
    mine: Any,
    theirs: Any,
    names: tuple[str, str],
    what: str,
    lead: str,
) -> None:
    at = f"at {path} " if path else ""
    if (mine is None) != (theirs is None):
        raise ValueError(
            f"Lengths of branch outputs of cond must match: {at}{names[0]} returns "
            f"{described(mine)} and {names[1]} returns {described(theirs)}"
        )
    if mine is None:
        return
    if isinstance(mine, tree.Composite) != isinstance(theirs, tree.Composite):
        raise TypeError(
            f"Cannot reconcile {what} {position}-th outputs: {at}{names[0]} returns "
            f"{described(mine)} and {names[1]} returns {described(theirs)}"
        )
    if not _are_of_one_type(mine, theirs):
        raise TypeError(
            f"{lead} {at}{names[0]} returns {described(mine)}, {names[1]} returns "
            f"{described(theirs)}{_cast_one(mine, theirs)}"
        )


def _cast_one(mine: Any, theirs: Any) -> str:
    is_it = type(mine) is type(theirs) and isinstance(mine, TensorLike)
    return "; use tf.cast in one of them" if is_it else ""


def _are_of_one_type(mine: Any, theirs: Any) -> bool:
    spec = spec_of(mine) if isinstance(mine, tree.Composite) else None
    if spec is not None:
        return spec.most_specific_common_supertype([spec_of(theirs)]) is not None
    return type(mine) is type(theirs) and _dtype_of(mine) is _dtype_of(theirs)


def _dtype_of(value: Any) -> Any:
    return getattr(value, "dtype", None)


def described(value: Any) -> str:
    """A value in a few words: `float32 (2,)`, `[int32 (), None]`; Python's own as it is."""
    if value is None:
        return "None"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {described(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(described(one) for one in value)
        comma = "," if len(value) == 1 else ""
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{comma})"
    if isinstance(value, tree.Composite):
        return repr(spec_of(value) or type(value).__name__)
    if isinstance(value, TensorLike):
        return f"{value.dtype.name} {value.shape}"
    text = repr(value)
    return text if len(text) <= _LONGEST else type(value).__name__
