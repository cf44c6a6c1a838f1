"""Objects whose attributes are tracked: parts of checkpoints and saved models, by name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from ..core.trackable import BOOKKEEPING, Trackable
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from .data_structures import NoDependency, children_of, is_part, is_trackable, wrap

__all__ = [
    "AutoTrackable", "NoDependency", "Trackable", "children_of", "is_trackable",
    "no_automatic_dependency_tracking",
]  # fmt: skip


class AutoTrackable(Trackable):
    """Its attributes are its children.

    Lists and dicts are wrapped when they are assigned (`data_structures` says how), so that what
    comes into them later is tracked, and restored if a checkpoint waits for it.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name in BOOKKEEPING:
            return super().__setattr__(name, value)
        is_tracked = self.__dict__.get("_self_setattr_tracking", True)
        if isinstance(value, NoDependency):
            is_tracked, value = False, value.value
        if is_tracked:
            value = wrap(value)
        self._forget(name, value)
        super().__setattr__(name, value)
        if not is_tracked:
            self.__dict__.setdefault("_self_untracked", set()).add(name)
        elif "_self_deferred" in self.__dict__ and is_trackable(value):
            self._handle_deferred_dependencies(name, value)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        self._forget(name)

    def _forget(self, name: str, unless: Any = None) -> None:
        """Drop what is known of an attribute that gets another value, or none."""
        self.__dict__.get("_self_untracked", set()).discard(name)
        children = self.__dict__.get("_self_children", {})
        if name in children and children[name] is not unless:
            del children[name]

    def _no_dependency(self, value: Any) -> Any:
        return NoDependency(value)

    def _tracked_attributes(self) -> dict[str, Any]:
        """Attributes by name, in the order of assignment, but for those assigned untracked."""
        untracked = self.__dict__.get("_self_untracked", ())
        return {
            name: value
            for name, value in vars(self).items()
            if name not in untracked and name not in BOOKKEEPING
        }

    @property
    def _self_unconditional_dependency_names(self) -> dict[str, Any]:
        return AutoTrackable._trackable_children(self)

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        functions = functions_of(self) if save_type == "savedmodel" else {}
        if "_self_declares_children" in self.__dict__:
            return super()._trackable_children(save_type, **options) | functions
        tracked = self._tracked_attributes().items()
        own = {name: value for name, value in tracked if is_part(value, save_type)}
        return own | super()._trackable_children(save_type, **options) | functions


def functions_of(owner: Any) -> dict[str, Any]:
    """The traced functions among attributes and methods, and those that properties give.

    Those with an input signature are traced: that may make variables.
    """
    found: dict[str, Any] = {}
    for name in dir(owner):
        with suppress(Exception):  # a property of the user's that cannot be had is none
            value = getattr(owner, name)
            if isinstance(value, (Function, ConcreteFunction)):
                found[name] = value
    for function in found.values():
        if isinstance(function, Function) and function.input_signature is not None:
            function.get_concrete_function()
    return found


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
