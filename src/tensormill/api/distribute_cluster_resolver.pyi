# Written by `make stubs` from the table beside it.

"""`tf.distribute.cluster_resolver`: who takes part in a program of several processes."""

from ..distribution.cluster_resolvers import ClusterResolver as ClusterResolver
from ..distribution.asked_resolvers import GCEClusterResolver as GCEClusterResolver
from ..distribution.asked_resolvers import KubernetesClusterResolver as KubernetesClusterResolver
from ..distribution.asked_resolvers import ExecutableLocation as KubernetesExecutableLocation
from ..distribution.cluster_resolvers import SimpleClusterResolver as SimpleClusterResolver
from ..distribution.slurm import SlurmClusterResolver as SlurmClusterResolver
from ..distribution.cluster_resolvers import TFConfigClusterResolver as TFConfigClusterResolver
from ..distribution.tpu.resolver import TPUClusterResolver as TPUClusterResolver
from ..distribution.cluster_resolvers import UnionResolver as UnionResolver

__all__ = ['ClusterResolver', 'GCEClusterResolver', 'KubernetesClusterResolver', 'KubernetesExecutableLocation', 'SimpleClusterResolver', 'SlurmClusterResolver', 'TFConfigClusterResolver', 'TPUClusterResolver', 'UnionResolver']
