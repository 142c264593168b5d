"""The recipe of workflows/conda: rendered, compared with what the build looks for, its test commands run on an installed tree.

conda-build itself is not run: it comes from conda's channels only.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

try:
    import jinja2
    import yaml
except ImportError as error:
    raise unittest.SkipTest(f"no {error.name} (Debian: python3-jinja2, python3-yaml)")

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BASESWEEP_BUILD") or ROOT / "build/dev").resolve()
RECIPE = ROOT / "workflows/conda/basesweep"
CMAKE = (ROOT / "CMakeLists.txt").read_text()
# What CMakeLists.txt looks for, and the packages of conda-forge and Bioconda that have it
PACKAGES = {"TBB": "tbb-devel", "fmt": "fmt", "nlohmann_json": "nlohmann_json", "CLI11": "cli11", "seqan3": "seqan3",
            "htslib": "htslib", "isal": "isa-l", "PkgConfig": "pkg-config", "Threads": None}
SELECTORS = {"linux": True, "linux64": True, "osx": False, "win": False, "aarch64": False, "x86": True}


def selected(text):
    """Lines without a selector, and those whose selector holds on x86-64 Linux."""
    for line in text.splitlines():
        found = re.search(r"#\s*\[(.+)\]\s*$", line)
        if not found or eval(found.group(1), {"__builtins__": {}}, SELECTORS):  # pylint: disable=eval-used
            yield line


def rendered():
    """meta.yaml as conda-build reads it: variants, templates and selectors of x86-64 Linux; each variant has one value."""
    variants = {key: values[0] for key, values in yaml.safe_load((RECIPE / "conda_build_config.yaml").read_text()).items()}
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    text = environment.from_string("\n".join(selected((RECIPE / "meta.yaml").read_text()))).render(
        compiler=lambda language: {"cxx": "gxx", "cuda": variants["cuda_compiler"]}[language] + "_linux-64",
        stdlib=lambda language: {"c": "sysroot_linux-64"}[language],
        pin_subpackage=lambda name, max_pin: f"{name} {max_pin}", **variants)
    return yaml.safe_load(text)


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recipe = rendered()
        cls.version = re.search(r"^project\(basesweep VERSION ([\d.]+)", CMAKE, re.MULTILINE).group(1)

    def names(self, section):
        return [requirement.split()[0] for requirement in self.recipe["requirements"].get(section, [])]

    def test_it_is_of_this_version_and_x86_64_linux(self):
        self.assertEqual(self.recipe["package"], {"name": "basesweep", "version": self.version})
        self.assertIn(f"v{self.version}.tar.gz", self.recipe["source"]["url"])
        self.assertRegex(self.recipe["source"]["sha256"], "^[0-9a-f]{64}$")
        self.assertNotIn("skip", self.recipe["build"])
        SELECTORS["linux64"] = False
        self.addCleanup(SELECTORS.update, linux64=True)
        self.assertIs(rendered()["build"]["skip"], True)

    def test_it_has_what_the_build_looks_for(self):
        sought = set(re.findall(r"^find_package\((\w+)", CMAKE, re.MULTILINE))
        sought |= set(re.findall(r"^find_library\(\w+ (\w+)", CMAKE, re.MULTILINE))
        sought |= set(re.findall(r"^pkg_check_modules\(.*IMPORTED_TARGET (\w+)\)", CMAKE, re.MULTILINE))
        self.assertEqual(sought, set(PACKAGES), "CMakeLists.txt looks for other things than this test knows")
        self.assertEqual({PACKAGES[name] for name in sought} - {None} - set(self.names("build") + self.names("host")), set())

    def test_cuda_is_for_the_build_only(self):
        self.assertEqual([name for name in self.names("run") if "cu" in name], [])
        left_out = self.recipe["build"]["ignore_run_exports_from"]
        self.assertEqual([name for name in self.names("build") + self.names("host") if name.startswith("cuda") and
                          name not in [*left_out, "cuda-version", "cuda-cccl"]], [])  # these two ask for nothing at run time

    def test_its_commands_pass(self):
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-conda."))
        self.addCleanup(shutil.rmtree, scratch)
        prefix = scratch / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--strip", "--prefix", prefix], stdout=subprocess.DEVNULL, check=True)
        (scratch / "run_test.sh").write_text("\n".join(["set -ex", *self.recipe["test"]["commands"]]))
        done = subprocess.run(["bash", "run_test.sh"], cwd=scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120, check=False, universal_newlines=True,
                              env={**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "PREFIX": str(prefix)})
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_its_script_is_bash(self):
        subprocess.run(["bash", "-n", RECIPE / "build.sh"], check=True)

    def test_workflows_name_this_version(self):
        files = [*(ROOT / "workflows").rglob("environment.y*ml")]
        self.assertEqual(len(files), 10)
        for path in files:
            with self.subTest(path.relative_to(ROOT)):
                self.assertRegex(path.read_text(), rf"basesweep ?={re.escape(self.version)}\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
