"""Recurrent layers by NVIDIA's library: programs trace them for devices that are not here.

Where there is a GPU they are refused at once: who traces them there means to run them, as layers of
Keras do, which go on with a loop then.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ...core import dtypes
from ...core.process.accelerators import accelerators
from ...core.specs import TensorSpec
from ...errors import NotFoundError
from ..effects import World
from ..op import FLOATS, Attr, In, Op, Out


class LayersOnGpus(Op, abstract=True):
    """The outputs [time, batch, units] and the last states of a stack of layers: on a GPU."""

    input = In("T time batch features")
    input_h = In("T layers batch units")
    input_c = In("T ...")
    params = In("T size")
    output = Out("T time batch units")
    output_h = Out("T layers batch units")
    output_c = Out("T ...")
    reserve_space = Out("T ...")
    rnn_mode = Attr("lstm", "rnn_relu rnn_tanh lstm gru")
    input_mode = Attr("linear_input", "linear_input skip_input auto_select")
    direction = Attr("unidirectional", "unidirectional bidirectional")
    dropout = Attr(0.0)
    seed = Attr(0)
    seed2 = Attr(0)
    T = FLOATS
    effects = (World.DRAWS,)
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        if accelerators.of("GPU"):
            raise self._absent()
        dtype, ways = self.input.dtype, 1 if self.direction == "unidirectional" else 2
        states, outer = self.input_h.shape, self.input.shape[:2]
        units = states[2]
        output = TensorSpec((*outer, None if units is None else ways * units), dtype)
        cells = TensorSpec(states if self.rnn_mode == "lstm" else (), dtype)
        return output, TensorSpec(states, dtype), cells, TensorSpec(None, dtype)

    def eager(self, np: Any) -> NoReturn:
        raise self._absent()

    def _absent(self) -> NotFoundError:
        return NotFoundError(
            f"{type(self).__name__} is a function of NVIDIA's library, which is not used here: use "
            "a layer of Keras, or tf.while_loop"
        )


class CudnnRNN(LayersOnGpus):
    """Layers whose sequences are equally long."""

    is_training = Attr(True)


class CudnnRNNV2(LayersOnGpus):
    """The same, with what the library keeps on the host for gradients."""

    host_reserved = Out("i8 ...")
    is_training = Attr(True)

    def infer(self) -> tuple[TensorSpec, ...]:
        return (*super().infer(), TensorSpec(None, dtypes.int8))


class CudnnRNNV3(LayersOnGpus):
    """Layers whose sequences have lengths of their own."""

    sequence_lengths = In("i32 batch")
    host_reserved = Out("i8 ...")
    num_proj = Attr(0)
    is_training = Attr(True)
    time_major = Attr(True)

    def infer(self) -> tuple[TensorSpec, ...]:
        return (*super().infer(), TensorSpec(None, dtypes.int8))
