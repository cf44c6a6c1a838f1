"""What lies where in the memory that compiled programs, their run-time support and Python share."""

from __future__ import annotations

from typing import Final

from ..loops.records import Record, record

MAXIMUM_RANK: Final = 8

# The beginning of the table of words that a call passes (calling/frame.py has the rest): the chain
# of memory that is kept until the call ends begins at `kept`. Sides that run at the same time have
# frames of their own, which are copies but for these words and the error's: `depth` is how many
# frames there are around (native/sides.py).
FRAME: Final = record("Frame", depth="i64", kept="ptr")

# What lies before each block of kept memory (memory/call_memory.py). `depth`: that of the frame
# which has it in its chain.
BLOCK: Final = record(
    "Block", next="ptr", previous="ptr", size="i64", kind="i32", depth="i32"
)  # fmt: skip
# What lies where a block is that another frame has to give back: the next such.
LEFT: Final = record("Left", next="ptr")

# What lies before the frame of a side: what it leaves to the frame around it (the first `Left`),
# and who runs it, as which.
SIDE: Final = record("Side", left="ptr", crew="ptr", number="i64", spare="i64")
# What sides that run at the same time share (native/sides.py): which is the first that failed, -1
# where all have to stop; what a signal's handler raised; the thread that called; what it asks for
# signals, with the frame around; what sides are, and the table of words that they get; the bytes of
# a side and its frame, which lie behind this one after the other.
CREW: Final = record(
    "Crew",
    stop="i64", raised="i64", thread="i64", poll="ptr", frame="ptr", functions="ptr", table="ptr",
    bytes="i64",
)  # fmt: skip

# A list (lists.py). `shaped` is 1 + the rank of an element, 0 where that is not known; `bytes` are
# those of an element, or of an entry where `ragged` is 1; `wanted` elements are expected.
LIST: Final = record(
    "List",
    length="i64", capacity="i64", itemsize="i64", shaped="i64", data="ptr", bytes="i64",
    sizes=f"i64[{MAXIMUM_RANK}]", ragged="i64", wanted="i64",
)  # fmt: skip

# One element of a ragged list (lists/ragged.py): without `data` it was never written.
ENTRY: Final = record(
    "Entry",
    data="ptr", sizes=f"i64[{MAXIMUM_RANK}]", rank="i64", bytes="i64", spare="i64",
)  # fmt: skip

# Memory for temporaries (memory/temporaries.py): `next` and `end` are addresses.
ARENA: Final = record("Arena", next="i64", end="i64", chunk="ptr", spare="ptr")
CHUNK: Final = record("Chunk", before="ptr", end="i64")

# Memory that was given back (memory/reserve.py): the bytes that are in use, and those that the
# process holds; the most in use in this period and the one before; how many blocks were given back
# so far, and how many the system was asked for; the first block that is kept of each size. `busy`:
# somebody is at it. Roots of one (fourier/roots.py): the first table, and the bytes of all.
BINS: Final = 128
RESERVE: Final = record(
    "Reserve",
    busy="i64", needed="i64", held="i64", most="i64", before="i64", given="i64", made="i64",
    tables="ptr", table_bytes="i64", kept=f"ptr[{BINS}]",
)  # fmt: skip
# A block that is kept: the next one, and how many had been given back when it was.
SPARE: Final = record("Spare", next="ptr", given="i64")
# What lies before roots of one: the next table, what this one is, and whether it is kept.
TABLE: Final = record("Table", next="ptr", kind="i64", length="i64", kept="i64")

# Where a reader of bytes is, and where it must stop: addresses (examples.py).
CURSOR: Final = record("Cursor", at="i64", end="i64")

# What is looked for in serialized examples, and where what was found is written (examples.py). By
# feature: `kinds`, the number of the list that it should hold, `keeps`, whether an empty one hides
# those before it; key k is between `ends[k]` and `ends[k + 1]`; `slots` is the hash table of keys,
# of `mask` + 1 entries, -1 where there is none. By example: `texts` and `sizes`, where it lies, and
# `whole`. By example and feature: `places`, `lengths` and `counts`.
EXAMPLES: Final = record(
    "Examples",
    count="i64", features="i64", mask="i64", keys="ptr", ends="ptr", slots="ptr", kinds="ptr",
    keeps="ptr", texts="ptr", sizes="ptr", whole="ptr", places="ptr", lengths="ptr", counts="ptr",
    grain="i64",
)  # fmt: skip

# A search for labels (beam_search.py): all paths, of which there are `count`; the hash table that
# finds them, of `mask` + 1 numbers of paths, -1 where there is none; the heap of those in the beam,
# `used` of at most `width`, and as many numbers for its order; a number for each class; the turn of
# who enters it next.
BEAM: Final = record(
    "Beam",
    paths="ptr", count="i64", room="i64", slots="ptr", mask="i64", heap="ptr", ranked="ptr",
    marks="ptr", used="i64", width="i64", turn="i64",
)  # fmt: skip
# Labels: those of `parent`, -1 for none, and one more. Logarithms of how probable they are with a
# blank at their end, with their last label, and both: at the last step, and at this one. Of those
# that a step begins with: the `first` path with one more label, and the `next` one of its parent.
LABEL_PATH: Final = record(
    "LabelPath",
    parent="i64", label="i64", blank_before="f64", label_before="f64", before="f64",
    blank_now="f64", label_now="f64", now="f64", first="i64", next="i64",
)  # fmt: skip
# A path in the beam: how probable it is, and when it came, counted downwards.
LEAF: Final = record("Leaf", total="f64", turn="i64", path="i64")

# What a call with variables on devices reads (lending.py). `program`, `otherwise` and `failed` are
# Python's functions: the last one gets the error, what the program was given, and what stands for
# the variables. Of `variables`, the first `changed` are changed; what they get begins in the list
# of results at `after`. `table` has of each its Storage and its place.
LENDING: Final = record(
    "Lending",
    storage_slot="i64", away_type="ptr", array_slot="i64", place_slot="i64", lent_slot="i64",
    none="ptr", program="ptr", otherwise="ptr", failed="ptr", variables="i64", changed="i64",
    after="i64", table="ptr",
)  # fmt: skip

# What a call with tensors on devices reads (lending.py). `call` takes arrays, `otherwise` the
# operands. `kinds` has of each operand what `EagerTensor._away` begins with, `sources` of each
# array which operand it is, or -1: then it is one of `constants`. `results` and `result_kinds`
# have, of what is given, its number in the list of results, and again what `_away` begins with.
DIRECT: Final = record(
    "Direct",
    tensor_type="ptr", tuple_type="ptr", away_slot="i64", none="ptr", not_implemented="ptr",
    call="ptr", otherwise="ptr", operands="i64", arrays="i64", given="i64", kinds="ptr",
    sources="ptr", constants="ptr", results="ptr", result_kinds="ptr",
)  # fmt: skip

# What a call of a function reads (calling/quick_calls.py). `meaning` is the context variable that
# is None where operations mean what they usually do; the setting that functions run eagerly lies at
# `eagerly`. `otherwise` is called with all arguments, the function first; `shown` with an error.
CALLS: Final = record(
    "Calls",
    function_type="ptr", state_slot="i64", quick_slot="i64", meaning="ptr", eagerly="ptr",
    none="ptr", false="ptr", not_implemented="ptr", otherwise="ptr", shown="ptr",
)  # fmt: skip

# The words of the pool of threads (threads.py), each in a line of the processor's cache by itself,
# outside of the module, so that its code needs no memory that may be written. `number` is that of
# the job.
POOL: Final = {
    "number": "i32", "done": "i64", "busy": "i32", "started": "i32", "wanted": "i32",
    "sleepers": "i32", "company": "i32",
}  # fmt: skip
# What threads are told of a job, in one line: `body` is called for `blocks` blocks of `grain`
# iterations of `count`, which are divided among so many lanes.
JOB: Final = record(
    "Job", count="i64", grain="i64", body="ptr", context="ptr", blocks="i64", lanes="i64"
)  # fmt: skip
# A lane, in a line of its own: the next block to take, and above it the number of the job.
LANE: Final = record("Lane", block="i32", number="i32")
LANES: Final = 16  # at most
CACHE_LINE: Final = 64
NUMBER_BIT: Final = 8 * LANE.fields["number"].offset
CLOSED: Final = 2**NUMBER_BIT - 1  # more than any block's number

RECORDS: Final[dict[str, Record]] = {
    one.name: one
    for one in (
        FRAME, BLOCK, LEFT, SIDE, CREW, LIST, ENTRY,
        ARENA, CHUNK, RESERVE, SPARE, TABLE, CURSOR, EXAMPLES, BEAM, LABEL_PATH, LEAF, LENDING,
        DIRECT, CALLS,
    )
}  # fmt: skip
