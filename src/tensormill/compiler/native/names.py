"""By what names native functions that are in no program's module are known."""

from __future__ import annotations

from typing import Final

RULES: Final = "tm_shared__"  # of ops/shared_rules.py
LAPACK: Final = "tm_lapack_"
FOURIER: Final = "tm_fourier_"
SPECIAL: Final = "tm_special_"
SHARED: Final = (RULES, LAPACK, FOURIER, SPECIAL)  # what begins so is in shared.py
# Functions of the library (library.py) that programs share as well: those that are in a module
# together, by its name, and those that are in one of their own.
TOGETHER: Final = {
    "tm_memory": (
        "tm_chunk", "tm_back_to", "tm_arena_end",
        "tm_resize", "tm_discard", "tm_release_kept", "tm_drop_reserve",
        "tm_begin_sides", "tm_end_sides",
    ),
    "tm_reserve": ("tm_lock_reserve", "tm_unlock_reserve"),
    "tm_entries": (
        "tm_take_arguments", "tm_hold_arrays", "tm_drop_arrays",
        "tm_clear_outputs", "tm_wrap_outputs", "tm_drop_outputs",
    ),
    "tm_function_calls": ("tm_call_function",),
    "tm_orders": ("tm_order_pairs", "tm_order_leading"),
    "tm_wide_orders": ("tm_order_wide",),
    "tm_calls": ("tm_new_array", "tm_new_array_unlocked", "tm_call_back", "tm_signals"),
}  # fmt: skip
APART: Final = "tm_gemm_"
CALLS: Final = "tm_calls"  # the module of calling/shared_calls.py
MEMORY: Final = "tm_memory"
RESERVE: Final = "tm_reserve"  # the module of memory/reserve_lock.py
MODULE_OF: Final = {one: module for module, names in TOGETHER.items() for one in names}
THREAD_FUNCTIONS: Final = (  # of threads.py
    "tm_parallel_for", "tm_divided_for", "tm_threads", "tm_beside", "tm_look",
)  # fmt: skip


def is_shared(name: str) -> bool:
    """Whether the function of this name is in a module that programs share (shared.py)."""
    return name in MODULE_OF or name.startswith((*SHARED, APART))
