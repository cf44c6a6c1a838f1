"""`tensorflow.python.saved_model` and `tf.__internal__.saved_model`: files of clients' own objects.

Clients that know how to make their objects again, from what they write beside a SavedModel, have
only the values and the functions taken from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core import context
from ...core.files.gfile import text
from ...graph.proto.structured import decoded
from ...saved_model.load import Loader
from ...saved_model.options import LoadOptions
from ...saved_model.read import meta_graph_of, proto_path, read_saved_model
from ...saved_model.restored import RestoredFunction
from ...saved_model.save import written
from ...saved_model.validation import validate
from .object_identity import ObjectIdentityDictionary
from .tracking import TrackableReference

Setter = Callable[[Any, str, Any], None]


def save_and_return_nodes(
    obj: Any, export_dir: Any, signatures: Any = None, options: Any = None
) -> tuple[list[Any], ObjectIdentityDictionary]:
    """`tf.saved_model.save`; the objects that were saved, and the steps from the root to each."""
    nodes = written(obj, export_dir, signatures, options)
    by_path = {node.path: node.value for node in nodes}
    paths = ObjectIdentityDictionary()
    for node in nodes:
        ends = range(1, len(node.path) + 1)
        paths[node.value] = tuple(
            TrackableReference(node.path[end - 1], by_path.get(node.path[:end])) for end in ends
        )
    return [node.value for node in nodes], paths


def parse_saved_model(export_dir: Any) -> Any:
    """The message that a SavedModel consists of."""
    return read_saved_model(text(export_dir))


def decode_proto(proto: Any) -> Any:
    """The structure that a message describes: specs in lists, tuples and dicts."""
    return decoded(proto)


def load_partial(
    export_dir: Any, filters: Any, tags: Any = None, options: Any = None
) -> dict[str, Any]:
    """The objects at some paths of a SavedModel: `{"root": object, "root.child": ...}`.

    filters: the paths; or a dict that has, for each, None or an object that is there already with
    the function that gives it its children: it gets them, and its variables their values.
    """
    directory = text(export_dir)
    meta = meta_graph_of(read_saved_model(directory), tags, directory)
    validate(meta, proto_path(directory), frozenset())
    wanted = filters if isinstance(filters, Mapping) else dict.fromkeys(filters)
    with context.entered(context.base):
        loader = _PartialLoader(directory, meta, options or LoadOptions(), wanted)
        loader.load()
    return loader.found()


class _PartialLoader(Loader):
    """Takes objects that are given in place of those that it would make."""

    def __init__(
        self, directory: str, meta: Any, options: LoadOptions, wanted: Mapping[str, Any]
    ) -> None:
        super().__init__(directory, meta, options)
        self._paths = {path: self._number_at(path) for path in wanted}
        self._given: dict[int, tuple[Any, Setter]] = {
            self._paths[path]: given for path, given in wanted.items() if given is not None
        }

    def found(self) -> dict[str, Any]:
        return {path: self._objects[number] for path, number in self._paths.items()}

    def _number_at(self, path: str) -> int:
        number = 0
        names = path.split(".")[1:]
        while names:
            children = {one.local_name: one.node_id for one in self._graph.nodes[number].children}
            # A child's own name may have dots in it: the longest that fits.
            ends = range(len(names), 0, -1)
            end = next((end for end in ends if ".".join(names[:end]) in children), None)
            if end is None:
                raise ValueError(f"{self._directory}: no object of the SavedModel is at '{path}'")
            number = children[".".join(names[:end])]
            names = names[end:]
        return number

    def _made(self, number: int) -> Any:
        given = self._given.get(number)
        return super()._made(number) if given is None else given[0]

    def _attach(self, number: int, name: str, child_number: int) -> None:
        given = self._given.get(number)
        if given is None:
            super()._attach(number, name, child_number)
            return
        child = self._objects[child_number]
        if not isinstance(child, RestoredFunction) or name != "__call__":
            given[1](given[0], name, child)
