# Written by `make stubs` from the table beside it.

"""`tf.experimental.numpy.random`: numbers by chance, with NumPy's names."""

from ..numpy_api.random import poisson as poisson
from ..numpy_api.random import rand as rand
from ..numpy_api.random import randint as randint
from ..numpy_api.random import randn as randn
from ..numpy_api.random import random as random
from ..numpy_api.random import seed as seed
from ..numpy_api.random import standard_normal as standard_normal
from ..numpy_api.random import uniform as uniform

__all__ = ['poisson', 'rand', 'randint', 'randn', 'random', 'seed', 'standard_normal', 'uniform']
