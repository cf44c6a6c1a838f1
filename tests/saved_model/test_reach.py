"""What a loaded model may touch: files in its own directory, and those that its user allows."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

import tensormill as tf
from tensormill.data.by_hand.readers import (
    FixedLengthRecordReaderV2,
    NewReader,
    ReaderReadV2,
    TextLineReaderV2,
    TFRecordReaderV2,
    WholeFileReaderV2,
)
from tensormill.formats import bundle_operations
from tensormill.ops import catalogue as catalogue
from tensormill.ops.bind import bind
from tensormill.ops.effects import World
from tensormill.ops.op import REGISTRY
from tensormill.ops.state.accumulators import NewAccumulator, OnAccumulator
from tensormill.ops.state.barriers import Barrier, OnBarrier
from tensormill.ops.state.queues import OnQueue
from tensormill.ops.state.stages import OnStages
from tensormill.ops.state.table_handles import NewTable
from tensormill.ops.strings.files import WITHIN
from tests.sources import PACKAGE, sources

# Where operations are beside those that the catalogue of ops/ imports.
FOLDERS = (
    "autodiff",
    "control",
    "data/by_hand",
    "data/graphs",
    "data_service",
    "formats",
    "graph/serialized",
    "summary",
)
TEXT = tf.TensorSpec([], tf.string)
Denied = tf.errors.PermissionDeniedError


class Files(tf.Module):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = tf.saved_model.Asset(str(file))

    @tf.function(input_signature=[TEXT])
    def read(self, path: Any) -> Any:
        return tf.io.read_file(path)

    @tf.function(input_signature=[])
    def own(self) -> Any:
        return tf.io.read_file(self.file.asset_path)

    @tf.function(input_signature=[TEXT])
    def write(self, path: Any) -> Any:
        tf.io.write_file(path, "written")
        return path

    @tf.function(input_signature=[TEXT])
    def match(self, pattern: Any) -> Any:
        return tf.io.matching_files(pattern)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "words.txt").write_text("words")
    tf.saved_model.save(Files(tmp_path / "words.txt"), str(tmp_path / "model"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret").write_text("secret")
    return tmp_path


@pytest.fixture
def loaded(place: Path) -> Any:
    return tf.saved_model.load(place / "model")


def test_a_model_reads_its_own_files(place: Path, loaded: Any) -> None:
    assert b"words" == loaded.own().numpy()
    assert b"words" == loaded.read(str(place / "model/variables/../assets/words.txt")).numpy()
    found = loaded.match(str(place / "model/assets/*")).numpy().tolist()
    assert [f"{place}/model/assets/words.txt".encode()] == found


def test_a_model_reads_no_others(place: Path, loaded: Any) -> None:
    (place / "modeled").write_text("beside")
    for path in (
        "other/secret",
        "model/../other/secret",
        "model/assets/../../words.txt",
        "modeled",
    ):
        with pytest.raises(Denied, match=r"may only read files in that directory.*allowed_direct"):
            loaded.read(str(place / path))
        with pytest.raises(Denied):
            loaded.match(str(place / path) + "*")


def test_a_model_writes_no_others_not_even_by_a_link(place: Path, loaded: Any) -> None:
    (place / "model/link").symlink_to(place / "other")
    for path in ("other/new", "model/../new", "model/link/new"):
        with pytest.raises(Denied, match="may only write files in that directory"):
            loaded.write(str(place / path))

    assert [place / "other/secret"] == list((place / "other").iterdir())
    assert not (place / "new").exists()


def test_a_model_prints_into_no_other_file(place: Path) -> None:
    @tf.function(input_signature=[])
    def log() -> Any:
        tf.print("logged", output_stream=f"file://{place}/other/log")
        return 1

    module = tf.Module()
    module.log = log  # type: ignore[attr-defined]
    tf.saved_model.save(module, place / "log")
    with pytest.raises(Denied, match="may only write files in that directory"):
        tf.saved_model.load(place / "log").log()
    assert not (place / "other/log").exists()
    options = tf.saved_model.LoadOptions(allowed_directories=[place])
    tf.saved_model.load(place / "log", options=options).log()
    assert "logged\n" == (place / "other/log").read_text()


def test_links_in_the_directory_may_be_read(place: Path, loaded: Any) -> None:
    """Stores of models keep files under other names, with links to them."""
    (place / "model/assets/words.txt").unlink()
    (place / "model/assets/words.txt").symlink_to(place / "other/secret")

    assert b"secret" == loaded.own().numpy()


def test_the_user_may_allow_more(place: Path) -> None:
    options = tf.saved_model.LoadOptions(allowed_directories=[place / "other"])
    loaded = tf.saved_model.load(place / "model", options=options)

    assert b"secret" == loaded.read(str(place / "other/secret")).numpy()
    loaded.write(str(place / "other/new"))
    assert "written" == (place / "other/new").read_text()
    with pytest.raises(Denied):
        loaded.read(str(place / "words.txt"))
    with pytest.raises(TypeError, match="is a list of directories"):
        tf.saved_model.LoadOptions(allowed_directories="/")  # type: ignore[arg-type]


def test_functions_that_call_a_models_functions_allow_no_more(place: Path, loaded: Any) -> None:
    @tf.function
    def outer(path: Any) -> Any:
        return tf.strings.length(loaded.read(path)), tf.io.read_file(str(place / "words.txt"))

    assert [b"words"] == [outer(str(place / "model/assets/words.txt"))[1].numpy()]
    with pytest.raises(Denied):
        outer(str(place / "other/secret"))


def test_a_model_that_is_saved_again_has_a_directory_of_its_own(place: Path, loaded: Any) -> None:
    tf.saved_model.save(loaded, place / "again")

    again = tf.saved_model.load(place / "again")
    assert b"words" == again.own().numpy()
    assert b"words" == again.read(str(place / "again/assets/words.txt")).numpy()
    with pytest.raises(Denied):
        again.read(str(place / "model/assets/words.txt"))
    assert WITHIN.encode() not in (place / "again/saved_model.pb").read_bytes()


# Hold values behind a handle, and touch nothing else.
HOLD_VALUES = set(
    """
    AddManySparseToTensorsMap AddSparseToTensorsMap TakeManySparseFromTensorsMap
    AnonymousIteratorV2 AnonymousIteratorV3 ComputeBatchSize DatasetCardinality
    BatchFunction GetOptions DatasetToSingleElement GetElementAtIndex ReduceDataset
    IdentityReaderV2 ReaderNumRecordsProducedV2 ReaderNumWorkUnitsCompletedV2 ReaderReadUpToV2
    ReaderReadV2 ReaderResetV2 DeleteSessionTensor GetSessionHandle GetSessionTensor
    ConsumeMutexLock FIFOQueueV2 MakeIterator MutexLock MutexV2 PaddingFIFOQueueV2 PriorityQueueV2
    RandomShuffleQueueV2 StackCloseV2 StackPopV2 StackPushV2 StackV2 Stack TensorArrayCloseV3
    TensorArray TensorArrayGrad TensorArrayGradV3 TensorArrayGradWithShape TensorArrayConcatV3
    TensorArrayGatherV3
    TensorArrayReadV3 TensorArrayScatterV3
    SummaryWriter TensorArraySizeV3 TensorArraySplitV3 TensorArrayV3 TensorArrayWriteV3
    AnonymousMemoryCache AnonymousSeedGenerator DatasetFingerprint DeleteMemoryCache
    DeleteSeedGenerator InitializeTableFromDataset
    AnonymousMultiDeviceIterator AnonymousMultiDeviceIteratorV3 DeleteMultiDeviceIterator
    DeserializeIterator OneShotIterator SerializeIterator Batch Unbatch UnbatchGrad
    DatasetToGraph DatasetToGraphV2
    MultiDeviceIterator MultiDeviceIteratorFromStringHandle MultiDeviceIteratorGetNextFromShard
    MultiDeviceIteratorInit MultiDeviceIteratorToStringHandle
""".split()
)
READS_OR_WRITES = set(
    """
    CacheDataset CacheDatasetV2 CreateSummaryFileWriter CSVDataset CSVDatasetV2
    ExperimentalCSVDataset WholeFileReader
    ExperimentalSqlDataset FixedLengthRecordDataset SqlDataset
    FixedLengthRecordDatasetV2 TextLineDataset TFRecordDataset
    TFRecordDatasetV2 FixedLengthRecordReaderV2 TextLineReaderV2 TFRecordReaderV2 WholeFileReaderV2
    DecodeProtoV2 EncodeProto FixedUnigramCandidateSampler InitializeTableFromTextFile
    InitializeTableFromTextFileV2 MatchingFiles MergeV2Checkpoints PrintV2 ReadFile RestoreV2 SaveV2
    Restore RestoreSlice Save SaveSlices TextLineReader TFRecordReader
    GenerateVocabRemapping ImmutableConst LoadAndRemapMatrix
    DatasetFromGraph
    DatasetToTFRecord ExperimentalDatasetToTFRecord ExperimentalMatchingFilesDataset LoadDataset
    MatchingFilesDataset SaveDataset SaveDatasetV2 SnapshotDataset SnapshotDatasetV2 WriteFile
""".split()
)


@pytest.fixture(scope="module")
def all_operations() -> None:
    """Have every operation in `REGISTRY`, whatever other tests have imported."""
    for folder in FOLDERS:
        for module in iter_modules([str(PACKAGE / folder)]):
            import_module(f"tensormill.{folder.replace('/', '.')}.{module.name}")


@pytest.mark.usefixtures("all_operations")
def test_every_operation_that_runs_python_is_confined_or_refused_in_files() -> None:
    """A new one that opens files has to say what it may open."""
    outside = {World.PYTHON, World.FILES, World.PRINTS}
    runs_python = {name for name, op in REGISTRY.items() if outside & set(op.effects)}
    confined = {n for n, op in REGISTRY.items() if any(f.name == WITHIN for f in op.attrs)}
    refused = {"EagerPyFunc", "PyFunc", "UseDataset"}  # import_checks.function_called
    takes_an_object = {n for n in runs_python if n.startswith(("Iterat", "DeleteIterator"))}
    makes_a_table = {name for name in runs_python if issubclass(REGISTRY[name], NewTable)}
    waiting = (OnQueue, OnAccumulator, NewAccumulator, OnStages, Barrier, OnBarrier)
    waits_for_a_queue = {name for name in runs_python if issubclass(REGISTRY[name], waiting)}

    assert READS_OR_WRITES == confined
    assert set() == HOLD_VALUES - runs_python
    opens_nothing = takes_an_object | makes_a_table | waits_for_a_queue | HOLD_VALUES | {"Print"}
    assert set() == runs_python - confined - refused - opens_nothing


def test_files_of_operations_that_open_a_file_ask_whether_they_may() -> None:
    """Also where nobody would look for it, as in an attribute that may be a path."""
    folders = sources(PACKAGE / "ops"), sources(PACKAGE / "graph" / "serialized")
    opens = re.compile(r"(?<![\w.])open\(|GFile\(|\.read_bytes\(|\.read_text\(|fromfile\(")
    found = {path.name: path.read_text() for one in folders for path in one}
    opening = {name: text for name, text in found.items() if opens.search(text)}

    assert {"files.py", "candidates.py", "any_messages.py"} <= opening.keys()
    # The files of tables: table_handles.py asks before it hands on a path.
    assert ["text_tables.py"] == [
        name for name, text in opening.items() if "gfile.confined(" not in text
    ]


@pytest.mark.parametrize("name", ["InitializeTableFromTextFile", "InitializeTableFromTextFileV2"])
def test_tables_elsewhere_are_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "words").write_text("one\ntwo\n")
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    attrs: dict[str, Any] = {"key_index": -2, "value_index": -1, WITHIN: (f"{tmp_path}/model",)}

    with pytest.raises(Denied):
        bind(REGISTRY[name], table, str(tmp_path / "words"), **attrs)


@pytest.mark.parametrize(
    "kind", [TextLineReaderV2, WholeFileReaderV2, TFRecordReaderV2, FixedLengthRecordReaderV2]
)
def test_readers_open_no_file_elsewhere(tmp_path: Path, kind: type[NewReader]) -> None:
    """As in a graph that was loaded, whose queues may name anything."""
    (tmp_path / "secret").write_text("one")
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        queue = tf.queue.FIFOQueue(1, [tf.string], [()])
        told: dict[str, Any] = {WITHIN: (f"{tmp_path}/model",)}
        if kind is FixedLengthRecordReaderV2:
            told["record_bytes"] = 1
        reader = bind(kind, **told)
        read = bind(ReaderReadV2, reader, queue.queue_ref)
        session.run(queue.enqueue(str(tmp_path / "secret")))
        with pytest.raises(Denied, match="may only read files in that directory"):
            session.run(read)


def test_attributes_that_are_paths_lead_nowhere_else(tmp_path: Path) -> None:
    """Descriptors of messages, and weights of classes."""
    secret = tmp_path / "secret"
    secret.write_text("0.5\n0.5\n")
    path, module = str(secret), tf.Module()
    classes = tf.constant([[0]], tf.int64)
    read = tf.io.decode_proto
    functions: dict[str, Any] = {
        "weights": lambda: tf.random.fixed_unigram_candidate_sampler(
            classes, 1, 1, True, 2, vocab_file=path
        )[0],
        "decoded": lambda: read([b""], "M", ["f"], [tf.int64], descriptor_source=path)[0],
        "encoded": lambda: tf.io.encode_proto([[1]], [[[1]]], ["f"], "M", descriptor_source=path),
    }
    for name, function in functions.items():
        setattr(module, name, tf.function(function, input_signature=[]))
    tf.saved_model.save(module, tmp_path / "model")

    loaded = tf.saved_model.load(tmp_path / "model")
    for name in functions:
        with pytest.raises(Denied, match="may only read files in that directory"):
            getattr(loaded, name)()
    options = tf.saved_model.LoadOptions(allowed_directories=[tmp_path])
    allowed = tf.saved_model.load(tmp_path / "model", options=options)
    assert {0, 1} >= set(allowed.weights().numpy().tolist())


@pytest.mark.parametrize(("name", "operands", "attrs"), [
    ("SaveV2", (["x"], [""], [1.0]), {}),
    ("RestoreV2", (["x"], [""]), {"dtypes": [tf.float32]}),
])  # fmt: skip
def test_bundles_elsewhere_are_neither_written_nor_read(
    tmp_path: Path, name: str, operands: Any, attrs: Any
) -> None:
    tf.raw_ops.SaveV2(
        prefix=str(tmp_path / "there"), tensor_names=["x"], shape_and_slices=[""], tensors=[1.0]
    )
    within: dict[str, Any] = {**attrs, WITHIN: (str(tmp_path / "model"),)}

    with pytest.raises(tf.errors.PermissionDeniedError):
        bind(REGISTRY[name], str(tmp_path / "there"), *operands, **within)


def test_bundles_elsewhere_are_not_merged_away(tmp_path: Path) -> None:
    elsewhere, here = [str(tmp_path / "there")], str(tmp_path / "model/x")
    attrs: dict[str, Any] = {"delete_old_dirs": True, "allow_missing_files": False}
    attrs[WITHIN] = (str(tmp_path / "model"),)
    merge = bundle_operations.MergeV2Checkpoints

    with pytest.raises(tf.errors.PermissionDeniedError):
        bind(merge, elsewhere, here, **attrs)
