"""Exceptions raised while a function is traced, told in the user's lines.

    ValueError: in user code:

        File "train.py", line 40, in step  *
            loss = model(x)
        File "train.py", line 12, in model  *
            raise ValueError("no rows")

        ValueError: no rows

A star marks a converted frame, two stars one that runs as written. Frames of this library are left
out, and the functions that conversion made of a branch or a loop's body are part of the function
they were written in. The exception keeps its class; the original one is its `__cause__`.
"""

from __future__ import annotations

import contextlib
import linecache
import re
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ..core.process.named_tuples import NamedTuple
from ..core.source import is_ours
from ..errors import OpError, StagingError
from .conversion import is_converted
from .errors import NotInEveryBranch


class Frame(NamedTuple):
    """A line of the user's, on the way to an error."""

    file: str
    line: int
    function: str
    is_converted: bool

    def __str__(self) -> str:
        text = linecache.getline(self.file, self.line).strip()
        star = "*" if self.is_converted else "**"
        head = f'    File "{self.file}", line {self.line}, in {self.function}  {star}'
        return f"{head}\n        {text}" if text else head


class Story(NamedTuple):
    """What was said of an exception: kept on it, so that a function around can add its frames."""

    frames: tuple[Frame, ...]
    original: Exception


def told_by_user_lines(error: Exception) -> Exception:
    """An exception of the same class whose message shows the user's frames, if any is converted."""
    if is_quitting(error):
        return error
    known: Story | None = getattr(error, "_user_story", None)
    frames = tuple(user_frames(error.__traceback__))
    if known is not None:
        story = Story(frames + known.frames, known.original)
    else:
        story = Story(frames, error)
    if not any(frame.is_converted for frame in story.frames):
        return error  # of this library for what was passed to it, or of code run as written
    made = _rebuilt(story.original, _text(story))
    made._user_story = story  # type: ignore[attr-defined]
    return made


def is_quitting(error: Exception) -> bool:
    """Whether it ends a debugger's session."""
    return type(error).__module__ == "bdb"


def cause_of(error: Exception) -> Exception:
    """The exception as it was raised, by the user's frames alone: the cause of the one that is
    `told_by_user_lines`.
    """
    story: Story | None = getattr(error, "_user_story", None)
    original = error if story is None else story.original
    return original.with_traceback(without_ours(original.__traceback__))


def user_frames(traceback: TracebackType | None) -> list[Frame]:
    """The user's frames of a traceback, outermost first."""
    frames: list[Frame] = []
    through_runtime = False
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == contextlib.__file__:
            pass  # between a `with` and a generator
        elif is_ours(code.co_filename):
            through_runtime = through_runtime or is_runtime(traceback)
        else:
            frame = Frame(code.co_filename, traceback.tb_lineno, code.co_name, is_converted(code))
            if through_runtime and frames and _is_body(frame, frames[-1]):
                frames[-1] = frames[-1]._replace(line=frame.line)
            else:
                frames.append(frame)
            through_runtime = False
        traceback = traceback.tb_next
    return frames


def is_runtime(traceback: TracebackType) -> bool:
    package = traceback.tb_frame.f_globals.get("__package__") or ""
    return f"{package}.".startswith(f"{__package__}.runtime.")


def _is_body(frame: Frame, above: Frame) -> bool:
    """Whether a frame that the runtime called is a block of the function above."""
    is_block = frame.function in (above.function, "<lambda>")
    return frame.is_converted and is_block and frame.file == above.file


def without_ours(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback without frames of this library."""
    if traceback is None:
        return None
    rest = without_ours(traceback.tb_next)
    if is_ours(traceback.tb_frame.f_code.co_filename):
        return rest
    return TracebackType(rest, traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno)


# --- the message ---


def _text(story: Story) -> str:
    kind, text = _shown_class(story.original), _original_text(story.original)
    text = text.removesuffix(_place_shown_above(story))
    lines = "\n".join(map(str, story.frames))
    indented = text.replace("\n", "\n    ")
    return f"in user code:\n\n{lines}\n\n    {kind.__name__}: {indented}\n"


def _place_shown_above(story: Story) -> str:
    """How the text ends, where that is a line that the frames show anyway."""
    place: str = getattr(story.original, "place", "")
    innermost = story.frames[-1]
    is_it = f":{innermost.line}, in {innermost.function}\n" in place
    return place if is_it else ""


def _shown_class(error: Exception) -> type[Exception]:
    """The class that the user gets: with a plain Python error in the place of ours."""
    if _is_unset(error):
        return NameError if _is_global(error) else UnboundLocalError
    return ValueError if isinstance(error, NotInEveryBranch) else type(error)


def _is_unset(error: Exception) -> bool:
    """Whether the user's code read a variable without a value; Python has three wordings."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    is_own = traceback is not None and is_ours(traceback.tb_frame.f_code.co_filename)
    return isinstance(error, NameError) and not is_own


def _is_global(error: Exception) -> bool:
    """Whether it is no variable of a function that has no value."""
    return str(error).startswith("name '")


def _similar(error: Exception) -> str:
    """What Python asks of a name that is not defined, where it shows the error itself."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    name: str | None = getattr(error, "name", None)
    if traceback is None or not name:
        return ""
    from difflib import get_close_matches  # not before there is an error

    frame = traceback.tb_frame
    found = get_close_matches(name, [*frame.f_locals, *frame.f_globals, *frame.f_builtins], 1)
    return f". Did you mean: '{found[0]}'?" if found else ""


def _original_text(error: Exception) -> str:
    if _is_unset(error) and _is_global(error):
        return f"{error}{_similar(error)}"
    if _is_unset(error) and (quoted := re.search(r"'(\w+)'", str(error))):
        return f"'{quoted[1]}' is used before assignment"
    if isinstance(error, KeyError) and len(error.args) == 1:
        return repr(error.args[0])
    from .advice import with_advice  # not before there is an error

    return with_advice(error, str(error))


def _rebuilt(error: Exception, text: str) -> Exception:
    """An exception of the same class that says `text`. Constructors are not called."""
    kind = _shown_class(error)
    made = _copied(kind, error, text)
    return made if str(made) == text else _copied(_saying(kind), error, text)


def _copied(kind: type[Exception], error: Exception, text: str) -> Exception:
    try:
        made = kind.__new__(kind)
    except TypeError:  # its `__new__` wants more than we know
        return StagingError(text)
    made.args = (text, *error.args[1:]) if isinstance(error, OpError) else (text,)
    made.__dict__.update(error.__dict__)
    if isinstance(made, OpError):
        made.message = text
    return made


def _saying(kind: type[Exception]) -> type[Exception]:
    """A subclass whose text is its first argument: `KeyError` shows a repr, others less."""
    say: Callable[[Any], str] = lambda self: self.args[0]  # noqa: E731
    body = {"__str__": say, "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (kind,), body)
