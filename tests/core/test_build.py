"""`tf.sysconfig` and libraries of other people's kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensormill as tf


def test_nothing_was_built_for_accelerators() -> None:
    assert {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False} == (
        tf.sysconfig.get_build_info()
    )
    assert [f"-I{tf.sysconfig.get_include()}", "-D_GLIBCXX_USE_CXX11_ABI=1", "--std=c++17"] == (
        tf.sysconfig.get_compile_flags()
    )
    assert [f"-L{tf.sysconfig.get_lib()}"] == tf.sysconfig.get_link_flags()


def test_kernels_in_machine_code_of_others_are_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    library = tmp_path / "ops.so"
    library.touch()

    assert None is tf.load_library(tmp_path / "empty")
    with pytest.raises(tf.errors.UnimplementedError, match=r"write the operation in Python"):
        tf.load_op_library(str(library))
    with pytest.raises(tf.errors.UnimplementedError, match=r"write the operation in Python"):
        tf.load_library(tmp_path)
    with pytest.raises(tf.errors.NotFoundError, match="nowhere"):
        tf.load_op_library("nowhere.so")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        tf.load_library("nowhere.so")
