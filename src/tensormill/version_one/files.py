"""Files as `tf.compat.v1.gfile` has them: `tf.io.gfile` with other words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.files import gfile


def Copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """A file copied (`tf.io.gfile.copy`).

    >>> tf.io.write_file("a.txt", "text")
    >>> tf.compat.v1.gfile.Copy("a.txt", "b.txt")

    Raises:
        NotFoundError: there is no such file.
        AlreadyExistsError: there is one called `newpath`, and `overwrite` is False.
    """
    gfile.copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname: Any) -> None:
    """A folder removed, with all that is in it (`tf.io.gfile.rmtree`).

    >>> tf.compat.v1.gfile.MakeDirs("gone/inner")
    >>> tf.compat.v1.gfile.DeleteRecursively("gone")

    Raises:
        NotFoundError: there is no such folder.
    """
    gfile.rmtree(dirname)


def Exists(filename: Any) -> bool:
    """Whether there is a file or folder (`tf.io.gfile.exists`).

    >>> tf.compat.v1.gfile.Exists("nowhere")
    False

    Raises:
        TypeError: it is no path.
    """
    return gfile.exists(filename)


def Glob(filename: Any) -> list[str]:
    """The paths that match a pattern, or several (`tf.io.gfile.glob`).

    >>> tf.io.write_file("one.text", "")
    >>> tf.compat.v1.gfile.Glob("*.text")
    ['./one.text']

    Raises:
        TypeError: it is no path, or a list holds what is none.
    """
    return gfile.glob(filename)


def IsDirectory(dirname: Any) -> bool:
    """Whether there is a folder (`tf.io.gfile.isdir`).

    >>> tf.compat.v1.gfile.IsDirectory("nowhere")
    False

    Raises:
        TypeError: it is no path.
    """
    return gfile.isdir(dirname)


def ListDirectory(dirname: Any) -> list[str]:
    """What is in a folder (`tf.io.gfile.listdir`).

    >>> tf.compat.v1.gfile.MakeDirs("outer/inner")
    >>> tf.compat.v1.gfile.ListDirectory("outer")
    ['inner']

    Raises:
        NotFoundError: there is no such folder.
    """
    return gfile.listdir(dirname)


def MakeDirs(dirname: Any) -> None:
    """A folder made, and those that it is in (`tf.io.gfile.makedirs`).

    >>> tf.compat.v1.gfile.MakeDirs("made/inner")

    Raises:
        NotFoundError: it is empty.
        FailedPreconditionError: a file lies where a folder would be.
        PermissionDeniedError: the user may not do that.
    """
    gfile.makedirs(dirname)


def MkDir(dirname: Any) -> None:
    """A folder made (`tf.io.gfile.mkdir`).

    >>> tf.compat.v1.gfile.MkDir("folder")

    Raises:
        NotFoundError: the folder that it is to be in is not there.
    """
    gfile.mkdir(dirname)


def Remove(filename: Any) -> None:
    """A file removed (`tf.io.gfile.remove`).

    >>> tf.io.write_file("c.txt", "text")
    >>> tf.compat.v1.gfile.Remove("c.txt")

    Raises:
        NotFoundError: there is no such file.
    """
    gfile.remove(filename)


def Rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """A file or folder under another name (`tf.io.gfile.rename`).

    >>> tf.io.write_file("d.txt", "text")
    >>> tf.compat.v1.gfile.Rename("d.txt", "e.txt")

    Raises:
        NotFoundError: there is no such file.
        AlreadyExistsError: there is one called `newname`, and `overwrite` is False.
    """
    gfile.rename(oldname, newname, overwrite)


def Stat(filename: Any) -> Any:
    """What is known of a file (`tf.io.gfile.stat`).

    >>> tf.io.write_file("f.txt", "text")
    >>> tf.compat.v1.gfile.Stat("f.txt").length
    4

    Raises:
        NotFoundError: there is no such file.
    """
    return gfile.stat(filename)


def Walk(top: Any, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every folder below `top`, itself included, with what is in it (`tf.io.gfile.walk`).

    >>> tf.compat.v1.gfile.MakeDirs("top/inner")
    >>> list(tf.compat.v1.gfile.Walk("top"))
    [('top', ['inner'], []), ('top/inner', [], [])]

    Raises:
        TypeError: it is no path.
    """
    return gfile.walk(top, in_order)
