"""The image of workflows/container: its final stage is built by podman and run, without network, as nobody in particular.

The stage `build` of the Dockerfile is replaced by what `cmake --install` gives of the build under test, and its base by the
clean Debian root: no registry is asked. All other instructions are those that users get.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import debian_root

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BASESWEEP_BUILD") or ROOT / "build/dev").resolve()
FOLDER = ROOT / "workflows/container"
DATA = ROOT / "test-data"
BASE, IMAGE = "localhost/debian:bookworm-slim", "localhost/basesweep:test"
PATH = os.environ["PATH"] + ":/usr/sbin"
SECONDS = 300  # no call takes longer


def call(*command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=SECONDS, check=False, universal_newlines=True, **options)


def must(*command, **options):
    done = call(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def missing():
    """Why no image can be built and run here, or None."""
    absent = [program for program in ("podman", "runc") if not shutil.which(program, path=PATH)]
    if absent:
        return f"no {' and no '.join(absent)}"
    if debian_root.codename() != "bookworm":
        return "the image is of Debian 12, and this program was built elsewhere"
    return debian_root.missing()


def debian_packages(text):
    """What the apt-get install of a Dockerfile or definition names."""
    return re.search(r"--no-install-recommends \\\s+([a-z0-9.+ -]+)", text).group(1).split()


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = missing()
        if reason:
            raise unittest.SkipTest(reason)
        tar, reason = debian_root.tarball()
        if reason:
            raise unittest.SkipTest(reason)
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-container.", dir=debian_root.scratch()))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        # An own store of images, and what a machine without systemd, overlayfs or a bridge can do.
        cls.podman = ["podman", f"--root={cls.scratch}/images", f"--runroot={cls.scratch}/run",
                      f"--tmpdir={cls.scratch}/tmp", "--storage-driver=vfs", "--cgroup-manager=cgroupfs",
                      "--events-backend=file", "--runtime=runc"]
        cls.data = cls.scratch / "data"
        shutil.copytree(DATA, cls.data, ignore=shutil.ignore_patterns("corner"))
        cls.data.chmod(0o777)
        installed = cls.scratch / "build/installed"
        must("cmake", "--install", BUILD, "--prefix", "/usr/local", "--strip", "--component", "program",
             env={**os.environ, "DESTDIR": str(installed)})
        cls.program = installed / "usr/local/bin/basesweep"
        must(*cls.podman, "import", "--quiet", tar, BASE)
        must(*cls.podman, "build", "--isolation=chroot", "--network=host", f"--build-context=build={cls.scratch}/build",
             f"--build-arg=BASE={BASE}", f"--file={FOLDER}/Dockerfile", f"--tag={IMAGE}", ROOT)
        cls.image = json.loads(must(*cls.podman, "image", "inspect", IMAGE))[0]

    def run_in(self, *command, options=()):
        limits = [f"--ulimit={name}={number}:{number}" for name, number in (("nofile", 1024), ("nproc", 1024))]
        return call(*self.podman, "run", "--rm", "--network=none", *limits, f"--volume={self.data}:/data", *options,
                    IMAGE, *command)

    def test_without_a_command_it_prints_help(self):
        done = self.run_in()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, must(self.program, "--help"))

    def test_hits_are_those_of_the_program_outside(self):
        search = ["motif", "--device", "cpu", "-f", "motifs.fa", "lambda.fa.gz", "-o"]
        must(self.program, *search, "outside.bed", cwd=self.data)
        for name, options in (("nobody_in_particular", ()), ("read_only", ("--read-only",)),
                              ("of_nextflow", ("--user=4242:4242", "--workdir=/data", "--entrypoint="))):
            with self.subTest(name):
                done = self.run_in("basesweep", *search, f"{name}.bed", options=options)
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                written = self.data / f"{name}.bed"
                self.assertEqual(written.read_bytes(), (self.data / "outside.bed").read_bytes())
                self.assertEqual(written.stat().st_uid, 4242 if name == "of_nextflow" else 1000)

    def test_a_bam_of_standard_input_has_room_for_its_temporary_files(self):
        done = self.run_in("bash", "-c", "zcat lambda.fa.gz | basesweep match -p GGGCGGCGACCTCGCGGGTT -k 5 --device cpu --format bam "
                           "-o from_pipe.bam", options=("--read-only",))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.data / "from_pipe.bam").read_bytes()[:2], b"\x1f\x8b")

    def test_nextflow_finds_bash_and_ps_and_a_user_that_is_not_root(self):
        done = self.run_in("bash", "-c", "id -u; ps -o comm= -p $$; pwd")
        self.assertEqual(done.stdout.splitlines(), ["1000", "bash", "/data"], done.stderr)

    def test_no_compiler_and_no_cuda_library_is_in_it(self):
        done = self.run_in("bash", "-c", "type -t gcc g++ cc c++ cmake nvcc python3; "
                           "find / -xdev -name 'libcud*' -o -xdev -name 'libnvidia*'")
        self.assertEqual(done.stdout, "")

    def test_a_gpu_that_is_not_there_is_told(self):
        done = self.run_in("basesweep", "motif", "--device", "gpu", "-p", "GAATTC", "lambda.fa.gz")
        self.assertEqual((done.returncode, done.stdout), (75, ""), done.stderr)

    def test_what_the_image_says_of_itself(self):
        config = self.image["Config"]
        version = must(self.program, "--version").split()[-1]
        self.assertEqual(config["Labels"]["org.opencontainers.image.version"], version)
        self.assertEqual(config["Labels"]["org.opencontainers.image.licenses"], "MIT")
        self.assertEqual(config["User"], "1000:1000")
        self.assertEqual(config["Cmd"], ["basesweep", "--help"])
        self.assertFalse(config.get("Entrypoint"))
        self.assertIn("NVIDIA_VISIBLE_DEVICES=all", config["Env"])
        self.assertIn("NVIDIA_DRIVER_CAPABILITIES=compute,utility", config["Env"])
        base = json.loads(must(*self.podman, "image", "inspect", BASE))[0]
        print(f"image: {(self.image['Size'] - base['Size']) / 1e6:.0f} MB on top of its base", end=" ... ")


class Files(unittest.TestCase):
    """What is written in several places is the same in all."""

    def test_the_definition_takes_the_steps_of_the_dockerfile(self):
        docker, definition = (FOLDER / "Dockerfile").read_text(), (FOLDER / "basesweep.def").read_text()
        self.assertEqual(debian_packages(definition), debian_packages(docker))
        self.assertEqual(re.findall(r"image\.version[= ]\"?([\d.]+)", definition),
                         re.findall(r"image\.version[= ]\"?([\d.]+)", docker))
        for step in ("scripts/setup.sh", "cmake --build build/release", "cmake --install build/release --strip --component program"):
            self.assertIn(step, docker)
            self.assertIn(step, definition)

    def test_all_sources_go_in_and_nothing_else(self):
        left_out = {"CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "test-data", "tests", "workflows"}
        tracked = call("git", "-C", ROOT, "ls-tree", "--name-only", "HEAD")
        if tracked.returncode != 0:
            self.skipTest(f"git: {tracked.stderr.strip()}")
        sources = {name for name in tracked.stdout.split() if not name.startswith(".")} - left_out
        self.assertEqual(set(re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)), sources)
        definition = (FOLDER / "basesweep.def").read_text()
        self.assertEqual(set(re.findall(r"^  (\S+) /source/$", definition, re.MULTILINE)), sources)

    def test_workflows_name_one_image_of_this_version(self):
        version = re.search(r"^project\(basesweep VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
        named = {}
        for path in sorted((ROOT / "workflows/nextflow").rglob("*")):
            if path.suffix in (".nf", ".config", ".json"):
                for tag in re.findall(r"/basesweep:([\w.-]+)", path.read_text()):
                    named.setdefault(tag, []).append(path.name)
        self.assertEqual(list(named), [f"{version}--0"], named)


if __name__ == "__main__":
    unittest.main(verbosity=2)
