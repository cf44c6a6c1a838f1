"""Operations that TensorFlow has and this library has not: why, and what does their work.

Who asks for one by name, or reads it in a file, is told in one sentence.
"""

from __future__ import annotations

import re
from typing import Final

from .op import REGISTRY

# Patterns of whole names; the first that fits counts.
_REASONS: Final = (
    (
        r"CudnnRNN\w+",
        "it is cuDNN's, for GPUs; tf.keras.layers.LSTM and GRU compute the same anywhere",
    ),
    (
        r"XlaConcatND|XlaSplitND|\w+Xla(Concat|Split)ND",
        "it lays out arrays for the cores of a TPU; use tf.concat and tf.split",
    ),
    (
        r"\w*TPU\w*|\w*SparseCore\w*|XlaSparse\w+|(In|Out)feed\w+|Prelinearize\w*|Get\w*Minibatch\w+"
        r"|StoreMinibatch\w+|ConvertTo\w*Coo\w+|AllToAll|WorkerHeartbeat",
        "it drives TPUs, which are not there; run the model without TPUStrategy",
    ),
    (
        r"Collective\w+|Nccl\w+|CrossReplicaSum|GlobalIterId",
        "TensorFlow has it for GPUs and TPUs alone; use CollectiveReduceV2, CollectiveGatherV2 or "
        "tf.distribute.ReplicaContext.all_reduce",
    ),
    (
        r"_?(Host)?(Send|Recv)|DistributedSave",
        "it talks to other machines; save with tf.data.Dataset.save",
    ),
    (
        r"\w*BoostedTrees\w+",
        "TensorFlow has no kernel of it left; use XGBoost, scikit-learn or ydf",
    ),
    (
        r"SdcaShrinkL1",
        "it changes variables without handles; shrink weights by tf.sign(w) * tf.maximum(abs(w) - "
        "l1 / l2, 0.0)",
    ),
    (r"RandomCrop", "TensorFlow removed it; use tf.image.random_crop"),
    (r"StatefulStandardNormal", "TensorFlow removed it; use StatefulStandardNormalV2"),
    (r"TileGrad", "TensorFlow removed it; the gradient of Tile is tf.GradientTape's"),
    (r"TopK", "TensorFlow removed it; use TopKV2"),
    (r"Segment(Max|Min|Prod|Sum)V2", "only XLA has it; use UnsortedSegmentMax, Min, Prod or Sum"),
    (r"CTCLossV2", "it is cuDNN's, for GPUs; use CTCLoss"),
    (r"GenerateBoundingBoxProposals", "only GPUs have it; use tf.image.non_max_suppression"),
    (r"QuantizedReluX", "TensorFlow has no kernel of it; use QuantizedRelu6 or tf.clip_by_value"),
    (
        r"SparseMatrix(Add|Mul|Softmax|SoftmaxGrad|Zeros)",
        "only GPUs have it in TensorFlow; use tf.sparse.add, tf.sparse.softmax or dense tensors",
    ),
    (
        r"\w*LMDB\w+",
        "TensorFlow has no LMDB any more; read the file by the package lmdb in "
        "tf.data.Dataset.from_generator",
    ),
    (
        r"Iterator\w*|ExperimentalIteratorGetDevice|\w+Iterator(V\d)?|\w+Iterator(Init|ToStringHandle|FromStringHandle|"
        r"GetNextFromShard)|DeserializeIterator|OneShotIterator",
        "iterators are objects here; use iter(dataset)",
    ),
    (
        r"Snapshot(Chunk|Nested)?Dataset(Reader)?",
        "TensorFlow's snapshots make it, and called by itself it fails there; use "
        "tf.data.Dataset.load or snapshot",
    ),
    (
        r"\w*Dataset(V\d)?|Dataset\w+|\w+Dataset(Reader|Variant|FromGraph)|\w+FromDataset"
        r"|ExperimentalDataset(Cardinality|ToTFRecord)|UncompressElement"
        r"|ComputeBatchSize|MapDefun|WindowOp|GetOptions|GetElementAtIndex|CompressElement|\w*StatsAggregator\w*"
        r"|\w*ThreadPoolHandle|\w+MemoryCache|\w+SeedGenerator|DummyIterationCounter",
        "datasets are objects here; use the methods of tf.data.Dataset",
    ),
    (
        r"Debug\w+|Copy(Host)?",
        "TensorFlow's debugger adds it to graphs; use tf.debugging.enable_check_numerics",
    ),
    (
        r"GetSessionHandleV2",
        "it keeps a tensor in a session by another kind of handle; use GetSessionHandle",
    ),
    (r"SymbolicGradient", "it differentiates a function of a graph; use tf.gradients"),
    (r"FakeQueue", "it is a part of TensorFlow's tests; use tf.queue.FIFOQueue"),
    (r"SyncDevice", "there is one device, which nobody waits for"),
    (r"Abort", "it ends the process; raise an exception, or use tf.debugging.Assert"),
    (r"FileSystemSetConfiguration", "it is for remote file systems, which are not there"),
    (
        r"(Ref)?(Enter|Exit|Merge|NextIteration|Switch)|RefSelect|LoopCond|ControlTrigger",
        "it is a part of TensorFlow 1's loops and conditions, which become While and If where a "
        "whole graph is imported; use tf.while_loop and tf.cond",
    ),
    (r"Placeholder(V2)?", "graphs that are built by hand make it: tf.compat.v1.placeholder"),
    (
        r"Variable(V2)?|(Destroy)?TemporaryVariable",
        "it is a variable without a handle, which graphs make; use tf.Variable or VarHandleOp",
    ),
    (
        r"RecordInput",
        "its order is that of TensorFlow's threads; use tf.data.TFRecordDataset and shuffle",
    ),
    (
        r"Reader(Serialize|Restore)State(V2)?",
        "TensorFlow refuses it for most readers; save an iterator of tf.data.Dataset by "
        "tf.train.Checkpoint",
    ),
    (
        r"\w+Reader(V2)?|Reader\w+",
        "readers take turns with queues; use tf.data.TextLineDataset, TFRecordDataset or "
        "FixedLengthRecordDataset",
    ),
    (
        r"CreateSummaryDbWriter",
        "TensorBoard does not read its databases; use CreateSummaryFileWriter",
    ),
    (r"DestroyResourceOp", "what a handle stands for goes with its last user; use del"),
    (
        r"MutableDenseHashTable",
        "it has no deleted_key, without which TensorFlow refuses it; use MutableDenseHashTableV2",
    ),
    (
        r"SparseMatrixOrderingAMD",
        "SciPy has no approximate minimum degree; use scipy.sparse.csgraph.reverse_cuthill_mckee",
    ),
    (
        r"TensorListPushBackBatch",
        "it takes a vector of lists, and lists are single values here; push to each of them",
    ),
    (
        r"Quantized(Conv2D|DepthwiseConv2D|MatMul)\w*",
        "TensorFlow computes it by oneDNN's graphs alone, and gives nothing otherwise; use "
        "QuantizedConv2D, QuantizedMatMul and RequantizePerChannel",
    ),
)


def absence(name: str) -> str:
    """What follows "there is no such operation": `: it is ...`; nothing where it is unknown, or
    there after all.
    """
    if name in REGISTRY:
        return ""
    found = next((told for pattern, told in _REASONS if re.fullmatch(pattern, name)), None)
    return f": {found}" if found else ""
