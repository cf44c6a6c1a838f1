# Written by `make stubs` from the table beside it.

"""`tf.io.gfile`: files and folders."""

from ..core.files.gfile import GFile as GFile
from ..core.files.gfile import copy as copy
from ..core.files.gfile import exists as exists
from ..core.files.gfile import get_registered_schemes as get_registered_schemes
from ..core.files.gfile import glob as glob
from ..core.files.gfile import isdir as isdir
from ..core.files.gfile import join as join
from ..core.files.gfile import listdir as listdir
from ..core.files.gfile import makedirs as makedirs
from ..core.files.gfile import mkdir as mkdir
from ..core.files.gfile import remove as remove
from ..core.files.gfile import rename as rename
from ..core.files.gfile import rmtree as rmtree
from ..core.files.gfile import stat as stat
from ..core.files.gfile import walk as walk

__all__ = ['GFile', 'copy', 'exists', 'get_registered_schemes', 'glob', 'isdir', 'join', 'listdir', 'makedirs', 'mkdir', 'remove', 'rename', 'rmtree', 'stat', 'walk']
