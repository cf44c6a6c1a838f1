# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.initializers`: initial values of variables."""

from ..version_one.initializers import ConstantV1 as constant
from ..version_one.initialization import global_variables_initializer as global_variables
from ..version_one.initializers import GlorotNormalV1 as glorot_normal
from ..version_one.initializers import GlorotUniformV1 as glorot_uniform
from ..version_one.initializers import he_normal as he_normal
from ..version_one.initializers import he_uniform as he_uniform
from ..version_one.initializers import IdentityV1 as identity
from ..version_one.initializers import lecun_normal as lecun_normal
from ..version_one.initializers import lecun_uniform as lecun_uniform
from ..version_one.initialization import local_variables_initializer as local_variables
from ..version_one.initializers import OnesV1 as ones
from ..version_one.initializers import Orthogonal as orthogonal
from ..version_one.initializers import RandomNormalV1 as random_normal
from ..version_one.initializers import RandomUniformV1 as random_uniform
from ..version_one.initialization import tables_initializer as tables_initializer
from ..version_one.initializers import TruncatedNormalV1 as truncated_normal
from ..version_one.initializers import UniformUnitScaling as uniform_unit_scaling
from ..version_one.initialization import variables_initializer as variables
from ..version_one.initializers import VarianceScalingV1 as variance_scaling
from ..version_one.initializers import ZerosV1 as zeros

__all__ = ['constant', 'global_variables', 'glorot_normal', 'glorot_uniform', 'he_normal', 'he_uniform', 'identity', 'lecun_normal', 'lecun_uniform', 'local_variables', 'ones', 'orthogonal', 'random_normal', 'random_uniform', 'tables_initializer', 'truncated_normal', 'uniform_unit_scaling', 'variables', 'variance_scaling', 'zeros']
