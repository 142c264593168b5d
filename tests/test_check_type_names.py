#!/usr/bin/env python3
"""Tests tests/check_type_names.py on small trees: a type that is defined twice is reported, and nothing else."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent / "check_type_names.py"


def check(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, CHECK, root], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


@unittest.skipUnless(shutil.which("ctags"), "universal-ctags is not installed")
class CheckTypeNames(unittest.TestCase):
    def test_twice(self):
        for kind in ("struct A { int a; };", "class A { int a; };", "enum class A { a };", "union A { int a; };"):
            for other in ("lib/b/b.cpp", "kernels/b.cuh", "tools/b.cu"):
                code, text = check({"lib/a/a.hpp": f"namespace n {{\n{kind}\n}}", other: f"namespace n {{ {kind} }}"})
                self.assertEqual(code, 1, kind)
                self.assertIn("n::A is defined at", text)
                self.assertIn("lib/a/a.hpp:2", text)

    def test_once(self):
        for other in ("namespace n { namespace { struct A { int a; }; } }", "namespace m { struct A { int a; }; }",
                      "namespace n { struct B { struct A { int a; }; }; }", "namespace n { struct A; }"):
            self.assertEqual(check({"lib/a/a.hpp": "namespace n { struct A { int a; }; }", "lib/b/b.cpp": other}), (0, ""))

    def test_nothing(self):
        self.assertEqual(check({"lib/a/a.hpp": "int a();"})[0], 1)


if __name__ == "__main__":
    unittest.main()
