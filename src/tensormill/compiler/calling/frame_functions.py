"""What a program and Python tell each other by the frame, in level-2 code: outputs, objects that
are carried, results of callbacks.

Each program has its own: its layout says where its words lie (frame.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...core.specs import TensorSpec, ValueSpec
from ..loops.ir import NativeFunction
from ..loops.parse import parse_function
from ..lowered import GivenOutput, Lowered, stays_in_python
from .frame import FrameLayout

_WORD = 8


def frame_functions(
    lowered: Lowered, layout: FrameLayout, called: Iterable[str]
) -> list[NativeFunction]:
    """Those that the program calls."""
    texts, wanted = dict(_texts(lowered, layout)), set(called)
    return [parse_function(text) for name, text in texts.items() if name in wanted]


def _texts(lowered: Lowered, layout: FrameLayout) -> Iterator[tuple[str, str]]:
    """Names and texts of all that there could be."""
    yield from ((f"tm_result_{type_}", _result(type_, layout)) for type_ in ("ptr", "i64"))
    yield "tm_carried", _carried(layout)
    for number, (spec, word) in enumerate(zip(lowered.outputs, layout.outputs, strict=True)):
        if not isinstance(spec, (int, GivenOutput)):
            text = _array(number, spec, word) if _is_array(spec) else _object(number, word)
            yield f"tm_output_{number}", text


def _carried(layout: FrameLayout) -> str:
    """Tell Python which object a branch or loop gave."""
    return f"""\
inline function tm_carried(frame: ptr, number: i64, object: ptr):
  bind place: ptr[1] at (frame + ((number + {layout.carried}) * {_WORD}))
  place[0] = object
"""


def _result(type_: str, layout: FrameLayout) -> str:
    """A word of what the last callback gave."""
    return f"""\
inline function tm_result_{type_}(frame: ptr, word: i64) -> {type_}:
  bind place: {type_}[1] at (frame + ((word + {layout.results}) * {_WORD}))
  return place[0]
"""


def _is_array(spec: ValueSpec) -> bool:
    """Whether native code looks into an output; it only hands on lists and Python objects."""
    return isinstance(spec, TensorSpec) and not stays_in_python(spec)


def _object(number: int, word: int) -> str:
    """Tell Python which list or object output `number` is."""
    return f"""\
function tm_output_{number}(frame: ptr, object: ptr):
  bind place: ptr[1] at (frame + {_WORD * word})
  place[0] = object
"""


def _array(number: int, spec: TensorSpec, word: int) -> str:
    """Memory for output `number`, kept until Python has copied it."""
    sizes = [f"n{axis}" for axis in range(len(spec.shape.entries or ()))]
    count = str(max(spec.dtype.size, 1))
    for size in sizes:
        count = f"({count} * {size})"
    taken = "".join(f", {size}: i64" for size in sizes)
    lines = [
        f"function tm_output_{number}(frame: ptr{taken}) -> ptr:",
        f"  call data: ptr = tm_resize(frame, 0ptr, {count})",
        f"  bind place: ptr[1] at (frame + {_WORD * word})",
        "  place[0] = data",
        f"  bind shape: i64[{len(sizes)}] at (frame + {_WORD * (word + 1)})",
        *(f"  shape[{axis}] = {size}" for axis, size in enumerate(sizes)),
        "  return data",
        "",
    ]
    return "\n".join(lines)
