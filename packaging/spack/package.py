# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipe for Spack: put it into packages/regdem/ of a repository of yours, then
`spack dev-build regdem@0.1.0` in the project's folder."""

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Regdem(CMakePackage):
    """Plugin of clang that moves excess registers of CUDA kernels to shared memory
    where that is predicted to be faster. clang loads lib/RegDem.so with
    -fpass-plugin."""

    license("Apache-2.0 WITH LLVM-exception")

    # No release has been published yet: build from a checkout (spack dev-build).
    version("0.1.0")

    variant("cuda", default=True, description="CUDA's ptxas for choices")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    # The plugin and clang share one libLLVM.
    depends_on("llvm@22 +clang +llvm_dylib +link_llvm_dylib targets=nvptx", type=("build", "link", "run"))
    depends_on("cuda@13:", type="run", when="+cuda")

    conflicts("platform=darwin", msg="RegDem is for Linux")
    conflicts("platform=windows", msg="RegDem is for Linux")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("LLVM_DIR", self.spec["llvm"].prefix.lib.cmake.llvm),
            self.define("REGDEM_BUILD_TESTS", False),
            self.define("REGDEM_BUILD_BENCHMARKS", False),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.join("regdem-opt"))("--version")
