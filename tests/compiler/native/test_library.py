"""Run-time support in level-2 code: it verifies, reads back, and means what it does native."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.calling.lists import list_at
from tensormill.compiler.loops.guards import guard
from tensormill.compiler.loops.ir import Program
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import library
from tensormill.compiler.native.lists.alike import MOST_WANTED_BYTES
from tensormill.compiler.native.records import ARENA, BLOCK, CHUNK, FRAME, LIST
from tensormill.core import dtypes
from tensormill.core.specs import ListSpec, TensorSpec
from tests.compiler.native.functions import Compiled, Evaluated

Machine = Evaluated | Compiled
SPEC = ListSpec(TensorSpec(None, dtypes.float32))
NULL = 0


@pytest.mark.parametrize("name", library.names())
def test_functions_make_sense_and_are_read_back(name: str) -> None:
    function = verify_function(library.function(name), library.SIGNATURES)

    printed = function_text(function)
    assert function_text(parse_function(printed)) == printed


def test_guarded_functions_make_sense() -> None:
    functions = [library.function(name) for name in library.names()]

    guarded = guard(Program("nothing", (), ()), functions)

    assert len(guarded.messages) == 203
    for function in guarded.functions:
        verify_function(function, library.SIGNATURES)


def test_what_is_needed_is_all_that_is_called() -> None:
    found = {one.name for one in library.needed(["tm_list_begin", "printf"], copied=True)}

    memory = {"tm_take", "tm_give", "tm_bin", "tm_room", "tm_make", "tm_from_system"}
    assert found == {"tm_list_begin", "tm_resize", "tm_discard", "tm_drop_reserve", *memory}


def test_what_programs_share_is_not_copied_into_them() -> None:
    found = [one.name for one in library.needed(["tm_list_begin", "tm_gemm_f32"])]

    assert found == ["tm_list_begin"]


# ---------------------------------------------------------------- kept memory


def chain(machine: Machine) -> list[int]:
    """The addresses of kept blocks' bytes, new ones first."""
    found: list[int] = []
    block = FRAME.at(machine.frame)["kept"]
    while block:
        found.append(block + BLOCK.bytes)
        block = BLOCK.at(block)["next"]
    return found


@pytest.mark.sampled
@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 6), st.integers(-2, 300)), max_size=20))
def test_kept_memory_is_chained_resized_and_given_back(steps: list[tuple[int, int]]) -> None:
    """Each step asks for memory in place of a block that there is, or anew; or discards one."""
    machines: tuple[Machine, ...] = (Evaluated(), Compiled())
    blocks: list[list[int]] = [[], []]
    for which, size in steps:
        for machine, known in zip(machines, blocks, strict=True):
            old = known[which] if 0 <= which < len(known) else NULL
            if old and size > 250:
                machine("tm_discard", machine.frame, old)
                known.remove(old)
                continue
            new = machine("tm_resize", machine.frame, old, size)
            if new == NULL:
                assert size < 0
                continue
            ctypes.memset(new, 1, size)
            if new != old:
                known[:] = [one for one in known if one != old] + [new]
        for machine, known in zip(machines, blocks, strict=True):
            assert chain(machine) == known[::-1]
        assert len(blocks[0]) == len(blocks[1])
    for machine in machines:
        machine("tm_release_kept", machine.frame)
        assert chain(machine) == []
    assert machines[0].memory.blocks == 0  # type: ignore[union-attr]


# ---------------------------------------------------------------- temporaries


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["mark", "release", 0, 1, 64, 1000, 40_000, 200_000]), max_size=25))
def test_temporaries_lie_in_chunks_and_go_with_their_marks(steps: list[Any]) -> None:
    machines: tuple[Machine, ...] = (Evaluated(), Compiled())
    arenas = [machine.room(np.zeros((), ARENA.dtype)) for machine in machines]
    marks: list[list[int]] = [[], []]
    for machine, arena in zip(machines, arenas, strict=True):
        machine("tm_arena_begin", arena)
    for step in steps:
        places: list[int] = []
        for machine, arena, known in zip(machines, arenas, marks, strict=True):
            if step == "mark":
                known.append(machine("tm_mark", arena))
            elif step == "release":
                if known:
                    machine("tm_release", arena, known.pop())
            else:
                found = machine("tm_allocate", arena, step)
                ctypes.memset(found, 1, step)
                places.append(found - ARENA.at(arena)["chunk"])
        assert len(set(places)) <= 1
        assert all(place % 64 == 0 and place >= CHUNK.bytes for place in places)
    for machine, arena in zip(machines, arenas, strict=True):
        machine("tm_arena_end", arena)
        machine("tm_drop_reserve", 0)
    assert machines[0].memory.blocks == 0  # type: ignore[union-attr]


def test_more_than_there_is_gives_null() -> None:
    for machine in (Evaluated(), Compiled()):
        arena = machine.room(np.zeros((), ARENA.dtype))
        machine("tm_arena_begin", arena)

        assert machine("tm_allocate", arena, 2**46) == NULL
        assert machine("tm_allocate", arena, -1) == NULL
        assert machine("tm_resize", machine.frame, NULL, 2**61) == NULL


# ---------------------------------------------------------------- lists


class Lists:
    """A list as lowering uses it, and what is in it told by Python."""

    def __init__(self, machine: Machine, length: int) -> None:
        self.machine = machine
        self.address = self("tm_list_new", length, 4)
        self.items: list[Any] = [None] * length
        self.shape: tuple[int, ...] | None = None

    def __call__(self, name: str, *arguments: int) -> Any:
        own = () if name == "tm_list_new" else (self.address,)
        return self.machine(name, self.machine.frame, *own, *arguments)

    def write(self, index: int, value: np.ndarray[Any, Any]) -> None:
        """As lowering/ragged.py writes."""
        fits = self("tm_list_has_rank", value.ndim)
        for axis, size in enumerate(value.shape):
            fits = bool(self("tm_list_fits", axis, size)) and fits
        if not fits:
            assert self("tm_list_loosen")
        assert self("tm_list_shaped", value.size, value.ndim)
        data = self("tm_list_room", index, value.size, value.ndim)
        for axis, size in enumerate(value.shape):
            self("tm_list_put_size", index, axis, size)
        ctypes.memmove(data, value.ctypes.data, value.nbytes)
        self.items += [None] * (index + 1 - len(self.items))
        self.items[index] = value

    def resize(self, count: int) -> None:
        assert self("tm_list_resize", count)
        self.items = [*self.items, *[None] * count][:count]

    def expect(self, more: int) -> None:
        """Room is made for elements, of which there is none yet."""
        self("tm_list_expect", more)

    def pop(self) -> None:
        if self.items:
            self.items.pop()
            self("tm_list_truncate", len(self.items))

    def tighten(self) -> None:
        assert self("tm_list_tighten")

    def copy(self) -> None:
        """The copy goes on; what becomes of the old one must not show in it."""
        old = self.address
        self.address = self("tm_list_copy")
        if self.items and self.items[0] is not None:
            data = self.machine("tm_list_item_data", self.machine.frame, old, 0)
            ctypes.memset(data, 0xFF, self.items[0].nbytes)

    def sweep(self) -> None:
        """An iteration that makes lists, one of which is needed after it."""
        mark = self.machine("tm_list_begin", self.machine.frame)
        kept = self.address = self("tm_list_copy")
        other = self("tm_list_copy")
        assert other != kept
        self("tm_list_need")
        self.machine("tm_list_sweep", self.machine.frame, mark)
        assert other not in chain(self.machine)
        self.machine("tm_list_end", self.machine.frame, mark)

    def facts(self) -> list[Any]:
        """What other functions say of it."""
        length = self("tm_list_length")
        found: list[Any] = [length, self("tm_list_is_uniform"), self("tm_list_rank_known")]
        for k in range(length):
            found += [self("tm_list_is_written", k), self("tm_list_has_size", k)]
            found += [self("tm_list_item_fits", k, 0, 2), self("tm_list_item_has_rank", k, 1)]
            if found[-4]:
                found += [self("tm_list_item_size", k, 0)]
        return found


def assert_holds(found: Any, expected: list[Any]) -> None:
    assert len(found) == len(expected)
    for mine, wanted in zip(found.items, expected, strict=True):
        if wanted is None:
            assert mine is None
        else:
            np.testing.assert_array_equal(wanted, mine)


SHAPES = st.sampled_from([(2,), (2,), (2,), (3,), (0,), (1, 2), (2, 2), ()])
STEPS = st.one_of(
    st.tuples(st.just("write"), st.integers(0, 9), SHAPES),
    st.tuples(st.just("write"), st.integers(0, 9), st.just((2,))),
    st.tuples(st.just("resize"), st.integers(0, 9)),
    st.tuples(st.just("expect"), st.integers(-1, 40)),
    st.tuples(st.sampled_from(["pop", "tighten", "copy", "sweep"])),
)


@pytest.mark.sampled
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 5), st.lists(STEPS, max_size=12))
def test_lists_hold_what_was_written(length: int, steps: list[tuple[Any, ...]]) -> None:
    both = [Lists(Evaluated(), length), Lists(Compiled(), length)]
    for number, (name, *arguments) in enumerate(steps):
        if name == "write":
            arguments[1] = np.full(arguments[1], number + 0.5, np.float32)
        for one in both:
            getattr(one, name)(*arguments)
        for one in both:
            assert_holds(list_at(one.address, SPEC), one.items)
    assert both[0].facts() == both[1].facts()
    for one in both:
        one.machine("tm_release_kept", one.machine.frame)
    assert both[0].machine.memory.blocks == 0  # type: ignore[union-attr]


@pytest.mark.parametrize("is_written", [False, True])
def test_what_is_expected_comes_without_moving_the_list(is_written: bool) -> None:
    one = Lists(Evaluated(), 0)
    if is_written:
        one.write(0, np.zeros(2, np.float32))
    one.expect(100)
    one.write(len(one.items), np.ones(2, np.float32))
    before = one("tm_list_data")

    for number in range(len(one.items), 100):
        one.write(number, np.full(2, number, np.float32))

    assert one("tm_list_data") == before


def test_room_for_what_is_expected_is_limited() -> None:
    one = Lists(Evaluated(), 0)
    one.write(0, np.zeros(2, np.float32))

    one.expect(2**62)

    capacity = LIST.at(one.address)["capacity"]
    assert capacity * 9 < 2 * MOST_WANTED_BYTES


def test_what_lay_behind_the_end_is_not_seen() -> None:
    one = Lists(Evaluated(), 0)
    for number in range(4):
        one.write(number, np.ones(2, np.float32))
    one.resize(1)
    one.resize(3)
    one.write(3, np.ones(2, np.float32))

    data = ctypes.string_at(one("tm_list_data"), 4 * 8)
    assert np.frombuffer(data, np.float32).tolist() == [1, 1, 0, 0, 0, 0, 1, 1]


def test_a_place_beyond_a_list_is_an_error_where_memory_is_checked() -> None:
    one = Lists(Evaluated(), 0)
    one.write(0, np.ones(2, np.float32))

    with pytest.raises(IndexError):
        one("tm_list_item", 77)
