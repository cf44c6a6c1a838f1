"""`tf.compat.v1.summary`: operations that give messages for TensorBoard, kept in collections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..core import context, dtypes
from ..data.records.record_files import tf_record_iterator
from ..eager.convert import convert_to_tensor
from ..eager.scopes import name_scope
from ..graph.by_hand.collections import GraphKeys
from ..graph.by_hand.default_graph import get_default_graph
from ..graph.by_hand.sessions import get_default_session
from ..graph.proto.messages import from_json, message
from ..graph.serialized import summaries
from ..ops.audio.summaries import AudioSummaryV2
from ..ops.bind import bind
from ..summary.summaries import WRITTEN, current_writer

NOT_IN_TAGS = re.compile(r"[^-/\w.]")


def _clean(name: str) -> str:
    """A tag of a name: other characters are underscores."""
    return NOT_IN_TAGS.sub("_", str(name)).lstrip("/")


def _added(
    name: str, family: str | None, collections: Any, apply: Callable[[str, str], Any]
) -> Any:
    """The summary of `apply(tag, scope)`, in its collections."""
    base = _clean(name) if family is None else f"{_clean(family)}/{_clean(name)}"
    with name_scope(base) as scope:
        place = scope.rstrip("/")
        tag = place if family is None else f"{_clean(family)}/{place}"
        found = apply(tag, scope)
    return _collected(found, collections, [GraphKeys.SUMMARIES])


def _collected(found: Any, collections: Any, otherwise: list[str]) -> Any:
    if context.building_graph():
        names = otherwise if collections is None else list(collections)
        get_default_graph().add_to_collections(names, found)
    return found


def _tag(tag: str, name: str = "tag") -> Any:
    return convert_to_tensor(tag, dtypes.string, name=name)


def scalar(name: str, tensor: Any, collections: Any = None, family: str | None = None) -> Any:
    """A Summary of one number, serialized: a string scalar.

    tensor: a real scalar. The tag is the name, with the name scope before it. The summary is kept
    in `collections` (`GraphKeys.SUMMARIES`).

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     loss = tf.compat.v1.summary.scalar("loss", tf.constant(0.5))
    ...     print(tf.compat.v1.Summary.FromString(session.run(loss)).value[0].simple_value)
    0.5

    Raises:
        InvalidArgumentError: (when it runs) it is no scalar.
    """
    return _added(
        name, family, collections,
        lambda tag, scope: bind(
            summaries.ScalarSummary, _tag(tag, "tags"), convert_to_tensor(tensor), name=scope
        ),
    )  # fmt: skip


def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Any:
    """A Summary of how many numbers lie in each of many intervals, serialized.

    values: real numbers of any shape; tags and collections as of `scalar`.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     weights = tf.compat.v1.summary.histogram("weights", tf.constant([1.0, 3.0]))
    ...     print(tf.compat.v1.Summary.FromString(session.run(weights)).value[0].histo.sum)
    4.0

    Raises:
        InvalidArgumentError: (when it runs) one is infinite, or no number.
    """
    return _added(
        name, family, collections,
        lambda tag, scope: bind(
            summaries.HistogramSummary, _tag(tag), convert_to_tensor(values), name=scope
        ),
    )  # fmt: skip


def image(
    name: str,
    tensor: Any,
    max_outputs: int = 3,
    collections: Any = None,
    family: str | None = None,
) -> Any:
    """A Summary of pictures, serialized.

    tensor: [n, height, width, channels], uint8 or floats, of 1, 3 or 4 channels; the first
    `max_outputs` count. Of floats, the largest becomes 255; 0 is black, or 128 where some are
    negative. Tags are "name/image/0" and so on ("name/image" of one).

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     pictures = tf.compat.v1.summary.image("pictures", tf.ones([2, 4, 5, 1]))
    ...     print(tf.compat.v1.Summary.FromString(session.run(pictures)).value[1].image.width)
    5

    Raises:
        InvalidArgumentError: another number of channels, or no picture is to be kept.
    """
    return _added(
        name, family, collections,
        lambda tag, scope: bind(
            summaries.ImageSummary, _tag(tag), convert_to_tensor(tensor), max_images=max_outputs,
            name=scope,
        ),
    )  # fmt: skip


def audio(
    name: str,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Any = None,
    family: str | None = None,
) -> Any:
    """A Summary of sounds, serialized.

    tensor: float32 [n, samples, channels] or [n, samples], in [-1, 1]; sample_rate: in hertz.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     sounds = tf.compat.v1.summary.audio("sounds", tf.zeros([1, 8]), 8000.0)
    ...     print(tf.compat.v1.Summary.FromString(session.run(sounds)).value[0].tag)
    sounds/audio/0

    Raises:
        InvalidArgumentError: the rate is not positive, or the shape is another one.
    """
    return _added(
        name, family, collections,
        lambda tag, scope: bind(
            AudioSummaryV2, _tag(tag), convert_to_tensor(tensor),
            convert_to_tensor(sample_rate, dtypes.float32, name="sample_rate"),
            max_outputs=max_outputs, name=scope,
        ),
    )  # fmt: skip


def tensor_summary(
    name: str,
    tensor: Any,
    summary_description: Any = None,
    collections: Any = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Any:
    """A Summary of any tensor, serialized.

    summary_metadata: a SummaryMetadata, which says what shows it.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     made = tf.compat.v1.summary.tensor_summary("made", tf.constant([1, 2]))
    ...     print(tf.compat.v1.Summary.FromString(session.run(made)).value[0].tensor.dtype)
    3

    Raises:
        ValueError: `tensor` is nothing that a dense tensor can hold.
        TypeError: `summary_metadata` is none.
    """
    metadata = message("SummaryMetadata")()
    if summary_metadata is not None:
        metadata.CopyFrom(summary_metadata)
    if summary_description is not None:
        metadata.summary_description = str(summary_description)
    if display_name is not None:
        metadata.display_name = display_name
    return _added(
        name, family, collections,
        lambda tag, scope: bind(
            summaries.TensorSummaryV2, _tag(tag), convert_to_tensor(tensor),
            convert_to_tensor(
                metadata.SerializeToString(), dtypes.string, name="serialized_summary_metadata"
            ),
            name=scope,
        ),
    )  # fmt: skip


def text(name: str, tensor: Any, collections: Any = None) -> Any:
    """A Summary of strings of any shape, serialized; TensorBoard shows them as Markdown.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     words = tf.compat.v1.summary.text("words", tf.constant("good"))
    ...     print(tf.compat.v1.Summary.FromString(session.run(words)).value[0].tag)
    words

    Raises:
        ValueError: they are no strings.
    """
    tensor = convert_to_tensor(tensor)
    if tensor.dtype is not dtypes.string:
        raise ValueError(f"summary.text shows strings, not {tensor.dtype.name}: {tensor!r}")
    metadata = message("SummaryMetadata")()
    metadata.plugin_data.plugin_name = "text"
    return tensor_summary(name, tensor, None, collections, metadata)


def merge(inputs: Iterable[Any], collections: Any = None, name: str | None = None) -> Any:
    """One Summary with the values of several; it is kept in `collections`, if there are any.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     parts = [tf.compat.v1.summary.scalar(name, tf.constant(1)) for name in ("a", "b")]
    ...     both = tf.compat.v1.summary.merge(parts)
    ...     print(len(tf.compat.v1.Summary.FromString(session.run(both)).value))
    2

    Raises:
        RuntimeError: operations run at once here.
        InvalidArgumentError: (when it runs) two values have one tag.
    """
    if not context.building_graph():
        raise RuntimeError("Merging tf.summary.* ops is not compatible with eager execution.")
    listed = [convert_to_tensor(_clean_input(one)) for one in inputs]
    with name_scope(name or "Merge"):
        found = bind(summaries.MergeSummary, listed)
    return _collected(found, collections, [])


def _clean_input(one: Any) -> Any:
    return convert_to_tensor(one, dtypes.string) if isinstance(one, bytes) else one


def merge_all(
    key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None
) -> Any:
    """One Summary with all that are in a collection of the graph; None where there is none.

    scope: a regular expression that the beginnings of their names match.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.summary.merge_all())
    None

    Raises:
        RuntimeError: operations run at once here.
    """
    if not context.building_graph():
        raise RuntimeError("Merging tf.summary.* ops is not compatible with eager execution.")
    found = get_default_graph().get_collection(key, scope)
    return merge(found, name=name) if found else None


def get_summary_description(node_def: Any) -> Any:
    """The SummaryDescription that a node of kind TensorSummary has.

    >>> node = tf.compat.v1.NodeDef(op="TensorSummary")
    >>> tf.compat.v1.summary.get_summary_description(node).type_hint
    ''

    Raises:
        ValueError: it is of another kind.
    """
    if node_def.op != "TensorSummary":
        raise ValueError(f"a node of kind TensorSummary has a description, not {node_def.op}")
    written = node_def.attr["description"].s.decode() if "description" in node_def.attr else "{}"
    return from_json(written or "{}", message("SummaryDescription"))


def summary_iterator(path: Any) -> Iterator[Any]:
    """The Events of an event file.

    >>> with tf.Graph().as_default(), tf.compat.v1.summary.FileWriter("events") as writer:
    ...     writer.flush()
    >>> (event,) = tf.compat.v1.train.summary_iterator(tf.io.gfile.glob("events/*")[0])
    >>> event.file_version
    'brain.Event:2'

    Raises:
        NotFoundError: there is no such file.
        DataLossError: it is cut off, or a checksum is wrong.
    """
    kind = message("Event")
    for one in tf_record_iterator(path):
        yield kind.FromString(one)


def all_v2_summary_ops() -> Any:
    """What a session fetches so that summaries of `tf.summary` in this graph are written.

    They are bool tensors, whether each was written; None where operations run at once.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     with tf.summary.create_file_writer("logs/v2").as_default(step=1):
    ...         written = tf.summary.scalar("loss", 0.5)
    ...     print(session.run(tf.compat.v1.summary.all_v2_summary_ops()))
    [np.True_]
    """
    return get_default_graph().get_collection(WRITTEN) if context.building_graph() else None


def initialize(graph: Any = None, session: Any = None) -> None:
    """Begin to write summaries of `tf.summary` in a graph: what the default writer needs is run.

    graph: a tf.Graph that is written, too. session: the default one unless it is given. Where
    operations run at once there is nothing to do.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session():
    ...     with tf.summary.create_file_writer("logs/begun").as_default():
    ...         tf.compat.v1.summary.initialize()

    Raises:
        RuntimeError: there is no default writer.
        ValueError: there is no session.
    """
    if not context.building_graph():
        return
    writer = current_writer()
    if writer is None:
        raise RuntimeError(
            "No default SummaryWriter found: enter one by `with writer.as_default()`"
        )
    session = session or get_default_session()
    if session is None:
        raise ValueError("Argument `session` must be passed if no default session exists")
    session.run(writer.init())
    if graph is not None:
        writer.write_graph(graph.as_graph_def(add_shapes=True).SerializeToString())
