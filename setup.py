"""Kernel list and compiler directives; everything else is in pyproject.toml."""

import os

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = [
    "best", "bm25", "budget", "classify", "convolve", "densest", "diversify", "evidence", "features", "fuse", "linear",
    "offers", "pack", "passages", "pool", "rank", "reasons", "scan", "sieve", "signals", "tokens", "vectors",
    "vocabulary", "words",
]  # fmt: skip

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}

MEMORYVIEWS = "brain_core.kernels._memoryviews"
"""What Cython makes for any kernel with a memoryview, once for all: it was two thirds of what was compiled."""

NO_DEBUG_INFO = "-g0"  # it was nine tenths of a wheel

extensions = [
    Extension(
        f"brain_core.kernels.{name}",
        [f"brain_core/kernels/{name}.pyx"],
        include_dirs=[numpy.get_include()],
        depends=[f"brain_core/kernels/{name}.h" for name in ("order", "postings", "products", "scan", "sliding")],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=["-O3", "-std=c++17", "-ffp-contract=off", NO_DEBUG_INFO],
        language="c++",
    )
    for name in KERNELS
]
extensions.append(Extension(MEMORYVIEWS, ["brain_core/kernels/_memoryviews.c"], extra_compile_args=[NO_DEBUG_INFO]))

CORES = os.cpu_count() or 1

kernels = cythonize(  # type: ignore[no-untyped-call]
    extensions,
    build_dir="build/cython",
    compiler_directives=DIRECTIVES,
    nthreads=CORES,
    shared_utility_qualified_name=MEMORYVIEWS,
)

setup(ext_modules=kernels, options={"build_ext": {"parallel": CORES}})
