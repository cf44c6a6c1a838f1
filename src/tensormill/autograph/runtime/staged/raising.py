"""`raise` in a block that is staged: it happens when the graph gets there, not while tracing.

The exception leaves the block as any exception does, so `with`, `try` and the functions in between
see it. Where the block ends, it becomes an operation. Only a `raise` that the user wrote counts: an
error of the library means that the program is wrong whatever the tensors say.
"""

from __future__ import annotations

from ....core.source import is_ours
from ....graph.symbolic import SymbolicTensor
from ..raising import RAISED


def is_of_user(error: Exception) -> bool:
    """Whether a `raise` statement in converted code was the first to raise it."""
    return RAISED in vars(error)


def is_about_tensors(error: Exception) -> bool:
    """Whether the library raised it; or CPython, which says the class of what it does not take."""
    if is_of_user(error) or (traceback := error.__traceback__) is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    is_of_library = is_ours(traceback.tb_frame.f_code.co_filename)
    return is_of_library or SymbolicTensor.__name__ in str(error)


def stage_raise(error: Exception) -> None:
    """Let the graph that is being traced raise the exception; once, wherever it came from."""
    if getattr(error, "_is_staged", False):
        return
    from ....ops.raising import raise_in_graph
    from ...user_errors import user_frames

    frames = user_frames(error.__traceback__)
    lines = "\n".join(map(str, frames))
    raise_in_graph(error, f"raised while the compiled function ran, in user code:\n{lines}")


def passed_on(error: Exception) -> Exception:
    """An exception that the graph raises already, on its way out of the block around."""
    vars(error)["_is_staged"] = True
    return error
