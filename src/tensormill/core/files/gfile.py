"""`tf.io.gfile`: files and folders of the local file system."""

from __future__ import annotations

import errno
import glob as globbing
import io
import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from ...errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
)
from .atomic import rewriting
from .folders import make_folders

_CLASSES: dict[type[Exception], tuple[str, ...]] = {
    NotFoundError: ("ENOENT", "ENODEV", "ENXIO"),
    AlreadyExistsError: ("EEXIST",),
    PermissionDeniedError: ("EACCES", "EPERM", "EROFS"),
    FailedPreconditionError: ("EISDIR", "ENOTDIR", "ENOTEMPTY", "EBUSY", "ETXTBSY"),
    ResourceExhaustedError: ("ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EMLINK", "ENOMEM"),
    InvalidArgumentError: ("EINVAL", "ENAMETOOLONG"),
    OutOfRangeError: ("EFBIG",),
    UnimplementedError: ("EXDEV", "ENOSYS", "EOPNOTSUPP"),
}
_KINDS = {getattr(errno, name): kind for kind, names in _CLASSES.items() for name in names}


@contextmanager
def translated(path: Any) -> Generator[None]:
    """Raise what TensorFlow raises where the file system fails."""
    if "\0" in text(path):
        raise InvalidArgumentError(f"{text(path)!r}; a path cannot hold a zero byte")
    try:
        yield
    except io.UnsupportedOperation as error:
        raise PermissionDeniedError(f"{text(path)}; the file is {error}") from None
    except OSError as error:
        kind = _KINDS.get(error.errno, UnknownError)
        reason = error.strerror or str(error)
        raise kind(f"{text(path)}; {reason}") from None


_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9.]*)://")


def said(path: Any) -> str:
    """A path as a string, as it is written; one of bytes, an element or a path object, too."""
    if hasattr(path, "numpy"):
        path = path.numpy()
    return os.fsdecode(path)


def text(path: Any) -> str:
    """A path as the operating system has it: of `file:///a/b` what follows the host.

    Raises:
        UnimplementedError: it is of another scheme, whose files would be local ones otherwise.
    """
    written = said(path)
    scheme = _SCHEME.match(written)
    if scheme is None:
        return written
    if scheme[1] != "file":
        raise UnimplementedError(
            f"File system scheme '{scheme[1]}' not implemented (file: '{written}')"
        )
    _, slash, rest = written[scheme.end() :].partition("/")
    return slash + rest


def confined(path: Any, directories: Sequence[str], writes: bool) -> str:
    """The path, which has to lead into one of these directories; with none, anywhere.

    What is written must lie there whatever links there are; what is read may be a link that lies
    there: whoever made the directory has put it there.

    Raises:
        PermissionDeniedError: it leads elsewhere.
    """
    if not directories:
        return text(path)
    whole = os.path.abspath(text(path))  # without '..', so that no link is between
    place = os.path.realpath(whole) if writes else whole
    for directory in directories:
        root = os.path.realpath(directory) if writes else os.path.abspath(directory)
        if place == root or place.startswith(os.path.join(root, "")):
            return whole
    raise PermissionDeniedError(
        f"{text(path)}; functions of the SavedModel in {directories[0]} may only "
        f"{'write' if writes else 'read'} files in that directory. "
        "tf.saved_model.LoadOptions(allowed_directories=[...]) allows other ones"
    )


def exists(path: Any) -> bool:
    """Whether there is a file or folder.

    path: a string, bytes, a path object or a string scalar, here as in all of `tf.io.gfile`.

    >>> tf.io.gfile.exists("no such file")
    False

    Raises:
        TypeError: it is no path.
        UnimplementedError: it is of a scheme that is not registered: no local file.
    """
    return os.path.exists(text(path))


def isdir(path: Any) -> bool:
    """Whether there is a folder.

    >>> tf.io.gfile.makedirs("models/first")
    >>> tf.io.gfile.isdir("models")
    True

    Raises:
        TypeError: it is no path.
    """
    try:
        return os.path.isdir(text(path))
    except UnimplementedError:
        return False


def join(path: Any, *paths: Any) -> Any:
    """A path of several parts; bytes if the first one is.

    A part that begins with a slash replaces those before it.

    >>> tf.io.gfile.join("models", "first", "weights")
    'models/first/weights'

    Raises:
        TypeError: a part is no path.
    """
    joined = os.path.join(said(path), *map(said, paths))
    return os.fsencode(joined) if isinstance(path, bytes) else joined


def listdir(path: Any) -> list[str]:
    """The names in a folder, in no order.

    >>> tf.io.gfile.makedirs("runs/first")
    >>> tf.io.gfile.listdir("runs")
    ['first']

    Raises:
        NotFoundError: there is no such folder.
    """
    if not isdir(path):
        raise NotFoundError(f"Could not find directory {said(path)}")
    with translated(path):
        return os.listdir(text(path))


def glob(pattern: Any) -> list[str]:
    """The paths that match a pattern, or any of several ones (a list or tuple), sorted.

    `*`, `?` and `[...]` match any characters of a name, the dot that hides it as well; `[^...]` and
    `[!...]` match all others, and what follows a backslash only itself. Where the first name of a
    relative pattern has such a character, what it finds begins with `./`, as in TensorFlow.

    >>> for name in ("b.txt", "a.txt", "c.csv"):
    ...     with tf.io.gfile.GFile(name, "w") as file:
    ...         file.write("")
    >>> tf.io.gfile.glob("[ab].txt")
    ['./a.txt', './b.txt']

    Raises:
        TypeError: it is no path, or a list holds what is none.
        UnimplementedError: it is of a scheme that is not registered.
    """
    several = isinstance(pattern, (list, tuple))
    patterns: list[Any] = [*pattern] if several else [pattern]
    return sorted(found for one in patterns for found in _found(said(one)))


def _found(pattern: str) -> list[str]:
    """The paths that match, with the scheme and the host that the pattern has."""
    local = text(pattern)
    return [pattern.removesuffix(local) + one for one in _matching(local)]


def _matching(pattern: str) -> list[str]:
    # What stands before the first slash is the folder that TensorFlow reads; without one, `.` is.
    first = pattern.partition("/")[0]
    folder = "./" if re.search(r"[*?\[\\]", first) else ""
    return [folder + one for one in globbing.glob(_for_python(pattern), include_hidden=True)]


def _for_python(pattern: str) -> str:
    """A pattern of the C library's as Python writes it."""

    def written(match: re.Match[str]) -> str:
        escaped = match["escaped"]
        return "[!" if escaped is None else globbing.escape(escaped)

    return re.sub(r"\\(?P<escaped>.)|\[\^", written, pattern, flags=re.DOTALL)


def mkdir(path: Any) -> None:
    """Make a folder in one that is there.

    >>> tf.io.gfile.mkdir("one")
    >>> tf.io.gfile.mkdir("one")  # it may be there

    Raises:
        AlreadyExistsError: there is a file of that name.
        NotFoundError: the folder around it is not there.
    """
    with translated(path):
        if not isdir(path):
            os.mkdir(text(path))


def makedirs(path: Any) -> None:
    """Make a folder and those around it, where they are missing.

    >>> tf.io.gfile.makedirs("outer/inner")
    >>> tf.io.gfile.makedirs("outer/inner")  # it may be there

    Raises:
        FailedPreconditionError: a file is where it, or a folder around it, should be.
    """
    with translated(path):
        make_folders(text(path))


def remove(path: Any) -> None:
    """Delete a file.

    >>> with tf.io.gfile.GFile("old.txt", "w") as file:
    ...     file.write("hello")
    >>> tf.io.gfile.remove("old.txt")
    >>> tf.io.gfile.exists("old.txt")
    False

    Raises:
        NotFoundError: there is none.
        FailedPreconditionError: it is a folder (`rmtree`).
    """
    with translated(path):
        os.remove(text(path))


def rmtree(path: Any) -> None:
    """Delete a folder with all that is in it (or a file).

    >>> tf.io.gfile.makedirs("unused/inner")
    >>> tf.io.gfile.rmtree("unused")
    >>> tf.io.gfile.exists("unused")
    False

    Raises:
        NotFoundError: there is none.
    """
    if not exists(path):
        raise NotFoundError(f"{text(path)}; there is no such folder or file")
    with translated(path):
        shutil.rmtree(text(path)) if isdir(path) else os.remove(text(path))


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file.

    >>> with tf.io.gfile.GFile("source.txt", "w") as file:
    ...     file.write("hello")
    >>> tf.io.gfile.copy("source.txt", "copy.txt")
    >>> tf.io.read_file("copy.txt").numpy()
    b'hello'

    Raises:
        AlreadyExistsError: `dst` is there, and overwrite is false.
        NotFoundError: `src` is not, or the folder around `dst` is not.
        FailedPreconditionError: `src` is a folder.
    """
    _refuse(dst, overwrite)
    with translated(src), open(text(src), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode & 0o777
        with translated(dst), rewriting(text(dst), mode) as copied:
            shutil.copyfileobj(file, copied)


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name.

    >>> tf.io.gfile.mkdir("before")
    >>> tf.io.gfile.rename("before", "after")
    >>> tf.io.gfile.exists("before"), tf.io.gfile.exists("after")
    (False, True)

    Raises:
        AlreadyExistsError: `dst` is there, and overwrite is false.
        NotFoundError: `src` is not.
    """
    _refuse(dst, overwrite)
    with translated(src):
        os.replace(text(src), text(dst))


def _refuse(path: Any, overwrite: bool) -> None:
    if not overwrite and exists(path):
        raise AlreadyExistsError(f"file already exists: {text(path)}")


@dataclass(frozen=True)
class FileStatistics:
    """What `stat` tells of a file."""

    length: int
    mtime_nsec: int
    is_directory: bool


def stat(path: Any) -> FileStatistics:
    """The size and age of a file: `length` in bytes, `mtime_nsec` in nanoseconds since 1970, and
    `is_directory`.

    >>> with tf.io.gfile.GFile("five.txt", "w") as file:
    ...     file.write("hello")
    >>> tf.io.gfile.stat("five.txt").length
    5

    Raises:
        NotFoundError: there is none.
    """
    with translated(path):
        found = os.stat(text(path))
    return FileStatistics(found.st_size, found.st_mtime_ns, isdir(path))


def walk(
    top: Any, topdown: bool = True, onerror: Callable[[OpError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every folder below `top`, itself included, with the names of its folders and files.

    topdown: a folder comes before those in it. onerror: is called with what fails; without it, that
    is skipped, so that a folder which is not there gives nothing.

    >>> tf.io.gfile.makedirs("top/inner")
    >>> list(tf.io.gfile.walk("top"))
    [('top', ['inner'], []), ('top/inner', [], [])]

    Raises:
        TypeError: it is no path.
    """

    def failed(error: OSError) -> None:
        if onerror is not None:
            onerror(NotFoundError(f"Could not find directory {error.filename}"))

    if not isdir(top):
        failed(OSError(0, "", said(top)))
        return
    written, local = said(top), text(top)
    for place, folders, files in os.walk(local, topdown, failed):
        yield written + place.removeprefix(local), folders, files


_MODES: Final = "r", "w", "a", "r+", "w+", "a+"


def get_registered_schemes() -> list[str]:
    """The schemes of paths that files are read and written by.

    >>> tf.io.gfile.get_registered_schemes()
    ['', 'file']
    """
    return ["", "file"]


class GFile:
    """A file to read from or write to; text, unless the mode has a "b".

    Text is read as it is; only lines come without their carriage returns.

    >>> with tf.io.gfile.GFile("lines.txt", "w") as file:
    ...     file.write("one")
    >>> tf.io.gfile.GFile("lines.txt").read()
    'one'

    Raises:
        NotFoundError: it is not there.
        InvalidArgumentError: the mode is not "r", "w", "a", "r+", "w+" or "a+", maybe with a "b".
        PermissionDeniedError (later): it was not opened for reading, or not for writing.
    """

    def __init__(self, name: Any, mode: str = "r", encoding: str = "utf-8") -> None:
        if mode.replace("b", "", 1) not in _MODES:
            raise InvalidArgumentError(
                f"mode {mode!r} is none of {', '.join(_MODES)}, with or without 'b'"
            )
        self._name, self._mode, self._encoding = name, mode, encoding
        coding, end = (None, None) if "b" in mode else (encoding, "\n")
        with translated(name):
            self._file: Any = open(text(name), mode, encoding=coding, newline=end)

    @property
    def name(self) -> Any:
        r"""The path that it was opened by.

        >>> with tf.io.gfile.GFile('lines.txt', 'w') as file:
        ...     file.write('one\ntwo\n')
        >>> file.name
        'lines.txt'
        """
        return self._name

    @property
    def mode(self) -> str:
        r"""How it was opened.

        >>> with tf.io.gfile.GFile('lines.txt', 'w') as file:
        ...     file.write('one\ntwo\n')
        >>> file.mode
        'w'
        """
        return self._mode

    def next(self) -> Any:
        r"""The next line; StopIteration where nothing is left.

        >>> with tf.io.gfile.GFile('lines.txt', 'w') as file:
        ...     file.write('one\ntwo\n')
        >>> file = tf.io.gfile.GFile('lines.txt')
        >>> file.next()
        'one\n'
        """
        return next(iter(self))

    # What is handed out must hold on to this object, not to the file alone, which __del__ closes.
    def read(self, n: int = -1) -> Any:
        r"""What is left, or at most `n` characters (bytes, of a file of bytes) of it.

        >>> with tf.io.gfile.GFile('lines.txt', 'w') as file:
        ...     file.write('one\ntwo\n')
        >>> file = tf.io.gfile.GFile('lines.txt')
        >>> file.read(3)
        'one'
        """
        with translated(self.name):
            return self._file.read(n)

    def readline(self) -> Any:
        r"""The next line with its end; empty where nothing is left.

        >>> tf.io.write_file('lines.txt', 'one\ntwo\n')
        >>> file = tf.io.gfile.GFile('lines.txt')
        >>> file.readline()
        'one\n'
        """
        with translated(self.name):
            line = self._file.readline()
        return line.replace("\r", "") if isinstance(line, str) else line

    def readlines(self) -> list[Any]:
        r"""The lines that are left.

        >>> tf.io.write_file('lines.txt', 'one\ntwo\n')
        >>> file = tf.io.gfile.GFile('lines.txt')
        >>> file.readlines()
        ['one\n', 'two\n']
        """
        return [*self]

    def write(self, file_content: Any) -> None:
        """Write text or bytes, whatever the mode.

        >>> with tf.io.gfile.GFile('written', 'w') as file:
        ...     file.write('text')
        >>> tf.io.read_file('written').numpy()
        b'text'
        """
        with translated(self.name):
            if "b" in self.mode and isinstance(file_content, str):
                self._file.write(file_content.encode(self._encoding))
            elif "b" not in self.mode and isinstance(file_content, bytes):
                self._file.flush()
                self._file.buffer.write(file_content)
            else:
                self._file.write(file_content)

    def tell(self) -> int:
        r"""The place where reading or writing goes on.

        >>> tf.io.write_file('lines.txt', 'one\ntwo\n')
        >>> file = tf.io.gfile.GFile('lines.txt')
        >>> line, place = file.readline(), file.tell()
        >>> place
        4
        """
        return self._file.tell()

    def flush(self) -> None:
        """Hand what was written to the file system.

        >>> file = tf.io.gfile.GFile('flushed', 'w')
        >>> file.write('text')
        >>> file.flush()
        >>> tf.io.read_file('flushed').numpy()
        b'text'
        """
        self._file.flush()

    def close(self) -> None:
        """Write what is left to write; nothing can be read or written then.

        >>> file = tf.io.gfile.GFile('closed', 'w')
        >>> file.write('text')
        >>> file.close()
        >>> tf.io.read_file('closed').numpy()
        b'text'
        """
        self._file.close()

    def size(self) -> int:
        r"""How many bytes there are.

        >>> tf.io.write_file('lines.txt', 'one\ntwo\n')
        >>> file = tf.io.gfile.GFile('lines.txt')
        >>> file.size()
        8
        """
        self._file.flush()
        return os.fstat(self._file.fileno()).st_size

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        r"""Go on reading at another place; `position` is what `offset` was called before.

        >>> tf.io.write_file('lines.txt', 'one\ntwo\n')
        >>> file = tf.io.gfile.GFile('lines.txt')
        >>> file.seek(4)
        >>> file.read()
        'two\n'

        Raises:
            TypeError: neither is said.
            InvalidArgumentError: the place is negative, or there is no such `whence`.
            OutOfRangeError: the file ends before; it is at its end now.
            PermissionDeniedError: it is not open for reading.
        """
        offset = position if offset is None else offset
        if offset is None:
            raise TypeError("seek(): offset argument required")
        if not self._file.readable():
            raise PermissionDeniedError(f"{self.name}; the file is not open for reading")
        bases = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self.size()}
        if whence not in bases:
            raise InvalidArgumentError(f"whence must be 0, 1 or 2, not {whence}")
        place, end = bases[whence] + offset, bases[os.SEEK_END]  # from 0: text takes no other
        if place < 0:
            raise InvalidArgumentError(f"a place in a file is not negative: {place}")
        with translated(self.name):
            self._file.seek(min(place, end))
        if place > end:
            raise OutOfRangeError(f"{self.name} ends at {end}, before {place}")

    def seekable(self) -> bool:
        """True: `seek` works on all files.

        >>> tf.io.gfile.GFile("notes.txt", "w").seekable()
        True
        """
        return True

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if line := self.readline():
            return line
        raise StopIteration

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __del__(self) -> None:
        file = self.__dict__.get("_file")
        if file is not None:
            file.close()
