"""An exception of the user's that a program raises when it gets there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.values import TensorLike
from ..errors import InvalidArgumentError, UserRaised
from .bind import bind
from .conversion import as_tensor
from .families import Checking
from .lowering import NotStatic
from .op import ANY, Attr
from .origins import Origin


class Raised(str):
    """What a graph knows of an exception: its text, and how to make it again.

    `places` are those of its arguments that are tensors; `note` says where it was raised.
    """

    __slots__ = ("exception", "note", "places")

    exception: Exception
    note: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, exception: Exception, note: str) -> tuple[Raised, list[Any]]:
        """The exception without what belongs to the trace, and the tensors among its arguments."""
        found = [(k, one) for k, one in enumerate(exception.args) if isinstance(one, TensorLike)]
        template = _copied(exception, [None if k in dict(found) else one
                                       for k, one in enumerate(exception.args)])  # fmt: skip
        made = cls(f"{type(exception).__name__}: {exception}")
        made.exception, made.note = template, note
        made.places = tuple(k for k, _ in found)
        return made, [one for _, one in found]

    def again(self, values: Sequence[Any] = ()) -> Exception:
        """The exception, to be raised now."""
        arguments = list(self.exception.args)
        for place, value in zip(self.places, values, strict=True):
            arguments[place] = value
        made = _copied(self.exception, arguments)
        made.add_note(self.note)
        return made


def _copied(exception: Exception, arguments: Sequence[Any]) -> Exception:
    """One of the same class with these arguments and attributes. Constructors are not called."""
    kind = type(exception)
    made = kind.__new__(kind, *arguments)
    made.args = tuple(arguments)
    for name, value in vars(exception).items():
        if name != "__notes__":
            made.__dict__[name] = value
    return made


class Raise(Checking):
    """Raises `exception` where `condition` is false. Ours: TensorFlow raises while tracing."""

    exception = Attr()
    origin = Origin.GRAPHS
    T = ANY

    def demands(self, sizes: Any) -> None:
        """Who cannot raise the exception itself raises what stands for it."""
        if not sizes.numpy_looks:
            self.demand_condition(sizes, UserRaised, "{}", str(self.exception))

    def eager(self, np: Any) -> tuple[()]:
        if not self.condition:
            raise recreated_exception(self.exception, self.data)
        return ()

    def lower(self, loops: Any) -> tuple[()]:
        if self.data:
            raise NotStatic("its exception holds tensors")
        return ()

    def xla(self, xla: Any) -> tuple[()]:
        if self.data:
            xla.refuse("its exception holds tensors")
        return ()


def recreated_exception(exception: str, data: Sequence[Any] = ()) -> Exception:
    """What to raise; of an exception that a file brought only the text is left."""
    if isinstance(exception, Raised):
        return exception.again([one.item() if one.ndim == 0 else one for one in data])
    return InvalidArgumentError(exception)


def raise_in_graph(exception: Exception, note: str) -> None:
    """Let the program that is being traced raise an exception when it gets here."""
    raise_unless(as_tensor(False), exception, note)


def raise_unless(condition: Any, exception: Exception, note: str) -> None:
    """Let it do so if `condition` is false then."""
    described, tensors = Raised.of(exception, note)
    bind(Raise, condition, tensors, exception=described)
