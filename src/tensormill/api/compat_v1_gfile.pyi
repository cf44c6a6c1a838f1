# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.gfile`: files."""

from ..core.files.gfile import copy as Copy
from ..core.files.gfile import rmtree as DeleteRecursively
from ..core.files.gfile import exists as Exists
from ..core.files.gfile import GFile as FastGFile
from ..core.files.gfile import GFile as GFile
from ..core.files.gfile import glob as Glob
from ..core.files.gfile import isdir as IsDirectory
from ..core.files.gfile import listdir as ListDirectory
from ..core.files.gfile import makedirs as MakeDirs
from ..core.files.gfile import mkdir as MkDir
from ..core.files.gfile import GFile as Open
from ..core.files.gfile import remove as Remove
from ..core.files.gfile import rename as Rename
from ..core.files.gfile import stat as Stat
from ..core.files.gfile import walk as Walk

__all__ = ['Copy', 'DeleteRecursively', 'Exists', 'FastGFile', 'GFile', 'Glob', 'IsDirectory', 'ListDirectory', 'MakeDirs', 'MkDir', 'Open', 'Remove', 'Rename', 'Stat', 'Walk']
