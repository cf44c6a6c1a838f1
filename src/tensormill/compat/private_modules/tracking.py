"""`tf.__internal__.tracking`: what clients use to track attributes by rules of their own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from ...checkpoint.object_graph import TrackableView, state_of
from ...checkpoint.state_file import update_checkpoint_state as write_state
from ...core.process.named_tuples import NamedTuple
from ...module.data_structures import NoDependency, is_trackable, wrap
from .object_identity import ObjectIdentityDictionary


def sticky_attribute_assignment(trackable: Any, name: str, value: Any) -> Any:
    """What to assign as the attribute `name`: lists and dicts wrapped; tracked as a child."""
    trackable.__dict__["_self_declares_children"] = True
    if isinstance(value, NoDependency):
        return value.value
    value = wrap(value)
    if is_trackable(value):
        trackable._track_trackable(value, name, overwrite=True)
    return value


class CheckpointInitialValue:
    """The value of a variable, from a checkpoint: for `isinstance`, as nothing is of it."""


class CheckpointInitialValueCallable:
    """The value of a variable that is made while a checkpoint waits to be restored into it."""

    def __init__(self, checkpoint_position: Any) -> None:
        raise NotImplementedError(
            "a checkpoint's values are not asked for before a variable is made: they are restored "
            "into it when it is tracked"
        )


class TrackableReference(NamedTuple):
    """A step from an object to a child of it."""

    name: str
    ref: Any


class ObjectGraphView(TrackableView):
    """A root and all below it."""

    def breadth_first_traversal(self) -> tuple[list[Any], ObjectIdentityDictionary]:
        """All objects, and the steps that lead to each from the root."""
        nodes = self.nodes()
        steps: dict[int, tuple[TrackableReference, ...]] = {0: ()}
        for node in nodes:
            for name, number in node.children.items():
                step = TrackableReference(name, nodes[number].value)
                steps.setdefault(number, (*steps[node.number], step))
        paths = ObjectIdentityDictionary()
        for node in nodes:
            paths[node.value] = steps[node.number]
        return [node.value for node in nodes], paths


def saveable_objects_from_trackable(obj: Any, tf1_saver: bool = False) -> dict[str, Any]:
    """What an object stores in a checkpoint, by name."""
    return state_of(obj)


@contextmanager
def streaming_restore(status: Any, session: Any = None) -> Generator[None]:
    """Nothing: values are restored as soon as their variables are there."""
    yield


def register_session_provider(session_provider: Callable[[], Any]) -> None:
    """Nothing: no checkpoint needs a session."""


def _delegated(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._trackable, name)(*args, **kwargs)

    method.__name__ = name
    return method


class DelegatingTrackableMixin:
    """A trackable that has the children and the state of another one, which it wraps."""

    def __init__(self, trackable_obj: Any) -> None:
        self._trackable = trackable_obj

    _track_trackable = _delegated("_track_trackable")
    _trackable_children = _delegated("_trackable_children")
    _lookup_dependency = _delegated("_lookup_dependency")
    _defer_dependency = _delegated("_defer_dependency")
    _handle_deferred_dependencies = _delegated("_handle_deferred_dependencies")


def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    save_relative_paths: bool = False,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Write which checkpoint of a directory is the newest: by its place in the directory."""
    write_state(
        save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename,
        all_model_checkpoint_timestamps or (), last_preserved_timestamp,
    )  # fmt: skip


@contextmanager
def no_automatic_dependency_tracking_scope(obj: Any) -> Generator[None]:
    """Attributes that are assigned within are no children of the object."""
    before = getattr(obj, "_self_setattr_tracking", True)
    obj._self_setattr_tracking = False
    try:
        yield
    finally:
        obj._self_setattr_tracking = before
