"""scripts/gpu_code.sh: the program holds GPU code for what it was configured for; the check sees what lacks and what is more."""
import re
import unittest

import support


class GpuCode(support.Case):
    @classmethod
    def setUpClass(cls):
        if support.cached("BASESWEEP_WITH_CUDA") != "ON":
            raise unittest.SkipTest("built without CUDA")
        cls.wanted = support.cached("CMAKE_CUDA_ARCHITECTURES")
        if not re.match(r"\d", cls.wanted):
            raise unittest.SkipTest(f"built for {cls.wanted}")

    def check(self, architectures):
        """gpu_code.sh on a folder that holds this program and was configured for `architectures`."""
        (self.folder / "basesweep").unlink(missing_ok=True)
        (self.folder / "basesweep").symlink_to(support.BUILD / "basesweep")
        (self.folder / "CMakeCache.txt").write_text(
            f"BASESWEEP_WITH_CUDA:INTERNAL=ON\nCMAKE_CUDA_ARCHITECTURES:STRING={architectures}\n")
        done = support.run("scripts/gpu_code.sh", self.folder)
        if "cannot fetch cuobjdump" in done.stderr:
            self.skipTest(done.stderr.strip().splitlines()[-1])
        return done

    def test_as_configured(self):
        done = support.run("scripts/gpu_code.sh", support.BUILD)
        if "cannot fetch cuobjdump" in done.stderr:
            self.skipTest(done.stderr.strip().splitlines()[-1])
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
