"""`tf.distribute.cluster_resolver`: who takes part in a program of several processes."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "distribution.asked_resolvers": (
        "GCEClusterResolver KubernetesClusterResolver "
        "KubernetesExecutableLocation=ExecutableLocation"
    ),
    "distribution.cluster_resolvers": (
        "ClusterResolver SimpleClusterResolver TFConfigClusterResolver UnionResolver"
    ),
    "distribution.slurm": "SlurmClusterResolver",
    "distribution.tpu.resolver": "TPUClusterResolver",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, public="tf.distribute.cluster_resolver")
