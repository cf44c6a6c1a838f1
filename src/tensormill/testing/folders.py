"""`tf.compat.v1.test.get_temp_dir`: where tests may write, and where their files are."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache


@cache
def get_temp_dir() -> str:
    """One folder for all tests of the process, which is deleted when that ends.

    >>> import os
    >>> os.path.isdir(tf.compat.v1.test.get_temp_dir())
    True
    """
    folder = tempfile.mkdtemp(prefix="tests-", dir=os.environ.get("TEST_TMPDIR"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def test_src_dir_path(relative_path: str) -> str:
    """A path below the folder that the environment describes by TEST_SRCDIR and TEST_WORKSPACE.

    >>> import os
    >>> os.environ |= {"TEST_SRCDIR": "/src", "TEST_WORKSPACE": "org_tensorflow"}
    >>> tf.compat.v1.test.test_src_dir_path("core")
    '/src/org_tensorflow/tensorflow/core'

    Raises:
        KeyError: the environment does not say where that is.
    """
    workspace = os.environ["TEST_WORKSPACE"]
    return os.path.join(os.environ["TEST_SRCDIR"], workspace, "tensorflow", relative_path)
