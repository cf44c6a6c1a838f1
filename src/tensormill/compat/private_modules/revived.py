"""`tf.__internal__.saved_model.load`: classes of clients that stand for objects of SavedModels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple


class VersionedTypeRegistration(NamedTuple):
    """How objects of one version of a class are made again."""

    object_factory: Callable[[Any], Any]
    version: int
    min_producer_version: int
    min_consumer_version: int
    bad_consumers: Sequence[int] | None = None
    setter: Callable[..., Any] = setattr


_registered: Final[dict[str, Sequence[VersionedTypeRegistration]]] = {}


def register_revived_type(
    identifier: str, predicate: Callable[[Any], bool], versions: Sequence[VersionedTypeRegistration]
) -> None:
    """Note by which functions clients make objects that files call `identifier`.

    Raises:
        AssertionError: there are some of that name.
    """
    if identifier in _registered:
        raise AssertionError(f"Duplicate registrations for type '{identifier}'")
    _registered[identifier] = versions


def registered_identifiers() -> list[str]:
    """The names that have been registered."""
    return list(_registered)


def get_setter(proto: Any) -> Callable[..., Any] | None:
    """What assigns the children of an object that a file describes; None for unknown objects."""
    versions = _registered.get(proto.identifier)
    return versions[0].setter if versions else None
