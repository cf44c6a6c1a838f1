"""The user's lines behind the operations of saved functions: TensorFlow's GraphDebugInfo."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..core.process.logs import logger
from ..core.source import SourceLine
from ..graph.proto.messages import message
from .options import DEBUG_DIRECTORY, DEBUG_INFO_FILENAME_PB

# The lines of `node@function`, outermost first.
Lines = Mapping[str, tuple[SourceLine, ...]]


def debug_info_of(lines: Lines) -> Any:
    """A proto with every line once; the text of each is kept, too."""
    proto = message("GraphDebugInfo")()
    files: dict[str, int] = {}
    frames: dict[SourceLine, int] = {}
    traces: dict[tuple[SourceLine, ...], int] = {}
    for node, stack in lines.items():
        if not stack:
            continue
        for line in stack:
            if line not in frames:
                frames[line] = len(frames)
                file = files.setdefault(line.file, len(files))
                _fill(proto.frames_by_id[frames[line]], line, file)
        if stack not in traces:
            traces[stack] = len(traces)
            proto.traces_by_id[traces[stack]].frame_id.extend(frames[line] for line in stack)
        proto.name_to_trace_id[node] = traces[stack]
    proto.files.extend(files)
    return proto


def _fill(frame: Any, line: SourceLine, file: int) -> None:
    frame.file_index, frame.line = file, line.line
    frame.func, frame.code = line.function, line.text


def lines_of(proto: Any) -> dict[str, tuple[SourceLine, ...]]:
    """The lines in a proto, whichever of its three forms they have."""
    frames = {key: _line(proto, frame) for key, frame in proto.frames_by_id.items()}
    stacks = {key: _stack(proto, trace, frames) for key, trace in proto.traces_by_id.items()}
    found = {node: stacks.get(key, ()) for node, key in proto.name_to_trace_id.items()}
    found.update({node: _stack(proto, trace, frames) for node, trace in proto.traces.items()})
    return found


def _stack(proto: Any, trace: Any, frames: Mapping[int, SourceLine]) -> tuple[SourceLine, ...]:
    if trace.frame_id:
        return tuple(frames[key] for key in trace.frame_id if key in frames)
    return tuple(_line(proto, frame) for frame in trace.file_line_cols)


def _line(proto: Any, frame: Any) -> SourceLine:
    is_known = 0 <= frame.file_index < len(proto.files)
    file = proto.files[frame.file_index] if is_known else "<unknown>"
    return SourceLine(file, frame.line, frame.func, frame.code)


def read_debug_info(export_dir: str) -> Any:
    """The proto in the directory of a SavedModel; None where there is none that can be read."""
    path = os.path.join(export_dir, DEBUG_DIRECTORY, DEBUG_INFO_FILENAME_PB)
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            return message("GraphDebugInfo").FromString(file.read())
    except Exception as error:  # the model is as good without
        logger.warning("%s cannot be read: %s", path, error)
        return None
