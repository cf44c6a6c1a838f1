"""The public functions of single elements that also take ragged tensors.

They convert their operands or are made of others, so that no operation gets to see what is ragged.
"""

from __future__ import annotations

from ..checks import assertions
from ..composites import aware, on_elements, on_values
from ..math import cast, complex, division, elementwise, norms, sums
from ..nn import activations, bias_and_dropout
from ..nn import softmax as losses

angle = on_values(complex.angle)
bitcast = on_values(cast.bitcast)
check_numerics = on_values(assertions.check_numerics)
conj = on_values(complex.conj)
dropout = on_values(bias_and_dropout.dropout)
gelu = on_values(activations.gelu)
imag = on_values(complex.imag)
real = on_values(complex.real)
reciprocal_no_nan = on_values(division.reciprocal_no_nan)
round = on_values(elementwise.round)
saturate_cast = on_values(cast.saturate_cast)
stateless_dropout = on_values(bias_and_dropout.stateless_dropout)
swish = on_values(activations.swish)
silu = swish

clip_by_value = on_elements(norms.clip_by_value)
complex = on_elements(complex.complex)
sigmoid_cross_entropy_with_logits = on_elements(losses.sigmoid_cross_entropy_with_logits)

add_n = aware(sums.add_n, "ragged.functions.add_n")
softmax = aware(losses.softmax, "ragged.functions.softmax")
