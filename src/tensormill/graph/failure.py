"""What to say when an operation of a graph fails: which one, and where the user wrote it."""

from __future__ import annotations

from typing import Final

from ..errors import OpError
from .ir import Application

# Of a function that was loaded, most of all.
NO_LINES: Final = "of unknown lines (SaveOptions(save_debug_info=True) saves them):"
HEAD: Final = "Graph execution error:"


def located(error: OpError, operation: Application) -> OpError:
    """`error` with the operation's name and the user's lines; itself where it has them already."""
    if error.message.startswith(HEAD):
        return error
    made = type(error)(located_message(error.message, operation))
    made.__dict__.update({k: v for k, v in error.__dict__.items() if k != "message"})
    return made


def in_function(error: Exception, function: str) -> Exception:
    """The same error, which also names the function that was called where it does not yet."""
    if not isinstance(error, OpError):
        return error
    if error.message.startswith(HEAD) and " [Op:" not in error.message:
        error.message = f"{error.message} [Op:{function}]"
        error.args = (error.message, *error.args[1:])
    return error


def located_message(message: str, operation: Application) -> str:
    """A kernel's message as TensorFlow shows it for a node of a graph."""
    known = "defined at (most recent call last):" if operation.source else NO_LINES
    lines = [HEAD, "", f"Detected at node {operation.name} {known}"]
    for at in operation.source:
        lines.append(f'  File "{at.file}", line {at.line}, in {at.function}')
        if at.text:
            lines.append(f"    {at.text}")
    return "\n".join([*lines, message, f"\t [[{{{{node {operation.name}}}}}]]"])
