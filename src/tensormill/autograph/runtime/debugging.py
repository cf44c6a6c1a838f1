"""`breakpoint()` in converted code: a `pdb` that sees the user's function as it was written.

A converted branch or loop body is a function of its own, called through this library. Here it is
part of the function around it: frames in between are not shown and not stepped into, `n` goes from
an `if` into its branches, and all variables of the function can be printed.
"""

from __future__ import annotations

import os
import pdb
import sys
from types import FrameType, TracebackType
from typing import Any

from ...core.source import is_of_python, is_ours
from ..conversion import is_converted

_PACKAGE = __name__.partition(".")[0]


def stopper() -> Any:
    """What to call for `breakpoint`: the user may have set another debugger."""
    is_default = sys.breakpointhook is sys.__breakpointhook__
    return stop if is_default and not os.environ.get("PYTHONBREAKPOINT") else breakpoint


def stop(*_: Any, header: str | None = None, **__: Any) -> None:
    """`breakpoint()` and `pdb.set_trace()`."""
    debugger = Debugger()
    if header is not None:
        debugger.message(header)
    debugger.set_trace(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]


class Debugger(pdb.Pdb):
    """`pdb`, for functions that were converted."""

    def stop_here(self, frame: FrameType) -> bool:
        if _is_inside(frame):
            return False
        # `n` was given in a function whose block this is.
        is_next = self.stopframe is not None and self.stoplineno != -1
        return super().stop_here(frame) or (is_next and _is_block_of(frame, self.stopframe))

    def user_call(self, frame: FrameType, argument_list: None) -> None:
        if not _is_block(frame):
            super().user_call(frame, argument_list)

    def user_return(self, frame: FrameType, return_value: Any) -> None:
        if not _is_block(frame):
            super().user_return(frame, return_value)

    def get_stack(
        self, f: FrameType | None, t: TracebackType | None
    ) -> tuple[list[tuple[FrameType, int]], int]:
        stack, index = super().get_stack(f, t)
        shown = [entry for entry in stack if not _is_inside(entry[0])]
        hidden = sum(_is_inside(frame) for frame, _ in stack[: index + 1])
        return shown, index - hidden

    def setup(self, f: FrameType | None, tb: TracebackType | None) -> Any:
        result = super().setup(f, tb)
        if self.curframe is not None and _is_block(self.curframe):
            _show_variables_around(self.curframe)
        return result


def _show_variables_around(block: FrameType) -> None:
    """Let what looks into a block's frame find the variables of the functions around it, too.

    Names that its code does not have change nothing of how it runs.
    """
    known = _names(block)
    around = block.f_back
    while around is not None:
        if _is_block_of(block, around):
            for name in (_names(around) - known).intersection(around.f_locals):
                block.f_locals[name] = around.f_locals[name]
            known |= _names(around)
            if not _is_block(around):
                return
        around = around.f_back


def _names(frame: FrameType) -> set[str]:
    """Of variables of its own."""
    code = frame.f_code
    return {*code.co_varnames, *code.co_cellvars, *code.co_freevars}


def _is_block(frame: FrameType) -> bool:
    """Whether a frame is one of a converted branch or a loop's body."""
    return is_converted(frame.f_code) and _is_ours(frame.f_back)


def _is_block_of(frame: FrameType, outer: FrameType | None) -> bool:
    same = outer is not None and frame.f_code.co_qualname == outer.f_code.co_qualname
    return same and frame is not outer and _is_block(frame)


def _is_ours(frame: FrameType | None) -> bool:
    return frame is not None and is_ours(frame.f_code.co_filename)


def _is_inside(frame: FrameType | None) -> bool:
    """Whether a frame is of this library, or of a library that it calls."""
    while frame is not None and not is_converted(frame.f_code):
        if _is_ours(frame):
            return True
        if not _is_of_python(frame):
            return False
        frame = frame.f_back
    return False


def _is_of_python(frame: FrameType) -> bool:
    """Whether a frame is of an installed library, or of code that one made from text."""
    file, module = frame.f_code.co_filename, str(frame.f_globals.get("__name__", ""))
    if file == "<string>":
        return module.startswith((_PACKAGE, "namedtuple_")) or module in ("", "builtins")
    return is_of_python(file) or file.startswith("<__array") or "-packages" in file
