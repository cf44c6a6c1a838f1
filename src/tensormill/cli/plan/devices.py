"""Figures of chips, as their makers publish them: without sparsity, one direction of each link."""

from __future__ import annotations

from typing import Final

from ...core.process.named_tuples import NamedTuple


class Chip(NamedTuple):
    """One device, in operations, bytes and seconds.

    work: of products of 16-bit floats; wide_work: of float32, which is exact here (no TF32).
    link: to the devices of its node, of which there are so many together; network: to others.
    """

    work: float
    wide_work: float
    memory: float
    bandwidth: float
    link: float
    node: int
    network: float
    source: str


_SXM = "NVIDIA's data sheet of the {}, SXM; DGX: one {} Gb/s port for each GPU"

CHIPS: Final = {
    "a100": Chip(312e12, 19.5e12, 80e9, 2.039e12, 300e9, 8, 25e9, _SXM.format("A100 80GB", 200)),
    "h100": Chip(989.4e12, 66.9e12, 80e9, 3.35e12, 450e9, 8, 50e9, _SXM.format("H100", 400)),
    "h200": Chip(989.4e12, 66.9e12, 141e9, 4.8e12, 450e9, 8, 50e9, _SXM.format("H200", 400)),
    # XLA multiplies float32 in six products of bfloat16. The links of one pod are one node here.
    "v5e": Chip(
        197e12, 197e12 / 6, 16e9, 0.819e12, 200e9, 256, 3.125e9, "Google Cloud's page on TPU v5e"
    ),
}
