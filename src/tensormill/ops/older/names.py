"""Older names of operations, which files and `tf.raw_ops` have: nothing else is different.

Names without `V2` of tables and queues take references in TensorFlow, which are handles here.
"""

from __future__ import annotations

from typing import Final

from ..linalg import decompositions, eigenvalues, older_names, solving, triangular
from ..linalg.band_parts import MatrixBandPart
from ..math.arithmetic import Reciprocal, ReciprocalGrad
from ..nn.bias_and_dropout import BiasAdd
from ..op import Op, types
from ..signal import fourier
from ..state import accumulators, lookup, new_queues, queues, table_handles, tensor_arrays
from .arrays import CholeskyGrad
from .renaming import renamed

OLDER_NAMES: Final[dict[str, type[Op]]] = {
    "AccumulatorApplyGradient": accumulators.ResourceAccumulatorApplyGradient,
    "AccumulatorTakeGradient": accumulators.ResourceAccumulatorTakeGradient,
    "BatchCholesky": decompositions.Cholesky,
    "BatchFFT": fourier.FFT,
    "BatchFFT2D": fourier.FFT2D,
    "BatchFFT3D": fourier.FFT3D,
    "BatchIFFT": fourier.IFFT,
    "BatchIFFT2D": fourier.IFFT2D,
    "BatchIFFT3D": fourier.IFFT3D,
    "BatchMatrixBandPart": MatrixBandPart,
    "BatchMatrixDeterminant": solving.MatrixDeterminant,
    "BatchMatrixDiag": older_names.MatrixDiag,
    "BatchMatrixDiagPart": older_names.MatrixDiagPart,
    "BatchMatrixInverse": solving.MatrixInverse,
    "BatchMatrixSetDiag": older_names.MatrixSetDiag,
    "BatchMatrixSolve": solving.MatrixSolve,
    "BatchMatrixSolveLs": solving.MatrixSolveLs,
    "BatchMatrixTriangularSolve": triangular.MatrixTriangularSolve,
    "BatchSelfAdjointEigV2": eigenvalues.SelfAdjointEigV2,
    "BatchSvd": eigenvalues.Svd,
    "ConditionalAccumulator": accumulators.ResourceConditionalAccumulator,
    "FIFOQueue": new_queues.FIFOQueueV2,
    "HashTable": table_handles.HashTableV2,
    "InitializeTable": lookup.InitializeTableV2,
    "InitializeTableFromTextFile": table_handles.InitializeTableFromTextFileV2,
    "Inv": Reciprocal,
    "InvGrad": ReciprocalGrad,
    "LookupTableExport": lookup.LookupTableExportV2,
    "LookupTableFind": lookup.LookupTableFindV2,
    "LookupTableImport": lookup.LookupTableImportV2,
    "LookupTableInsert": lookup.LookupTableInsertV2,
    "LookupTableSize": lookup.LookupTableSizeV2,
    "MutableHashTable": table_handles.MutableHashTableV2,
    "MutableHashTableOfTensors": table_handles.MutableHashTableOfTensorsV2,
    "PaddingFIFOQueue": new_queues.PaddingFIFOQueueV2,
    "PriorityQueue": new_queues.PriorityQueueV2,
    "QueueClose": queues.QueueCloseV2,
    "QueueDequeue": queues.QueueDequeueV2,
    "QueueDequeueMany": queues.QueueDequeueManyV2,
    "QueueDequeueUpTo": queues.QueueDequeueUpToV2,
    "QueueEnqueue": queues.QueueEnqueueV2,
    "QueueEnqueueMany": queues.QueueEnqueueManyV2,
    "QueueIsClosed": queues.QueueIsClosedV2,
    "QueueSize": queues.QueueSizeV2,
    "RandomShuffleQueue": new_queues.RandomShuffleQueueV2,
    "StackClose": tensor_arrays.StackCloseV2,
    "StackPop": tensor_arrays.StackPopV2,
    "StackPush": tensor_arrays.StackPushV2,
}
REAL: Final = types("f32 f64")
NARROWER: Final = types("c64")
# What the dtypes of those that took fewer may be.
FEWER: Final = {
    "BatchCholesky": {"T": REAL},
    "BatchFFT": {"Tcomplex": NARROWER},
    "BatchFFT2D": {"Tcomplex": NARROWER},
    "BatchFFT3D": {"Tcomplex": NARROWER},
    "BatchIFFT": {"Tcomplex": NARROWER},
    "BatchIFFT2D": {"Tcomplex": NARROWER},
    "BatchIFFT3D": {"Tcomplex": NARROWER},
    "BatchMatrixBandPart": {"Tindex": types("i64")},
    "BatchMatrixInverse": {"T": REAL},
    "BatchMatrixSolve": {"T": REAL},
    "BatchMatrixSolveLs": {"T": REAL},
    "BatchMatrixTriangularSolve": {"T": REAL},
    "BatchSelfAdjointEigV2": {"T": REAL},
}
RENAMED: Final = [
    renamed(name, op, __name__, dtypes=FEWER.get(name, {})) for name, op in OLDER_NAMES.items()
]
CHOLESKY_GRADIENTS: Final = renamed("BatchCholeskyGrad", CholeskyGrad, __name__)
BIAS_ADD: Final = renamed("BiasAddV1", BiasAdd, __name__, without="data_format")
