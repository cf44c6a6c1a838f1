"""Changed files, TensorFlow's and ours, are read: nothing crashes, hangs, lies or goes elsewhere.

Each file is changed in what it says (mutations.py) or in its bytes, read in a process with limits
(confined.py), and the functions of models are called. `attack` tells what should not have been:
a crash, a process that cannot be stopped, memory out of proportion, an error that is not of
TensorFlow's classes or does not name its place, another result where a checksum should have told,
a file touched outside of the folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import random
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import text_format
from google.protobuf.message import DecodeError

import tensormill as tf
from tensormill import backends
from tensormill.checkpoint.object_graph import OBJECT_GRAPH_KEY
from tensormill.compiler.machine.jit import processor
from tensormill.config import settings
from tensormill.formats.bundle_writer import write_bundle
from tensormill.formats.tensor_bundle import BundleReader
from tensormill.graph.proto.graphdef_import import Functions
from tensormill.graph.proto.messages import message
from tensormill.graph.verify import verify
from tensormill.saved_model.inspect import facts_of
from tensormill.saved_model.read import read_saved_model
from tests.graph.proto.reading import graph_of
from tests.interop import checkpoints
from tests.saved_model import programs, record

from . import mutations
from .confined import Outcome, Phases, run

Random = random.Random
# Changes the files of a folder; whether checksums tell that they were changed.
Change = Callable[[Path, Random], bool]
Use = Callable[[Path, Phases], Iterable[Any]]

MOST_GROWTH = 160 << 20  # bytes that loading may take, and as many for each byte of the file:
MOST_TIMES = 100
TENSORFLOWS = ("OpError", "OSError", "ValueError", "AssertionError")
# What a program is told that calls a function of another model than it was written for.
USERS = (
    "Binding inputs to tf.function failed", "Could not find matching concrete function",
    "object is not callable", "Gradient explicitly disabled", "Can not cast", "Cannot convert",
    "missing a required",
)  # fmt: skip
RECORDS = Path(__file__).parent / "data"


@dataclass
class Subject:
    """Files, how they are changed, and what is done with them; `also` are results as good."""

    name: str
    folder: Path
    changes: list[tuple[int, Change]]
    use: Use
    also: frozenset[str] = frozenset()
    whole: dict[str, str] = field(default_factory=dict)  # results of the files as they are


def digest_of(values: Iterable[Any]) -> str:
    """Equal for equal arrays and texts."""
    made = hashlib.sha256()
    for value in values:
        array = np.asarray(value)
        made.update(f"{array.dtype} {array.shape} ".encode())
        made.update(repr(array.tolist()).encode() if array.dtype == object else array.tobytes())
    return made.hexdigest()


# ---------------------------------------------------------------- changes


def in_file(path: str, mutate: mutations.Mutate, is_checked: bool = False) -> Change:
    """Change one file."""

    def change(folder: Path, rng: Random) -> bool:
        file = folder / path
        changed = mutate(file.read_bytes(), rng)
        file.write_bytes(changed)
        return is_checked and bool(changed)  # an empty file holds no records, and no checksum

    return change


def without(*paths: str) -> Change:
    """Delete a file, or empty it."""

    def change(folder: Path, rng: Random) -> bool:
        path = folder / rng.choice(paths)
        path.unlink() if rng.random() < 0.5 else path.write_bytes(b"")
        return False

    return change


def in_bundle(prefix: str, shards: int = 1) -> list[tuple[int, Change]]:
    """All that can be done to a checkpoint's files."""

    def objects(folder: Path, rng: Random) -> bool:
        reader = BundleReader(str(folder / prefix))
        values: dict[str, Any] = {key: reader.read(key) for key in reader.keys()}
        graph = message("TrackableObjectGraph").FromString(values[OBJECT_GRAPH_KEY].item())
        mutations.proto_changed(graph, rng)
        values[OBJECT_GRAPH_KEY] = graph.SerializeToString(deterministic=True)
        write_bundle(str(folder / prefix), values)
        return False

    data = [f"{prefix}.data-{k:05d}-of-{shards:05d}" for k in range(shards)]
    made: list[tuple[int, Change]] = [
        (4, in_file(f"{prefix}.index", mutations.table_changed)),
        (2, in_file(f"{prefix}.index", mutations.bytes_changed, is_checked=True)),
        *((2, in_file(one, mutations.bytes_changed, is_checked=True)) for one in data),
        (1, without(f"{prefix}.index", *data)),
    ]
    return made if shards > 1 else [*made, (4, objects)]


def state_changed(data: bytes, rng: Random) -> bytes:
    """The file that names the checkpoints of a directory."""
    if rng.random() < 0.3:
        return mutations.bytes_changed(data, rng)
    state = text_format.Parse(data.decode(), message("CheckpointState")())
    mutations.proto_changed(state, rng)
    return text_format.MessageToString(state).encode()


# ---------------------------------------------------------------- what is done with them


def use_model(name: str, folder: Path, phases: Phases) -> list[Any]:
    phases.begin("load")
    place = str(folder)
    for meta in read_saved_model(place).meta_graphs:
        with contextlib.suppress(tf.errors.OpError):  # loading has to say it, too
            facts_of(meta, place)
    loaded = tf.saved_model.load(folder)
    phases.begin("call")
    return programs.outputs(tf, loaded, name)


def use_sneaky(folder: Path, phases: Phases) -> list[Any]:
    phases.begin("load")
    loaded = tf.saved_model.load(folder)
    phases.begin("call")
    own, given, names = loaded.read(str(folder / "assets" / "words.txt"))
    return [own.numpy(), given.numpy(), int(tf.size(names))]


def use_checkpoint(folder: Path, phases: Phases) -> list[Any]:
    phases.begin("load")
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(), str(folder), max_to_keep=1)
    path = str(folder / "objects-1")
    found = [*checkpoints.contents(tf, path).values()]
    program = checkpoints.program(tf, filled=False)
    program.restore(path).expect_partial()
    found += [value for _, value in checkpoints.values(program)]
    tf.train.list_variables(path)
    latest = tf.train.latest_checkpoint(folder)
    manager.save()
    manager.save()
    return [*found, Path(latest).name if latest else "none"]


def use_parts(folder: Path, phases: Phases) -> list[Any]:
    phases.begin("load")
    return [*checkpoints.contents(tf, str(folder / "parts")).values()]


def use_records(compression: str, folder: Path, phases: Phases) -> Iterator[Any]:
    phases.begin("load")
    for one in tf.data.TFRecordDataset(str(folder / "records"), compression):
        yield one.numpy()


def use_lines(compression: str, folder: Path, phases: Phases) -> list[Any]:
    phases.begin("load")
    name = str(folder / "records")
    return [one.numpy() for one in tf.data.TextLineDataset(name, compression)]


def use_cache(folder: Path, phases: Phases) -> list[Any]:
    phases.begin("load")
    rows = {"x": np.arange(12.0).reshape(3, 4), "text": np.array([b"a", b"", b"ccc"])}
    dataset = tf.data.Dataset.from_tensor_slices(rows).cache(str(folder / "rows"))
    return [one.numpy() for row in dataset for one in row.values()]


def use_graph(folder: Path, phases: Phases) -> list[Any]:
    phases.begin("load")
    try:
        proto = message("GraphDef").FromString((folder / "graph.pb").read_bytes())
    except DecodeError:
        return []  # protobuf says so, whom the user has asked
    functions = Functions(proto.library.function)
    names = sorted(one.signature.name for one in proto.library.function)
    makers: list[Callable[[], Any]] = [functools.partial(graph_of, proto)]
    makers += [functools.partial(function_graph, functions, name) for name in names]
    sizes = list[int]()
    for make in makers:
        with contextlib.suppress(tf.errors.UnimplementedError):  # SaveV2 and its like
            graph = make()
            verify(graph)
            sizes.append(len(graph.operations))
    return sizes


def function_graph(functions: Functions, name: str) -> Any:
    return functions.graph(name, functions.declared_specs(name))


# ---------------------------------------------------------------- subjects


class Sneaky(tf.Module):
    """Reads what it is told to, and files of its own."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.words = tf.saved_model.Asset(str(file))
        self.count = tf.Variable(0)

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def read(self, path: Any) -> Any:
        self.count.assign_add(1)
        tf.io.write_file(tf.strings.regex_replace(path, "words", "copy"), "copied")
        found = tf.io.matching_files(tf.strings.join([path, "*"]))
        return tf.io.read_file(self.words.asset_path), tf.io.read_file(path), found


MODEL: list[tuple[int, Change]] = [
    (16, in_file("saved_model.pb", mutations.of_proto("SavedModel"))),
    (16, in_file("saved_model.pb", mutations.changed_graphs)),
    *in_bundle("variables/variables"),
    (1, without("saved_model.pb")),
]


def makers() -> list[Callable[[Path], Subject]]:
    """What makes each subject, with its files below a folder."""
    made: list[Callable[[Path], Subject]] = [sneaky_model, checkpoint, parts, cache]
    for name in programs.PROGRAMS:
        made += [functools.partial(their_model, name), functools.partial(our_model, name)]
    for compression in ("", "GZIP", "ZLIB"):
        made += [functools.partial(make, compression) for make in (records, lines)]
    return made + [functools.partial(graph, one) for one in ("layers", "loops", "structures")]


def their_model(name: str, folder: Path) -> Subject:
    place, _ = record.unpacked(name, folder / f"their {name}")
    return Subject(f"TensorFlow's {name}", Path(place), MODEL, functools.partial(use_model, name))


def our_model(name: str, folder: Path) -> Subject:
    model, signatures = programs.prepared(tf, name)
    options = tf.saved_model.SaveOptions(save_debug_info=True)
    place = folder / f"our {name}"
    tf.saved_model.save(model, place, signatures=signatures, options=options)
    debug = "debug/saved_model_debug_info.pb"
    told = (2, in_file(debug, mutations.of_proto("GraphDebugInfo")))
    return Subject(f"our {name}", place, [*MODEL, told], functools.partial(use_model, name))


def sneaky_model(folder: Path) -> Subject:
    words = folder / "words.txt"
    words.write_text("words")
    tf.saved_model.save(Sneaky(words), folder / "sneaky")
    return Subject("sneaky", folder / "sneaky", MODEL, use_sneaky)


def checkpoint(folder: Path) -> Subject:
    place = folder / "checkpoint"
    shutil.copytree(checkpoints.FIXTURES, place)
    state = (6, in_file("checkpoint", state_changed))
    return Subject("a checkpoint", place, [*in_bundle("objects-1"), state], use_checkpoint)


def parts(folder: Path) -> Subject:
    place = folder / "parts"
    shutil.copytree(checkpoints.FIXTURES, place)
    return Subject("a checkpoint in parts", place, in_bundle("parts", 2), use_parts)


def records(compression: str, folder: Path) -> Subject:
    place = _records_in(folder / f"records {compression}", compression)
    use = functools.partial(use_records, compression)
    changes = [(2, in_file("records", mutations.bytes_changed, is_checked=True))]
    if compression:
        return Subject(f"records {compression}", place, changes, use)
    rows = list(use(place, Phases()))
    fewer = frozenset(digest_of(rows[:count]) for count in range(len(rows)))
    changes.append((2, in_file("records", mutations.records_changed)))
    # Records that are missing at the end leave no trace.
    return Subject("records", place, changes, use, fewer)


def lines(compression: str, folder: Path) -> Subject:
    place = _records_in(folder / f"lines {compression}", compression)
    changes = [(1, in_file("records", mutations.bytes_changed))]
    use = functools.partial(use_lines, compression)
    return Subject(f"lines {compression}", place, changes, use)


def _records_in(place: Path, compression: str) -> Path:
    """TensorFlow's records, in a new folder."""
    place.mkdir()
    suffix = f".{compression.lower()}" if compression else ""
    shutil.copy(RECORDS / f"records{suffix}", place / "records")
    return place


def cache(folder: Path) -> Subject:
    place = folder / "cache"
    place.mkdir()
    use_cache(place, Phases())
    changes = [(1, in_file("rows.index", mutations.bytes_changed, is_checked=True))]
    return Subject("a dataset's cache", place, changes, use_cache)


def graph(name: str, folder: Path) -> Subject:
    source, _ = record.unpacked(name, folder / f"model of {name}")
    meta = message("SavedModel").FromString(Path(source, "saved_model.pb").read_bytes())
    place = folder / f"graph of {name}"
    place.mkdir()
    data = meta.meta_graphs[0].graph_def.SerializeToString(deterministic=True)
    (place / "graph.pb").write_bytes(data)
    changes = [(1, in_file("graph.pb", mutations.of_proto("GraphDef")))]
    return Subject(f"the graph of {name}", place, changes, use_graph)


# ---------------------------------------------------------------- judging


def complaint(subject: Subject, place: Path, outcome: Outcome, whole: str) -> str | None:
    """What should not have been, of a changed file; `whole` is the result of the whole one."""
    if outcome.touched:
        return f"touches {outcome.touched}"
    if outcome.kind == "crash":
        return outcome.message
    if outcome.kind == "stopped":
        return None if outcome.phase == "call" else "loading does not end"
    size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    if outcome.growth > MOST_GROWTH + MOST_TIMES * size:
        return f"takes {outcome.growth >> 20} MiB to load {size} bytes"
    if outcome.kind == "error":
        return _complaint_of_error(place, outcome)
    if whole and outcome.digest != whole and outcome.digest not in subject.also:
        return "another result, and no checksum told"
    return None


def _complaint_of_error(place: Path, outcome: Outcome) -> str | None:
    text = outcome.message
    text = text if len(text) < 500 else f"{text[:200]} … {text[-300:]}"
    told = f"{outcome.error} while {outcome.phase}ing, {outcome.innermost}: {text}"
    is_users = any(text in outcome.message for text in USERS)
    is_users |= outcome.error == "KeyError" and "restored.py" in outcome.innermost  # a signature
    is_users |= outcome.innermost.endswith((" looked_up", " <listcomp>"))
    if outcome.phase == "call" and is_users:
        return None  # the program that uses the model does not find what it was made for
    if not set(TENSORFLOWS) & set(outcome.bases) or outcome.error == "InternalError":
        return f"no class of TensorFlow's: {told}"
    names = str(place), "node '", "function '", "argument '", "Detected at node"
    if outcome.phase == "load" and not any(one in outcome.message for one in names):
        return f"names no place: {told}"
    return None


def tried(subject: Subject, place: Path, change: Change | None, rng: Random) -> str | None:
    """What is to be said of one change of the files, made in a copy of them at `place`."""
    shutil.copytree(subject.folder, place)
    is_checked = change(place, rng) if change is not None else True
    backend = rng.choice(("reference", "cpu"))

    outcome = read_alone(subject, place, backend)
    return complaint(subject, place, outcome, whole_result(subject, backend) if is_checked else "")


def read_alone(subject: Subject, place: Path, backend: str) -> Outcome:
    """Read files in a child."""

    def work(phases: Phases) -> str:
        settings.cache_enabled, settings.check_memory, settings.effort = False, True, 0
        with backends.using(backend):
            return digest_of(subject.use(place, phases))

    processor()  # reads a file of the system's, once; a model has none to read
    return run(work, [str(place)])


def whole_result(subject: Subject, backend: str) -> str:
    """What the files give as they are; nothing where they give something else each time."""
    known = subject.whole
    if backend not in known:
        digests: set[str] = set()
        for number in range(2):
            place = subject.folder.parent / f"whole {subject.name} {backend} {number}"
            shutil.copytree(subject.folder, place)
            digests.add(read_alone(subject, place, backend).digest)
        known[backend] = digests.pop() if len(digests) == 1 else ""
    return known[backend]


def attack(count: int, seed: int) -> list[str]:
    """Change and read `count` files."""
    return list(findings(range(count), seed))


def findings(numbers: Iterable[int], seed: int) -> Iterator[str]:
    """What is found, as it is; one number shows one finding again."""
    with tempfile.TemporaryDirectory() as folder:
        subjects: dict[int, Subject] = {}
        for number in numbers:
            rng = Random(f"{seed}/{number}")
            kind = rng.randrange(len(makers()))
            if kind not in subjects:
                subjects[kind] = makers()[kind](Path(folder))
            subject = subjects[kind]
            weights, changes = zip(*subject.changes, strict=True)
            change = rng.choices(changes, weights)[0]
            with tempfile.TemporaryDirectory() as copy:
                said = tried(subject, Path(copy) / "copy", change, rng)
            if said is not None:
                yield f"{seed}/{number}: {subject.name}: {said}"
