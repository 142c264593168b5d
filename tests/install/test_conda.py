"""The recipe of workflows/conda: rendered, compared with what CMake looks for; its test commands on an installed tree.

conda-build itself is not run: a build needs conda's channels.
"""
import os
import re
import unittest

try:
    import jinja2
    import yaml
except ImportError as error:
    jinja2, yaml = None, error.name

import support

RECIPE = support.ROOT / "workflows/conda/basesweep"
CMAKE = (support.ROOT / "CMakeLists.txt").read_text()
# What CMakeLists.txt looks for, and its packages on conda-forge and Bioconda; None: it comes with the compiler, or the recipe does
# not build what needs it (the Python package).
PACKAGES = {"TBB": "tbb-devel", "fmt": "fmt", "nlohmann_json": "nlohmann_json", "CLI11": "cli11",
            "htslib": "htslib", "isal": "isa-l", "BZip2": "bzip2", "liblzma": "liblzma-devel", "libzstd": "zstd", "PkgConfig": "pkg-config",
            "Threads": None, "Python": None}
PLATFORMS = {"linux-64": {"linux": True, "linux64": True, "osx": False, "win": False, "aarch64": False, "x86": True},
             "linux-aarch64": {"linux": True, "linux64": False, "osx": False, "win": False, "aarch64": True, "x86": False},
             "osx-64": {"linux": False, "linux64": False, "osx": True, "win": False, "aarch64": False, "x86": True}}


def selected(text, platform):
    """Returns the lines that apply on the platform: without a selector, or with one that is true there."""
    for line in text.splitlines():
        found = re.search(r"#\s*\[(.+)\]\s*$", line)
        if not found or eval(found.group(1), {"__builtins__": {}}, PLATFORMS[platform]):  # pylint: disable=eval-used
            yield line


def rendered(platform="linux-64"):
    """Returns meta.yaml as conda-build reads it for the platform, with one value for each variant."""
    config = yaml.safe_load((RECIPE / "conda_build_config.yaml").read_text())
    variants = {key: values[0] for key, values in config.items()}
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    text = environment.from_string("\n".join(selected((RECIPE / "meta.yaml").read_text(), platform))).render(
        compiler=lambda language: {"cxx": "gxx", "cuda": variants["cuda_compiler"]}[language] + "_" + platform,
        stdlib=lambda language: {"c": "sysroot_" + platform}[language],
        pin_subpackage=lambda name, max_pin: f"{name} {max_pin}", **variants)
    return yaml.safe_load(text)


class Recipe(support.Case):
    @classmethod
    def setUpClass(cls):
        if not jinja2:
            raise unittest.SkipTest(f"no {yaml} for Python")
        cls.recipe = rendered()
        cls.version = support.version("conda")

    def names(self, section):
        return [requirement.split()[0] for requirement in self.recipe["requirements"].get(section, [])]

    def test_it_is_of_this_version_and_for_linux(self):
        self.assertEqual(self.recipe["package"], {"name": "basesweep", "version": self.version})
        tag = support.version()
        self.assertTrue(self.recipe["source"]["url"].endswith(f"/v{tag}/basesweep-{tag}.tar.gz"), self.recipe["source"]["url"])
        self.assertRegex(self.recipe["source"]["sha256"], "^[0-9a-f]{64}$")
        self.assertEqual({platform: rendered(platform)["build"].get("skip", False) for platform in PLATFORMS},
                         {"linux-64": False, "linux-aarch64": False, "osx-64": True})
        self.assertEqual(self.recipe["extra"]["additional-platforms"], ["linux-aarch64"])  # Bioconda builds for x86-64 anyway

    def test_it_has_what_the_build_looks_for(self):
        sought = set(re.findall(r"^ *find_package\((\w+)", CMAKE, re.M))
        sought |= set(re.findall(r"^ *find_library\(\w+ (\w+)", CMAKE, re.M))
        sought |= set(re.findall(r"^pkg_check_modules\(.*IMPORTED_TARGET (\w+)\)", CMAKE, re.M))
        self.assertEqual(sought, set(PACKAGES), "CMakeLists.txt looks for other things than this test knows")
        there = set(self.names("build") + self.names("host"))
        self.assertEqual({PACKAGES[name] for name in sought} - {None} - there, set())

    def test_cuda_is_for_the_build_only(self):
        self.assertEqual([name for name in self.names("run") if name.startswith("cu")], [])
        # Packages would otherwise add others to the run-time requirements.
        asking = {name for name in self.names("build") + self.names("host") if name.startswith("cuda")}
        asking -= {"cuda-version", "cuda-cccl"}
        self.assertEqual(asking, set(self.recipe["build"]["ignore_run_exports_from"]))

    def test_its_commands_pass(self):
        prefix = self.folder / "prefix"
        self.succeeds(support.run("cmake", "--install", support.BUILD, "--strip", "--prefix", prefix))
        (self.folder / "run_test.sh").write_text("\n".join(["set -ex", *self.recipe["test"]["commands"]]))
        self.succeeds(support.run("bash", "run_test.sh", cwd=self.folder,
                                  env={**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}))

    def test_its_script_is_bash(self):
        self.succeeds(support.run("bash", "-n", RECIPE / "build.sh"))

    def test_it_packs_the_licences(self):
        for name in self.recipe["about"]["license_file"]:
            self.assertTrue((support.ROOT / name).is_file(), name)

    def test_workflows_name_this_version(self):
        workflows = support.ROOT / "workflows"
        files = [*(workflows / "nextflow/modules").rglob("environment.yml"), *(workflows / "snakemake/wrappers").rglob("environment.yaml")]
        modules = [*(workflows / "nextflow/modules").rglob("main.nf"), *(workflows / "snakemake/wrappers").rglob("wrapper.py")]
        self.assertEqual({path.parent for path in files}, {path.parent for path in modules})
        self.assertTrue(files)
        for path in files:
            with self.subTest(path.relative_to(support.ROOT)):
                self.assertRegex(path.read_text(), rf"basesweep ?={re.escape(self.version)}\n")

    def test_snapshots_name_this_version(self):
        """Snapshots of nf-test hold the version that the modules print."""
        files = sorted((support.ROOT / "workflows/nextflow").rglob("*.nf.test.snap"))
        self.assertGreater(len(files), 11)
        for path in files:
            with self.subTest(path.relative_to(support.ROOT)):
                self.assertEqual(set(re.findall(r'"basesweep"[,:]\s*"([^"]+)"', path.read_text())), {support.version()})
