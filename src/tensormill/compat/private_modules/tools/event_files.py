"""`tensorflow.python.summary.writer.event_file_writer`: puts events into files as they are."""

from __future__ import annotations

from typing import Any

from ....core.files.gfile import makedirs, text
from ....summary.event_files import EventFile


class EventFileWriter:
    """Appends events to a file in `logdir`, of which TensorBoard reads them; after `flush_secs` or
    `max_queue` of them it needs not be told to, which changes nothing here.
    """

    def __init__(
        self, logdir: Any, max_queue: int = 10, flush_secs: float = 120,
        filename_suffix: str | None = None,
    ) -> None:  # fmt: skip
        self._logdir, self._suffix = text(logdir), filename_suffix or ""
        makedirs(self._logdir)
        self._file = EventFile(self._logdir, self._suffix)

    def get_logdir(self) -> str:
        """Where the files are."""
        return self._logdir

    def reopen(self) -> None:
        """Begin another file, after `close`; nothing where it is open."""
        if not self._file.is_open:
            self._file = EventFile(self._logdir, self._suffix)

    def add_event(self, event: Any) -> None:
        """Append an Event; after `close` nothing happens."""
        if self._file.is_open:
            self._file.append(event.SerializeToString())

    def flush(self) -> None:
        """Put what was added into the file."""
        if self._file.is_open:
            self._file.flush()

    def close(self) -> None:
        """Flush, and add nothing more."""
        if self._file.is_open:
            self._file.close()
