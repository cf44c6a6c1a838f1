"""`tensorflow.python.client.timeline`: what a run tells of itself, for Chrome's trace viewer."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_LABEL: Final = re.compile(r"(.*) = (\w+)\((.*)\)")


class Timeline:
    """The operations of a StepStats along a line."""

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats
        self._graph = graph

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False, op_time: str = "schedule"
    ) -> str:
        """A text in JSON that chrome://tracing and Perfetto load.

        show_dataflow: draw an arrow from an operation to those that take what it gives. op_time:
        accepted; operations run one after the other. There is nothing to tell of memory.
        """
        events = [_process(0, "Allocators")]
        for number, device in enumerate(self._step_stats.dev_stats):
            place = 1 + 2 * number
            events.append(_process(place, f"{device.device} Compute"))
            events.append(_process(place + 1, f"{device.device} Tensors"))
            events += _operations(device, place)
            events += _arrows(device, place) if show_dataflow else []
        return json.dumps({"traceEvents": events}, indent=4, separators=(",", ": "))


def _process(number: int, name: str) -> dict[str, Any]:
    return {"name": "process_name", "ph": "M", "pid": number, "args": {"name": name}}


def _parsed(node: Any) -> tuple[str, str, list[str]]:
    """The name of an operation, its kind, and what it takes."""
    found = _LABEL.fullmatch(node.timeline_label)
    if found is None:
        return node.node_name, node.node_name, []
    return found[1], found[2], [one for one in found[3].split(", ") if one]


def _operations(device: Any, place: int) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for node in device.node_stats:
        name, kind, operands = _parsed(node)
        given = {f"input{number}": one for number, one in enumerate(operands)}
        events.append({
            "ph": "X", "cat": "Op", "name": kind, "pid": place, "tid": 0,
            "ts": node.all_start_micros, "dur": node.all_end_rel_micros,
            "args": {"name": name, "op": kind, **given},
        })  # fmt: skip
    return events


def _arrows(device: Any, place: int) -> list[dict[str, Any]]:
    """From the end of an operation to the beginning of each that takes what it gives."""
    ends = {
        _parsed(one)[0]: one.all_start_micros + one.all_end_rel_micros for one in device.node_stats
    }
    events: list[dict[str, Any]] = []
    for node in device.node_stats:
        _, _, operands = _parsed(node)
        for one in operands:
            if one in ends:
                said = {"cat": "DataFlow", "name": one, "pid": place, "tid": 0, "id": len(events)}
                events.append({**said, "ph": "s", "ts": ends[one]})
                events.append({**said, "ph": "t", "ts": node.all_start_micros})
    return events
