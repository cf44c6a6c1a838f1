"""Objects whose parts have names: what checkpoints and saved models walk over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

# Attributes by which the library keeps its own books. Others that begin like these are users':
# a layer has its `_self_attention`.
BOOKKEEPING: Final = frozenset((
    "_self_children", "_self_declares_children", "_self_deferred", "_self_save_counter",
    "_self_saveables", "_self_setattr_tracking", "_self_shared",
    "_self_unconditional_dependency_names", "_self_untracked",
))  # fmt: skip

Bind = Callable[[Any], None]


class Deferred(dict[str, list[Bind]]):
    """What is to be done when a child of some name comes. Copies of the owner wait for nothing."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Deferred, ()


class Trackable:
    """Has children with names. Subclasses may add to them; nothing must be initialised.

    An object with state of its own has `_serialize_to_tensors() -> {name: tensor}` and
    `_restore_from_tensors({name: tensor})` beside. `_foreign_state` says of names under which other
    libraries keep the state of such objects why it cannot be taken.
    """

    _foreign_state: ClassVar[Mapping[str, str]] = {}

    def __dir__(self) -> Iterable[str]:
        """Without the books: Keras loads a second time, from nowhere, what it finds in them."""
        return [name for name in super().__dir__() if name not in BOOKKEEPING]

    @property
    def _setattr_tracking(self) -> bool:
        """Whether what is assigned becomes a child: layers of Keras 2 switch it off and on."""
        return self.__dict__.get("_self_setattr_tracking", True)

    @_setattr_tracking.setter
    def _setattr_tracking(self, is_tracked: bool) -> None:
        self.__dict__["_self_setattr_tracking"] = is_tracked

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Make `trackable` a child called `name`.

        Raises:
            ValueError: there is another one of that name, and `overwrite` is False.
        """
        children: dict[str, Any] = self.__dict__.setdefault("_self_children", {})
        if not overwrite and children.get(name, trackable) is not trackable:
            raise ValueError(f"{self!r} has a child called '{name}' already: {children[name]!r}")
        children[name] = trackable
        self._handle_deferred_dependencies(name, trackable)
        return trackable

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        """Children by name. `save_type` is "checkpoint" or "savedmodel"."""
        return dict(self.__dict__.get("_self_children", {}))

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        """The child called `name`, or None."""
        children = (
            self._trackable_children() if cached_dependencies is None else cached_dependencies
        )
        return children.get(name)

    def _defer_dependency(self, name: str, bind: Bind) -> None:
        """Have `bind(child)` called when there is a child called `name`."""
        deferred: Deferred = self.__dict__.setdefault("_self_deferred", Deferred())
        deferred.setdefault(name, []).append(bind)

    def _handle_deferred_dependencies(self, name: str, trackable: Any) -> None:
        """Restore a new child, if a checkpoint that was restored earlier has values for it."""
        for bind in self.__dict__.get("_self_deferred", {}).pop(name, ()):
            bind(trackable)

    # ---- what clients ask of it whose objects track by rules of their own
    @property
    def _object_identifier(self) -> str:
        """What files call objects of this kind."""
        return "_generic_user_object"

    def _no_dependency(self, value: Any) -> Any:
        """`value`, as what is assigned and not tracked: nothing is that was not told to be."""
        return value

    def _maybe_initialize_trackable(self) -> None:
        """Nothing: there is nothing to initialise."""

    @property
    def _self_unconditional_dependency_names(self) -> dict[str, Any]:
        """The children that it was given, without those that its class names in other ways."""
        return Trackable._trackable_children(self)

    def _delete_tracking(self, name: str) -> None:
        """Drop the child called `name`."""
        self.__dict__.get("_self_children", {}).pop(name, None)

    def _add_variable_with_custom_getter(
        self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
        getter: Callable[..., Any] | None = None, overwrite: bool = False, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """The variable that `getter` makes, a child called `name`.

        Raises:
            ValueError: there is a child of that name, and `overwrite` is False.
        """
        if not overwrite and self._lookup_dependency(name) is not None:
            raise ValueError(
                f"A variable named '{name}' already exists in this Trackable "
                f"({type(self).__name__}): give another name, or overwrite=True"
            )
        assert getter is not None
        made = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs)
        return self._track_trackable(made, name, overwrite)
