"""Summaries as operations, so that compiled functions write them too."""

from __future__ import annotations

from typing import Any

from ..effects import Writes
from ..op import ANY, In, Op


class WriteSummary(Op):
    """Appends a tensor to the event file of a writer."""

    writer = In("resource")
    step = In("i64")
    tensor = In("T ...")
    tag = In("str")
    summary_metadata = In("str")
    T = ANY
    effects = (Writes("writer"),)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        tag, metadata = (np.asarray(one)[()] for one in (self.tag, self.summary_metadata))
        self.writer.write(tag, np.asarray(self.tensor), int(self.step), metadata)
        return ()


class WriteRawProtoSummary(Op):
    """Appends summaries, serialized by somebody else, to the event file of a writer."""

    writer = In("resource")
    step = In("i64")
    tensor = In("str ...")
    effects = (Writes("writer"),)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        for summary in np.asarray(self.tensor).reshape(-1).tolist():
            self.writer.write_raw(summary, int(self.step))
        return ()


class FlushSummaryWriter(Op):
    """Puts what was appended into the event file."""

    writer = In("resource")
    effects = (Writes("writer"),)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.writer.flush()
        return ()
