"""Objects whose parts can be found by name: what checkpoints and saved models walk over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

from ..eager.variable import Variable

# Attributes by which the library keeps its own books.
BOOKKEEPING = "_self_"


class Trackable:
    """Has children with names. Subclasses may add to them; nothing must be initialised."""

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Make `trackable` a child called `name`.

        Raises:
            ValueError: there is another one of that name, and `overwrite` is False.
        """
        children: dict[str, Any] = self.__dict__.setdefault("_self_children", {})
        if not overwrite and children.get(name, trackable) is not trackable:
            raise ValueError(f"{self!r} has a child called '{name}' already: {children[name]!r}")
        children[name] = trackable
        return trackable

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        """Children by name."""
        return dict(self.__dict__.get("_self_children", {}))


class AutoTrackable(Trackable):
    """Its attributes are its children, containers of trackables among them.

    Attributes keep their types: a list stays the very list that was assigned, and is looked
    through when somebody asks.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith(BOOKKEEPING):
            untracked: set[str] = self.__dict__.setdefault("_self_untracked", set())
            if self.__dict__.get("_self_setattr_tracking", True):
                untracked.discard(name)
            else:
                untracked.add(name)
        super().__setattr__(name, value)

    def _tracked_attributes(self) -> dict[str, Any]:
        """Attributes by name, sorted, without those that were assigned untracked."""
        untracked = self.__dict__.get("_self_untracked", ())
        return {
            name: value
            for name, value in sorted(vars(self).items())
            if name not in untracked and not name.startswith(BOOKKEEPING)
        }

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        own = {name: x for name, x in self._tracked_attributes().items() if is_trackable(x)}
        return own | super()._trackable_children(save_type, **options)


def is_trackable(value: Any) -> bool:
    """Whether `value` has state of its own, or contains something that has."""
    if isinstance(value, (Trackable, Variable)) or hasattr(value, "_trackable_children"):
        return True
    return isinstance(value, (list, tuple, Mapping)) and any(map(is_trackable, items_of(value)))


def items_of(container: Any) -> Iterable[Any]:
    """What a container holds: a mapping's values in the order of its sorted keys."""
    if not isinstance(container, Mapping):
        return container
    try:
        return [container[key] for key in sorted(container)]
    except TypeError:  # keys of several types: the order in which they came
        return list(container.values())


def no_automatic_dependency_tracking(method: Callable[..., Any]) -> Callable[..., Any]:
    """Attributes that `method` assigns are no children of the object."""

    @wraps(method)
    def untracked(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = getattr(self, "_self_setattr_tracking", True)
        self._self_setattr_tracking = False
        try:
            return method(self, *args, **kwargs)
        finally:
            self._self_setattr_tracking = before

    return untracked
