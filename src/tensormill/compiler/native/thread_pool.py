"""The machine code of the pool of threads (threads.py), which only a text can say: it is made of
atomic memory and of calls of the system.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Final

from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import (
    CREATE_THREAD,
    DETACH_THREAD,
    DIVIDED_FOR,
    FILL_SIGNALS,
    FUTEX,
    MASK_SIGNALS,
    OF_THIS_THREAD,
    PARALLEL_FOR,
    THREADS,
    YIELD,
    Prototype,
)
from ..llvm.types import ALIGNMENT, Register
from ..llvm.writer import Writer
from ..loops.costs import BLOCK_WORK, PARALLEL_WORK
from .crews import DIVISION, PATIENCE, add_crews
from .records import CACHE_LINE, CLOSED, JOB, LANES, NUMBER_BIT, POOL

# `pause` takes about 40 cycles: workers wait some 20 µs for the next loop before they sleep.
_SPINS: Final = 2000
_PAUSE: Final = {"x86_64": "call void @llvm.x86.sse2.pause()"}
_WAIT, _WAKE, _ALL = 128, 129, 2**31 - 1  # of a futex that only this process has
_CALLER: Final = "0"  # which thread it is; workers are 1 and so on
_SET_MASK: Final = 2
_OTHERS: Final = ("job", "lanes")
_SIGNALS: Final = "[128 x i8]"  # a set of them

_IN_ORDER: Final = PARALLEL_FOR._replace(name="in_order", internal=True)
_HELP: Final = Prototype("help", "i32", ("i64",), internal=True)
_WORKER: Final = Prototype("worker", "ptr", ("ptr",), internal=True)
_START: Final = Prototype("start", "void", ("i32",), internal=True)


def pool_text(futex: int) -> str:
    """THREAD_FUNCTIONS (symbols.py), and what they need. `futex`: the system call's number."""
    texts = FunctionTexts()
    texts.lines += [
        f"@{name} = external global {type_}, align {CACHE_LINE}" for name, type_ in POOL.items()
    ]
    texts.lines += [f"@{name} = external global i8, align {CACHE_LINE}" for name in _OTHERS]
    _add_division(texts, futex, PARALLEL_FOR)
    _add_division(texts, futex, DIVISION, PATIENCE)
    _add_divided_for(texts)
    add_crews(texts)
    _add_threads(texts)
    _add_in_order(texts)
    _add_help(texts)
    _add_worker(texts, futex)
    _add_start(texts)
    return texts.text()


# ---------------------------------------------------------------- what others call


def _add_division(
    texts: FunctionTexts, futex: int, function: Prototype, patience: Prototype | None = None
) -> None:
    """`patience`: what who called does, again and again, while others are not done."""
    w = Writer()
    more = w.line("add i64 %count, %grain")
    blocks = w.line(f"sdiv i64 {w.line(f'sub i64 {more}, 1')}, %grain")
    one = w.line(f"icmp slt i64 {blocks}, 2")
    many = w.line(f"icmp sge i64 {blocks}, {CLOSED}")
    w.branch(w.line(f"or i1 {one}, {many}"), "alone", "look")
    w.begin("look")
    wanted = _read(w, "wanted")
    w.branch(w.line(f"icmp slt i32 {wanted}, 1"), "alone", "ask")
    w.begin("ask")
    company = w.line(f"ptrtoint ptr {w.invoke(OF_THIS_THREAD, _read(w, 'company'))} to i32")
    w.branch(w.line(f"icmp sgt i32 {company}, {wanted}"), "alone", "lock")
    w.begin("lock")
    free = _exchange(w, "busy", "0", "1", "acquire")
    w.branch(free, "together", "alone")
    w.begin("alone")
    w.invoke(_IN_ORDER, "%count", "%body", "%context", "%grain")
    w.do("ret void")
    w.begin("together")
    started = w.load("i32", "@started")
    w.branch(w.line(f"icmp eq i32 {started}, 0"), "start", "publish")
    w.begin("start")
    w.invoke(_START, wanted)
    w.jump("publish")
    w.begin("publish")
    number, lanes = _publish(w, blocks, wanted)
    sleepers = _read(w, "sleepers", "seq_cst")
    w.branch(w.line(f"icmp eq i32 {sleepers}, 0"), "work", "wake")
    w.begin("wake")
    _call_futex(w, futex, "@number", _WAKE, str(_ALL))
    w.jump("work")
    w.begin("work")
    w.invoke(_HELP, _CALLER)
    _await_all(w, blocks, patience)
    w.begin("close")
    closed = w.line(f"or i64 {_above(w, number)}, {CLOSED}")
    _for_lanes(w, lanes, "closing", lambda _: closed)
    _write(w, "busy", "0", "release")
    w.do("ret void")
    texts.add(w, function, "count", "body", "context", "grain")


def _add_divided_for(texts: FunctionTexts) -> None:
    """One call for all iterations, or blocks for threads; whole cache lines where they are many."""
    w = Writer()
    work = w.line("mul i64 %count, %each")
    w.branch(w.line(f"icmp sgt i64 {work}, {PARALLEL_WORK}"), "divide", "once")
    w.begin("divide")
    positive = w.line("call i64 @llvm.smax.i64(i64 %each, i64 1)")
    fitting = w.line(f"sdiv i64 {BLOCK_WORK}, {positive}")
    least = w.line(f"call i64 @llvm.smax.i64(i64 {fitting}, i64 1)")
    lines = w.line(f"and i64 {w.line(f'add i64 {least}, 63')}, -64")
    many = w.line(f"icmp sgt i64 {least}, 64")
    grain = w.line(f"select i1 {many}, i64 {lines}, i64 {least}")
    w.invoke(PARALLEL_FOR, "%count", "%body", "%context", grain)
    w.do("ret void")
    w.begin("once")
    w.do("call void %body(ptr %context, i64 0, i64 %count)")
    w.do("ret void")
    texts.add(w, DIVIDED_FOR, "count", "body", "context", "each")


def _publish(w: Writer, blocks: Register, wanted: Register) -> tuple[Register, Register]:
    """Say what the next job is, and what is in the lanes; then its number, which tells everybody.

    Gives the number and how many lanes there are.
    """
    w.do("fence release")
    threads = w.line(f"add i64 {w.line(f'sext i32 {wanted} to i64')}, 1")
    lanes = w.line(f"call i64 @llvm.smin.i64(i64 {threads}, i64 {LANES})")
    job = {"blocks": blocks, "lanes": lanes}
    for name, field in JOB.fields.items():
        address = w.field("@job", JOB, name)
        value = job.get(name, f"%{name}")
        w.do(f"store atomic {field.type} {value}, ptr {address} monotonic, align 8")
    _write(w, "done", "0")
    number = w.line(f"add i32 {_read(w, 'number')}, 1")
    above = _above(w, number)
    _for_lanes(
        w, lanes, "opening",
        lambda lane: w.line(f"or i64 {above}, {_first_block(w, blocks, lanes, lane)}"),
    )  # fmt: skip
    _write(w, "number", number, "seq_cst")
    return number, lanes


def _above(w: Writer, number: Register) -> Register:
    """A job's number where lanes have it."""
    wide = w.line(f"zext i32 {number} to i64")
    return w.line(f"shl i64 {wide}, {NUMBER_BIT}")


def _first_block(w: Writer, blocks: Register, lanes: Register, lane: Register) -> Register:
    return w.line(f"udiv i64 {w.line(f'mul i64 {blocks}, {lane}')}, {lanes}")


def _lane(w: Writer, lane: Register) -> Register:
    """Its address."""
    return w.at("@lanes", w.line(f"mul i64 {lane}, {CACHE_LINE}"))


def _for_lanes(
    w: Writer, lanes: Register, label: str, word: Callable[[Register], Register]
) -> None:
    """Put a word into each lane."""
    before, after = w.label, w.name()
    w.jump(label)
    w.begin(label)
    lane = w.phi("i64", ("0", before), (after, label))
    w.do(f"store atomic i64 {word(lane)}, ptr {_lane(w, lane)} release, align 8")
    w.define(after, f"add i64 {lane}, 1")
    w.branch(w.line(f"icmp ult i64 {after}, {lanes}"), label, f"{label}.done")
    w.begin(f"{label}.done")


def _await_all(w: Writer, blocks: Register, patience: Prototype | None) -> None:
    """Go on to `close` when every block is done."""
    before, spun = w.label, w.name()
    w.jump("wait")
    w.begin("wait")
    spins = w.phi("i64", ("0", before), (spun, "again"))
    done = _read(w, "done", "acquire")
    w.branch(w.line(f"icmp eq i64 {done}, {blocks}"), "close", "patience")
    w.begin("patience")
    w.define(spun, f"add i64 {spins}, 1")
    w.branch(w.line(f"icmp ugt i64 {spun}, {_SPINS}"), "yield", "pause")
    w.begin("yield")
    if patience is not None:
        w.invoke(patience, "%context", spins)
    w.invoke(YIELD)
    w.jump("again")
    w.begin("pause")
    _pause(w)
    w.jump("again")
    w.begin("again")
    w.jump("wait")


def _add_threads(texts: FunctionTexts) -> None:
    """How many threads share a loop, the caller included."""
    w = Writer()
    threads = w.line(f"add i32 {_read(w, 'wanted')}, 1")
    w.do(f"ret i64 {w.line(f'sext i32 {threads} to i64')}")
    texts.add(w, THREADS)


# ---------------------------------------------------------------- blocks


def _add_in_order(texts: FunctionTexts) -> None:
    w = Writer()
    w.branch(w.line("icmp sgt i64 %count, 0"), "loop", "exit")
    w.begin("loop")
    end = w.name()
    begin = w.phi("i64", ("0", "entry"), (end, "loop"))
    far = w.line(f"add i64 {begin}, %grain")
    w.define(end, f"call i64 @llvm.smin.i64(i64 {far}, i64 %count)")
    w.do(f"call void %body(ptr %context, i64 {begin}, i64 {end})")
    w.branch(w.line(f"icmp slt i64 {end}, %count"), "loop", "exit")
    w.begin("exit")
    w.do("ret void")
    texts.add(w, _IN_ORDER, "count", "body", "context", "grain")


def _add_help(texts: FunctionTexts) -> None:
    """Thread `own` takes blocks of the current job until there are no more; gives its number.

    What is told of the job is read once: a lane that is still the job's says that it was the job's.
    """
    w = Writer()
    number = _read(w, "number", "acquire")
    told: dict[str, Register] = {}
    for name, field in JOB.fields.items():
        address = w.field("@job", JOB, name)
        told[name] = w.line(f"load atomic {field.type}, ptr {address} monotonic, align 8")
    lanes = w.line(f"call i64 @llvm.umax.i64(i64 {told['lanes']}, i64 1)")  # before the first job
    turn, taken, more = w.name(), w.name(), w.name()
    w.jump("lane")
    w.begin("lane")
    past = w.phi("i64", ("0", "entry"), (turn, "next"))
    before = w.phi("i64", ("0", "entry"), (taken, "next"))
    lane = w.line(f"urem i64 {w.line(f'add i64 %own, {past}')}, {lanes}")
    following = w.line(f"add i64 {lane}, 1")
    end = _first_block(w, told["blocks"], lanes, following)
    at = _lane(w, lane)
    w.jump("look")
    w.begin("look")
    w.define(taken, f"phi i64 [ {before}, %lane ], [ {taken}, %take ], [ {more}, %run ]")
    word = w.line(f"load atomic i64, ptr {at} acquire, align 8")
    owner = w.line(f"trunc i64 {w.line(f'lshr i64 {word}, {NUMBER_BIT}')} to i32")
    block = w.line(f"and i64 {word}, {CLOSED}")
    same = w.line(f"icmp eq i32 {owner}, {number}")
    left = w.line(f"icmp ult i64 {block}, {end}")
    w.branch(w.line(f"and i1 {same}, {left}"), "take", "next")
    w.begin("take")
    after = w.line(f"add i64 {word}, 1")
    both = w.line(f"cmpxchg ptr {at}, i64 {word}, i64 {after} acq_rel monotonic")
    w.branch(w.line(f"extractvalue {{ i64, i1 }} {both}, 1"), "run", "look")
    w.begin("run")
    begin = w.line(f"mul i64 {block}, {told['grain']}")
    far = w.line(f"add i64 {begin}, {told['grain']}")
    last = w.line(f"call i64 @llvm.smin.i64(i64 {far}, i64 {told['count']})")
    w.do(f"call void {told['body']}(ptr {told['context']}, i64 {begin}, i64 {last})")
    w.define(more, f"add i64 {taken}, 1")
    w.jump("look")
    w.begin("next")
    w.define(turn, f"add i64 {past}, 1")
    w.branch(w.line(f"icmp ult i64 {turn}, {lanes}"), "lane", "count")
    w.begin("count")
    w.branch(w.line(f"icmp eq i64 {taken}, 0"), "exit", "add")
    w.begin("add")
    w.do(f"atomicrmw add ptr @done, i64 {taken} release")
    w.jump("exit")
    w.begin("exit")
    w.do(f"ret i32 {number}")
    texts.add(w, _HELP, "own")


# ---------------------------------------------------------------- workers


def _add_worker(texts: FunctionTexts, futex: int) -> None:
    """Helps for ever, as thread `own`; waits for the next job in between, at last asleep."""
    w = Writer()
    own = w.line("ptrtoint ptr %own to i64")
    w.jump("work")
    w.begin("work")
    seen = w.invoke(_HELP, own)
    w.jump("spin")
    w.begin("spin")
    spun = w.name()
    spins = w.phi("i64", ("0", "work"), (spun, "pause"), ("0", "woken"))
    number = _read(w, "number", "acquire")
    w.branch(w.line(f"icmp ne i32 {number}, {seen}"), "work", "patience")
    w.begin("patience")
    w.define(spun, f"add i64 {spins}, 1")
    w.branch(w.line(f"icmp ugt i64 {spun}, {_SPINS}"), "sleep", "pause")
    w.begin("pause")
    _pause(w)
    w.jump("spin")
    w.begin("sleep")
    _count(w, "add", "sleepers", "seq_cst")
    _call_futex(w, futex, "@number", _WAIT, seen)
    _count(w, "sub", "sleepers", "seq_cst")
    w.jump("woken")
    w.begin("woken")
    w.jump("spin")
    texts.add(w, _WORKER, "own")


def _add_start(texts: FunctionTexts) -> None:
    """Signals are left to the threads that the interpreter knows: workers block them all."""
    w = Writer()
    every, before, thread = w.stack(_SIGNALS, 16), w.stack(_SIGNALS, 16), w.stack("i64", 8)
    w.invoke(FILL_SIGNALS, every)
    w.invoke(MASK_SIGNALS, str(_SET_MASK), every, before)
    w.jump("loop")
    w.begin("loop")
    following = w.name()
    made = w.phi("i32", ("0", "entry"), (following, "detach"))
    w.define(following, f"add i32 {made}, 1")
    own = w.line(f"inttoptr i32 {following} to ptr")
    result = w.invoke(CREATE_THREAD, thread, "null", f"@{_WORKER.name}", own)
    w.branch(w.line(f"icmp eq i32 {result}, 0"), "detach", "exit")
    w.begin("detach")
    w.invoke(DETACH_THREAD, w.load("i64", thread))
    w.branch(w.line(f"icmp slt i32 {following}, %wanted"), "loop", "exit")
    w.begin("exit")
    w.invoke(MASK_SIGNALS, str(_SET_MASK), before, "null")
    w.store("i32", "%wanted", "@started")  # a system that allows no thread at all is asked once
    w.do("ret void")
    texts.add(w, _START, "wanted")


# ---------------------------------------------------------------- words that all threads see


def _read(w: Writer, word: str, order: str = "monotonic") -> Register:
    type_ = POOL[word]
    return w.line(f"load atomic {type_}, ptr @{word} {order}, align {ALIGNMENT[type_]}")


def _write(w: Writer, word: str, value: Register, order: str = "monotonic") -> None:
    type_ = POOL[word]
    w.do(f"store atomic {type_} {value}, ptr @{word} {order}, align {ALIGNMENT[type_]}")


def _exchange(w: Writer, word: str, old: Register, new: Register, order: str) -> Register:
    """Whether a word was `old`: then it is `new`."""
    type_ = POOL[word]
    both = w.line(f"cmpxchg ptr @{word}, {type_} {old}, {type_} {new} {order} monotonic")
    return w.line(f"extractvalue {{ {type_}, i1 }} {both}, 1")


def _count(w: Writer, how: str, word: str, order: str) -> None:
    w.do(f"atomicrmw {how} ptr @{word}, {POOL[word]} 1 {order}")


def _call_futex(w: Writer, call: int, at: Register, what: int, number: Register) -> None:
    w.invoke(FUTEX, str(call), at, str(what), number, "null", "null", "0")


def _pause(w: Writer) -> None:
    w.do(_PAUSE.get(platform.machine(), "fence acq_rel"))
