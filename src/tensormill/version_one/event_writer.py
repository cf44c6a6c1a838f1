"""`tf.compat.v1.summary.FileWriter`: puts summaries, graphs and notes into an event file."""

from __future__ import annotations

import time
import warnings
from typing import Any, Final, Self, final

from ..core import context
from ..core.files.gfile import text
from ..core.process.locks import ForkedLock
from ..graph.proto.messages import message
from ..summary.event_files import EventFile
from .training.meta_graph import meta_graph_of


@final
class FileWriter:
    """Appends events to a file in `logdir`, which TensorBoard reads; a block closes it at its end.

    graph: the graph of the model, which is written at once. flush_secs: after so many seconds what
    was added is in the file. `max_queue` and `session` are taken, and not needed.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     loss = tf.compat.v1.summary.scalar("loss", tf.constant(0.5))
    ...     with tf.compat.v1.summary.FileWriter("log") as writer:
    ...         writer.add_summary(session.run(loss), global_step=1)
    >>> len(tf.io.gfile.listdir("log"))
    1

    Raises:
        RuntimeError: operations run at once here: tf.summary.create_file_writer is for that.
    """

    def __init__(
        self,
        logdir: Any,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        if not context.building_graph():
            raise RuntimeError(
                "tf.compat.v1.summary.FileWriter is not compatible with eager execution: use "
                "tf.summary.create_file_writer"
            )
        self._logdir: Final = text(logdir)
        self._suffix: Final = filename_suffix or ""
        self._seconds: Final = flush_secs
        self._described: Final[set[str]] = set()
        self._file, self._flushed = self._begun()
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)
        if graph is not None:
            self.add_meta_graph(meta_graph_of(graph))

    def reopen(self) -> None:
        """Begin another file, after `close`; nothing where it is open."""
        if not self._file.is_open:
            self._file, self._flushed = self._begun()

    def _begun(self) -> tuple[EventFile, float]:
        """A new file, and when it was flushed."""
        file = EventFile(self._logdir, self._suffix)
        file.flush()
        return file, time.monotonic()

    def get_logdir(self) -> str:
        """The directory that it was given."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Append an Event; after `close` it is dropped, with a warning."""
        if not self._file.is_open:
            warnings.warn(
                "the FileWriter is closed: what is added is dropped until it is reopened",
                stacklevel=2,
            )
            return
        self._file.append(event.SerializeToString())
        if time.monotonic() - self._flushed > self._seconds:
            self.flush()

    def _add(self, global_step: Any, **what: Any) -> None:
        step = 0 if global_step is None else int(global_step)
        self.add_event(message("Event")(wall_time=time.time(), step=step, **what))

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Append a Summary: the message, or its bytes. What shows a tag is written once."""
        if isinstance(summary, bytes):
            summary = message("Summary").FromString(summary)
        else:
            summary = message("Summary").FromString(summary.SerializeToString())
        for value in summary.value:
            if value.HasField("metadata"):
                if value.tag in self._described:
                    value.ClearField("metadata")
                self._described.add(value.tag)
        self._add(global_step, summary=summary)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Append a graph, or a GraphDef.

        Raises:
            TypeError: it is neither.
            ValueError: there is none, or both are there.
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        given = graph if graph is not None else graph_def
        if given is None:
            raise ValueError("a graph is needed")
        if hasattr(given, "as_graph_def"):
            given = given.as_graph_def(add_shapes=True)
        elif not hasattr(given, "node"):
            raise TypeError(f"a graph is wanted, not {given!r}")
        self._add(global_step, graph_def=given.SerializeToString())

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Append a MetaGraphDef.

        Raises:
            TypeError: it is none.
        """
        if not hasattr(meta_graph_def, "meta_info_def"):
            raise TypeError(f"a MetaGraphDef is wanted, not {type(meta_graph_def).__name__}")
        self._add(global_step, meta_graph_def=meta_graph_def.SerializeToString())

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Append a SessionLog."""
        self._add(global_step, session_log=session_log)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Append the RunMetadata of a run, under a tag of its own.

        Raises:
            ValueError: the tag was there already.
        """
        if tag in self._described:
            raise ValueError("The provided tag was already used for this event type")
        self._described.add(tag)
        content = message("TaggedRunMetadata")(
            tag=tag, run_metadata=run_metadata.SerializeToString()
        )
        self._add(global_step, tagged_run_metadata=content)

    def flush(self) -> None:
        """Put what was added into the file."""
        self._flushed = time.monotonic()
        self._file.flush()

    def close(self) -> None:
        """Flush, and take nothing more."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


_lock: Final = ForkedLock()
_writers: Final[dict[str, FileWriter]] = {}


@final
class FileWriterCache:
    """One FileWriter for each directory."""

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """The writer for a directory, which is made once.

        >>> with tf.Graph().as_default():
        ...     first = tf.compat.v1.summary.FileWriterCache.get("shared")
        ...     print(tf.compat.v1.summary.FileWriterCache.get("shared") is first)
        True
        >>> tf.compat.v1.summary.FileWriterCache.clear()
        """
        path = text(logdir)
        with _lock():
            if path not in _writers:
                _writers[path] = FileWriter(path)
            return _writers[path]

    @staticmethod
    def clear() -> None:
        """Close all of them, and forget them."""
        with _lock():
            for one in _writers.values():
                one.close()
            _writers.clear()
