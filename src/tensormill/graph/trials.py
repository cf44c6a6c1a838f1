"""Traces that try tensors where code had Python's values before: whether it refuses them.

A loop may turn a number that Python counted into a tensor, and hand it to anything. What then fails
is either the tensor's fault, and Python's number does, or the user's own exception, which is his.
Only what has been asked of a tensor tells them apart. So the tensors of such a trace are of a class
that notes it: each of the methods with which Python and NumPy ask for a value, `__index__` and
`__float__` among them, which other symbolic tensors do not have, so that nobody can ask; and
`isinstance`, which asks for `__class__`. An exception is a refusal where

    this library raised it, or what it was raised from or during, in a call that was given what is
    tried: the tensor's own methods, and operations;
    or it comes from where a tensor was asked: C code and checks of classes raise their own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import wraps
from types import FrameType, TracebackType
from typing import Any, Final, TypeVar, cast, final

from ..core.process.named_tuples import NamedTuple
from ..core.process.with_blocks import setting
from .symbolic import SymbolicTensor

Traced = TypeVar("Traced")

_LIBRARY: Final = __name__.partition(".")[0] + "."
# How deep in lists and dicts a call is given its tensors.
_DEPTH: Final = 3


class Refused(Exception):
    """Code does not take what was tried: these tensors, or any of them. `error` is what it said."""

    def __init__(self, error: Exception, tensors: Sequence[SymbolicTensor]) -> None:
        super().__init__(str(error))
        self.error, self.tensors = error, tensors


class Asked(NamedTuple):
    """A frame, which is held lest another one comes to lie there, and what it has asked."""

    frame: FrameType
    tensors: list[TriedTensor]


@final
class Trial:
    """One trace that tries tensors, and what was asked of them."""

    def __init__(self) -> None:
        outer = _current.get()
        self._around: tuple[Trial, ...] = () if outer is None else (*outer._around, outer)
        self._asked: dict[int, Asked] = {}
        self._spared: dict[int, SymbolicTensor] = {}
        self._is_over = False

    def run(self, trace: Callable[[], Traced], known: Callable[[Exception], bool | None]) -> Traced:
        """What `trace` returns; `known` may say of an exception whether it is a refusal.

        Raises:
            Refused: the code that was traced does not take what is tried.
        """
        try:
            with setting(_current, self):
                return trace()
        except Exception as error:
            is_refusal = known(error)
            tensors = self._refused(error) if is_refusal is None else [] if is_refusal else None
            if tensors is None:
                raise
            raise Refused(error, tensors) from error
        finally:
            self._is_over = True
            self._asked.clear()
            self._spared.clear()

    def spare(self, tensors: Iterable[SymbolicTensor]) -> None:
        """Say that these were tensors in front of the trial, too."""
        self._spared |= {id(one): one for one in tensors}

    # ---- what tensors note
    def note(self, tensor: TriedTensor, frame: FrameType | None) -> None:
        """What code of others does may turn on the tensor, in this frame and those that called."""
        while not self._is_over and frame is not None and not _is_library(frame):
            self._asked.setdefault(id(frame), Asked(frame, [])).tensors.append(tensor)
            frame = frame.f_back

    # ---- whose fault it is
    def _refused(self, error: Exception) -> list[SymbolicTensor] | None:
        """Which of the tensors that are tried an exception refuses; none of them: any. None where
        it is no refusal.
        """
        if all(map(_is_library, _frames(error.__traceback__))):
            return []  # nothing of the user's was under way: it is the loop's own
        for one in _chain(error):
            frames = _frames(one.__traceback__)
            asked = self._asked_in(frames)
            found = self._tried([*_given(frames), *asked])
            if found or (not asked and _names_tensors(one, frames)):
                return found
        return None

    def _asked_in(self, frames: Sequence[FrameType]) -> list[TriedTensor]:
        """The tensors that were asked where these frames end."""
        asked = self._asked.get(id(frames[-1])) if frames else None
        return [] if asked is None else asked.tensors

    def _tried(self, tensors: Iterable[SymbolicTensor]) -> list[SymbolicTensor]:
        """What this trial has as tensors, and no other one, of what these were computed from."""
        found: list[SymbolicTensor] = []
        seen: dict[int, SymbolicTensor] = {}
        pending = [*tensors]
        while pending:
            one = pending.pop()
            if id(one) in seen or id(one) in self._spared or not isinstance(one, TriedTensor):
                continue
            seen[id(one)] = one
            graph = one.op.owner()
            if graph is not None and graph.trial in self._around:
                continue
            if one.op.kind is not None:
                pending += one.op.inputs
            elif graph is None or (outside := graph.outside_of(one)) is None:
                found.append(one)
            else:
                pending.append(outside)
        return found


_current: ContextVar[Trial | None] = ContextVar("trial", default=None)


def current_trial() -> Trial | None:
    """That of which what is being traced is a part."""
    return _current.get()


def tensor_class(trial: Trial | None) -> type[SymbolicTensor]:
    """The class of the tensors that are traced in a trial, or in none."""
    return SymbolicTensor if trial is None else TriedTensor


class TriedTensor(SymbolicTensor):
    """A symbolic tensor that notes what is asked of it."""

    __slots__ = ()

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What `isinstance` asks for where the type itself is another one."""
        self._note(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
        return SymbolicTensor

    def _note(self, frame: FrameType) -> None:
        graph = None if _is_library(frame) else self.op.owner()
        if graph is not None and graph.trial is not None:
            graph.trial.note(self, frame)

    # What Python says where there is no such method.
    def __index__(self) -> int:
        raise TypeError(f"'{SymbolicTensor.__name__}' object cannot be interpreted as an integer")

    def __float__(self) -> float:
        raise TypeError(f"must be real number, not {SymbolicTensor.__name__}")

    def __complex__(self) -> complex:
        kind = SymbolicTensor.__name__
        raise TypeError(f"complex() first argument must be a string or a number, not '{kind}'")


def _noting(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of tensors, of which it is noted that it did not give what was asked for."""

    @wraps(method)
    def noting(self: TriedTensor, *args: Any) -> Any:
        try:
            return method(self, *args)
        except Exception:
            self._note(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
            raise

    return noting


_ASKING: Final = (
    "__array__", "__bool__", "__complex__", "__contains__", "__float__", "__format__",
    "__getattr__", "__hash__", "__index__", "__int__", "__iter__", "__len__", "__pow__",
    "__reduce_ex__", "__setitem__",
)  # fmt: skip

for _name in _ASKING:
    setattr(TriedTensor, _name, _noting(getattr(TriedTensor, _name)))
# Who prints its class, or looks for it by name, finds the one that it has elsewhere.
TriedTensor.__name__, TriedTensor.__qualname__ = (
    SymbolicTensor.__name__,
    SymbolicTensor.__qualname__,
)


def _is_library(frame: FrameType) -> bool:
    """Whether code of the library runs there; converted code is the user's."""
    return str(frame.f_globals.get("__name__")).startswith(_LIBRARY)


def _frames(traceback: TracebackType | None) -> list[FrameType]:
    """The frames that an exception went through, the one that raised it last."""
    found: list[FrameType] = []
    while traceback is not None:
        found.append(traceback.tb_frame)
        traceback = traceback.tb_next
    return found


def _given(frames: Sequence[FrameType]) -> Iterator[TriedTensor]:
    """The tensors which the call into the library got in which these frames end."""
    for frame in reversed(frames):
        if not _is_library(frame):
            return
        yield from _tensors(list(frame.f_locals.values()), _DEPTH)


def _names_tensors(error: BaseException, frames: Sequence[FrameType]) -> bool:
    """Whether foreign code says of tensors what it does not take: `timedelta` and its like look at
    the class without asking.
    """
    is_foreign = bool(frames) and not _is_library(frames[-1])
    return is_foreign and isinstance(error, TypeError) and SymbolicTensor.__name__ in str(error)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, and those that it was raised from or during."""
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        one = pending.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            pending += [one.__cause__, one.__context__]


def _tensors(values: Iterable[Any], depth: int) -> Iterator[TriedTensor]:
    for value in values:
        if type(value) is TriedTensor:
            yield value
        elif depth and type(value) in (list, tuple):
            yield from _tensors(value, depth - 1)
        elif depth and type(value) is dict:
            yield from _tensors(cast("dict[Any, Any]", value).values(), depth - 1)
