"""`tf.types.experimental`: functions and tensors as types."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "distributed=types_experimental_distributed",
    "core.tracing_protocol": "SupportsTracingProtocol TraceType",
    "core.values": "TensorLike=Convertible",
    "function.atomic_function": "AtomicFunction",
    "function.concrete": "Callable=ConcreteFunction ConcreteFunction",
    "function.signature.function_type": "FunctionType",
    "function.function": "GenericFunction=Function PolymorphicFunction=Function",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.types.experimental")
