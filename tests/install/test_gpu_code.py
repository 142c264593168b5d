"""scripts/gpu_code.sh: the program holds GPU code for the configured architectures; the check finds missing and extra ones.

The preset `release` promises more architectures than a test can compile everything for: one source is compiled for all.
"""
import json
import os
import re
import unittest

import support

# From Turing to Blackwell, and PTX of the last for later GPUs
RELEASE = "75-real;80-real;86-real;89-real;90-real;100-real;120"
SOURCE = "cuda/available.cu"  # of kernels/


def gpu_code(test, build):
    done = support.run("scripts/gpu_code.sh", build)
    if "cannot fetch cuobjdump" in done.stderr:
        test.skipTest(done.stderr.strip().splitlines()[-1])
    return done


class Release(support.Case):
    def test_preset_names_what_is_promised(self):
        presets = json.loads((support.ROOT / "CMakePresets.json").read_text())["configurePresets"]
        release, = (preset for preset in presets if preset["name"] == "release")
        self.assertEqual(release["cacheVariables"]["CMAKE_CUDA_ARCHITECTURES"], RELEASE)

    def test_a_source_is_compiled_for_all(self):
        support.need("cmake", "ninja")
        if support.cached("BASESWEEP_WITH_CUDA") != "ON":
            self.skipTest("built without CUDA")
        compiler = support.cached("BASESWEEP_NVCC") or support.cached("CMAKE_CUDA_COMPILER")
        build = self.folder / "build"
        self.succeeds(support.run("cmake", "--preset", "release", "-B", build, "-DBASESWEEP_CUDA=ON",
                                  "-DBASESWEEP_TESTS=OFF", env={**os.environ, "CUDACXX": compiler}))
        compiled = f"kernels/CMakeFiles/basesweep_kernels.dir/{SOURCE}.o"
        self.succeeds(support.run("cmake", "--build", build, "--target", compiled))
        (build / "basesweep").symlink_to(compiled)
        self.assertIn(f"GPU code of 1 sources for {RELEASE.replace(';', ' ')}: ", self.succeeds(gpu_code(self, build)))


class GpuCode(support.Case):
    @classmethod
    def setUpClass(cls):
        if support.cached("BASESWEEP_WITH_CUDA") != "ON":
            raise unittest.SkipTest("built without CUDA")
        cls.wanted = support.cached("CMAKE_CUDA_ARCHITECTURES")
        if not re.match(r"\d", cls.wanted):
            raise unittest.SkipTest(f"built for {cls.wanted}")

    def check(self, architectures):
        """Runs gpu_code.sh on a folder with this program and a CMakeCache.txt that says `architectures`."""
        (self.folder / "basesweep").unlink(missing_ok=True)
        (self.folder / "basesweep").symlink_to(support.BUILD / "basesweep")
        (self.folder / "CMakeCache.txt").write_text(
            f"BASESWEEP_WITH_CUDA:INTERNAL=ON\nCMAKE_CUDA_ARCHITECTURES:STRING={architectures}\n")
        return gpu_code(self, self.folder)

    def test_as_configured(self):
        done = gpu_code(self, support.BUILD)
        self.assertIn(f"for {self.wanted.replace(';', ' ')}: ", self.succeeds(done))

    def test_one_lacks(self):
        done = self.check(f"{self.wanted};103-real")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^< elf sm_103 \d+$")

    def test_ptx_lacks(self):
        done = self.check(f"{self.wanted};103-virtual")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^< ptx sm_103 \d+$")

    def test_one_is_more(self):
        done = self.check("103-real")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^> elf sm_\d+ \d+$")
