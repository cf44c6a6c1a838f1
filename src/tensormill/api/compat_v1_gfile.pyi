# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.gfile`: files."""

from ..version_one.files import Copy as Copy
from ..version_one.files import DeleteRecursively as DeleteRecursively
from ..version_one.files import Exists as Exists
from ..core.files.gfile import GFile as FastGFile
from ..core.files.gfile import GFile as GFile
from ..version_one.files import Glob as Glob
from ..version_one.files import IsDirectory as IsDirectory
from ..version_one.files import ListDirectory as ListDirectory
from ..version_one.files import MakeDirs as MakeDirs
from ..version_one.files import MkDir as MkDir
from ..core.files.gfile import GFile as Open
from ..version_one.files import Remove as Remove
from ..version_one.files import Rename as Rename
from ..version_one.files import Stat as Stat
from ..version_one.files import Walk as Walk

__all__ = ['Copy', 'DeleteRecursively', 'Exists', 'FastGFile', 'GFile', 'Glob', 'IsDirectory', 'ListDirectory', 'MakeDirs', 'MkDir', 'Open', 'Remove', 'Rename', 'Stat', 'Walk']
