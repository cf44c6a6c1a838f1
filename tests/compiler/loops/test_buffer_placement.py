from __future__ import annotations

from tensormill.compiler.loops.buffer_placement import SMALL, Plan, plan
from tensormill.compiler.loops.ir import Allocate, Buffer
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.walk import every_statement


def planned(*lines: str) -> tuple[Plan, dict[str, Buffer]]:
    header = "program main(x: input f32[n], y: output f32[n], n: i64):"
    program = parse("\n".join([header, *(f"  {line}" for line in lines), ""]))
    buffers = {
        one.buffer.name: one.buffer
        for one in every_statement(program.body)
        if isinstance(one, Allocate)
    }
    return plan(program), buffers


def test_small_buffers_lie_on_the_stack() -> None:
    found, buffers = planned("allocate t: f32[8]", "t[0] = 1.0", "y[0] = t[0]")

    assert found.own == {buffers["t"]}
    assert found.arena_bytes == 0


def test_the_stack_is_not_used_up() -> None:
    lines = [f"allocate t{k}: f32[1000]" for k in range(40)]
    found, _ = planned(*lines)

    assert sum(4000 for _ in found.own) <= 32768
    assert len(found.offsets) == 40 - len(found.own)


def test_a_parallel_loop_has_small_ones_of_its_own_however_many_loops_there_are() -> None:
    lines: list[str] = []
    for k in range(600):
        lines += [f"parfor i{k} in n:", f"  allocate t{k}: f32[32]", f"  y[i{k}] = t{k}[0]"]
    found, buffers = planned(*lines)

    assert found.own == set(buffers.values())


def test_a_parallel_loop_has_no_more_of_its_own_than_one_small_buffer() -> None:
    lines = [f"  allocate t{k}: f32[1000]" for k in range(40)]
    found, _ = planned("parfor i in n:", *lines, "  y[i] = t39[0]")

    assert sum(4000 for _ in found.own) <= 32768 + SMALL
    assert not found.offsets  # iterations could not share them


def test_a_dead_buffer_gives_its_place_to_the_next() -> None:
    found, buffers = planned(
        "allocate a: f32[9000]",
        "allocate b: f32[9000]",
        "allocate c: f32[9000]",
        "a[0] = 1.0",
        "b[0] = a[0]",
        "c[0] = b[0]",
        "y[0] = c[0]",
    )
    a, b, c = (found.offsets[buffers[name]] for name in "abc")

    assert a == c != b
    assert found.arena_bytes == 2 * 36032
    assert found.groups[buffers["a"]] == found.groups[buffers["c"]]


def test_a_loop_keeps_what_it_uses_in_the_next_iteration() -> None:
    found, buffers = planned(
        "allocate a: f32[9000]",
        "allocate b: f32[9000]",
        "a[0] = 1.0",
        "for i in n:",
        "  b[0] = a[0]",
        "  y[i] = b[0]",
    )

    assert found.offsets[buffers["a"]] != found.offsets[buffers["b"]]


def test_sizes_of_run_time_are_taken_over() -> None:
    found, buffers = planned(
        "allocate a: f32[n]",
        "allocate b: f32[n]",
        "allocate c: f32[n]",
        "allocate d: f64[n]",
        "a[0] = 1.0",
        "b[0] = a[0]",
        "c[0] = b[0]",
        "d[0] = cast:f64(c[0])",
        "y[0] = cast:f32(d[0])",
    )

    assert found.successors == {buffers["c"]: buffers["a"]}


def test_only_what_was_there_before_is_taken_over() -> None:
    found, _ = planned(
        "allocate late: f32[n]",
        "allocate early: f32[n]",
        "early[0] = 1.0",
        "y[0] = early[0]",
        "late[0] = 2.0",
        "y[1] = late[0]",
    )

    assert found.successors == {}


def test_memory_whose_address_is_kept_is_not_given_away() -> None:
    found, buffers = planned(
        "allocate a: f32[n]",
        "allocate b: f32[n]",
        "let at: ptr = &a",
        "b[0] = 1.0",
        "y[0] = b[0]",
        "bind p: f32[n] at at",
        "y[1] = p[0]",
    )

    assert found.successors == {}
    assert found.escape == {buffers["a"]}


def test_every_iteration_of_a_parallel_loop_has_its_own() -> None:
    size = SMALL // 4 + 1
    found, _ = planned("parfor i in n:", f"  allocate t: f32[{size}]", "  t[0] = 1.0")

    assert found.offsets == {}


def test_sides_have_memory_of_their_own_and_use_it_again() -> None:
    found, buffers = planned(
        "allocate before: f32[9000]",
        "before[0] = 1.0",
        "y[0] = before[0]",
        "allocate out: f32[9000]",
        "together 1 turns:",
        "  allocate a: f32[9000]",
        "  a[0] = x[0]",
        "  out[0] = a[0]",
        "  allocate b: f32[9000]",
        "  b[0] = x[0]",
        "  out[1] = b[0]",
        "beside 1 turns:",
        "  allocate c: f32[9000]",
        "  c[0] = x[0]",
        "  check (c[0] > 0.0) else 0()",
        "y[0] = out[0]",
    )
    places = {name: found.offsets[buffer] for name, buffer in buffers.items()}

    assert places["a"] == places["b"]
    assert len({places["a"], places["c"], places["out"]}) == 3
    assert found.arena_bytes == 3 * 36032
    assert found.groups[buffers["a"]] == found.groups[buffers["b"]]


def test_sides_within_sides_lie_in_the_places_of_these() -> None:
    found, buffers = planned(
        "together 1 turns:",
        "  allocate a: f32[9000]",
        "  together 1 turns:",
        "    allocate b: f32[9000]",
        "    b[0] = x[0]",
        "  beside 1 turns:",
        "    allocate c: f32[9000]",
        "    c[0] = x[0]",
        "  a[0] = x[0]",
        "beside 1 turns:",
        "  allocate d: f32[9000]",
        "  d[0] = x[0]",
    )
    places = {name: found.offsets[buffer] for name, buffer in buffers.items()}

    assert len({places["b"], places["c"], places["d"]}) == 3
    assert places["a"] in (places["b"], places["c"])  # needed when those are not
    assert found.arena_bytes == 3 * 36032
