# Written by `make stubs` from the table beside it.

"""`tf.types.experimental`: functions and tensors as types."""

from ..function.atomic_function import AtomicFunction as AtomicFunction
from ..function.concrete import ConcreteFunction as Callable
from ..function.concrete import ConcreteFunction as ConcreteFunction
from ..function.signature.function_type import FunctionType as FunctionType
from ..function.function import Function as GenericFunction
from ..function.function import Function as PolymorphicFunction
from ..core.tracing_protocol import SupportsTracingProtocol as SupportsTracingProtocol
from ..core.values import Convertible as TensorLike
from ..core.tracing_protocol import TraceType as TraceType
from . import types_experimental_distributed as distributed

__all__ = ['AtomicFunction', 'Callable', 'ConcreteFunction', 'FunctionType', 'GenericFunction', 'PolymorphicFunction', 'SupportsTracingProtocol', 'TensorLike', 'TraceType', 'distributed']
