"""The image of workflows/container: podman builds its final stage and runs it without network, as several users.

The stage `build` of the Dockerfile is replaced by what `cmake --install` gives of the build under test, and its base by
the clean Debian root, so no registry is asked. All other instructions are those that users get. What the stage `build`
is given is configured, and not compiled.
"""
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import debian_root
import support

FOLDER = support.ROOT / "workflows/container"
BASE, IMAGE = "localhost/debian:bookworm-slim", "localhost/basesweep:test"
CMAKE = (support.ROOT / "CMakeLists.txt").read_text()


def missing():
    """Returns the reason why no image can be built and run here, or None."""
    absent = [name for name in ("podman", "runc") if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")]
    if absent:
        return f"no {', '.join(absent)}"
    if debian_root.codename() != "bookworm":
        return "the image is of Debian 12, and the program was not built there"
    return debian_root.missing()


def must(*command, **options):
    done = support.run(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


class Image(support.Case):
    @classmethod
    def setUpClass(cls):
        reason = missing()
        if reason:
            raise unittest.SkipTest(reason)
        root, reason = debian_root.tarball()
        if reason:
            raise unittest.SkipTest(reason)
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-container.", dir=debian_root.scratch()))
        cls.addClassCleanup(shutil.rmtree, scratch)
        # Its own image store, and settings that work without systemd, overlayfs and a network bridge
        cls.podman = ["podman", f"--root={scratch}/images", f"--runroot={scratch}/run", f"--tmpdir={scratch}/tmp",
                      "--storage-driver=vfs", "--cgroup-manager=cgroupfs", "--events-backend=file", "--runtime=runc"]
        cls.data = scratch / "data"
        shutil.copytree(support.ROOT / "test-data", cls.data, ignore=shutil.ignore_patterns("corner"))
        cls.data.chmod(0o777)
        installed = scratch / "build/installed"
        must("cmake", "--install", support.BUILD, "--prefix", "/usr/local", "--strip", "--component", "program",
             env={**os.environ, "DESTDIR": str(installed)})
        cls.program = installed / "usr/local/bin/basesweep"
        must(*cls.podman, "import", "--quiet", root, BASE)
        must(*cls.podman, "build", "--isolation=chroot", "--network=host", f"--build-context=build={scratch}/build",
             f"--build-arg=BASE={BASE}", f"--file={FOLDER}/Dockerfile", f"--tag={IMAGE}", support.ROOT)
        cls.base, cls.image = json.loads(must(*cls.podman, "image", "inspect", BASE, IMAGE))

    def inside(self, *command, options=()):
        """Runs `podman run` with limits that root may set without CAP_SYS_RESOURCE."""
        limits = [f"--ulimit={name}=1024:1024" for name in ("nofile", "nproc")]
        return support.run(*self.podman, "run", "--rm", "--network=none", *limits, f"--volume={self.data}:/data",
                           *options, IMAGE, *command)

    def test_without_a_command_it_prints_help(self):
        self.assertEqual(self.succeeds(self.inside()), must(self.program, "--help"))

    def test_hits_are_those_of_the_program_outside(self):
        search = ["motif", "--device", "cpu", "-f", "motifs.fa", "lambda.fa.gz", "-o"]
        must(self.program, *search, "outside.bed", cwd=self.data)
        for name, owner, options in (("by_default", 1000, ()), ("read_only", 1000, ("--read-only",)),
                                     ("of_nextflow", 4242, ("--user=4242:4242", "--entrypoint="))):
            with self.subTest(name):
                self.succeeds(self.inside("basesweep", *search, f"{name}.bed", options=options))
                written = self.data / f"{name}.bed"
                self.assertEqual(written.read_bytes(), (self.data / "outside.bed").read_bytes())
                self.assertEqual(written.stat().st_uid, owner)

    def test_hits_that_wait_for_their_header_find_room(self):
        search = "basesweep match -p GGGCGGCGACCTCGCGGGTT -k 5 --device cpu --format sam"
        done = self.inside("bash", "-c", f"zcat lambda.fa.gz | {search}", options=("--read-only",))
        self.assertIn("@SQ\tSN:", self.succeeds(done))

    def test_it_has_bash_and_ps_and_is_not_root(self):
        said = self.succeeds(self.inside("bash", "-c", "id -u; ps -o comm= -p $$; pwd"))
        self.assertEqual(said.splitlines(), ["1000", "bash", "/data"])

    def test_no_compiler_and_no_cuda_library_is_in_it(self):
        found = self.inside("bash", "-c", "type -t bash gcc g++ cc c++ cmake nvcc python3; "
                            "find / -xdev \\( -name libhts.so.3 -o -name 'libcud*' -o -name 'libnvidia*' \\) -printf '%f\\n'")
        self.assertEqual(found.stdout, "file\nlibhts.so.3\n", found.stderr)  # finds bash and HTSlib, so the search works

    def test_a_gpu_that_is_not_there_is_told(self):
        done = self.inside("basesweep", "motif", "--device", "gpu", "-p", "GAATTC", "lambda.fa.gz")
        self.assertEqual((done.returncode, done.stdout), (75, ""), done.stderr)

    def test_what_the_image_says_of_itself(self):
        config = self.image["Config"]
        label = "org.opencontainers.image."
        self.assertEqual(config["Labels"][f"{label}version"], must(self.program, "--version").split()[-1])
        self.assertEqual(config["Labels"][f"{label}licenses"], "MIT")
        self.assertEqual((config["User"], config["Cmd"]), ("1000:1000", ["basesweep", "--help"]))
        self.assertFalse(config.get("Entrypoint"))
        self.assertLessEqual({"NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_DRIVER_CAPABILITIES=compute,utility"},
                             set(config["Env"]))
        print(f"{(self.image['Size'] - self.base['Size']) / 1e6:.0f} MB on top of its base", end=" ... ")


def tracked():
    listed = support.run("git", "ls-files", "-z")
    if listed.returncode != 0:
        raise unittest.SkipTest(f"git: {listed.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if name and (support.ROOT / name).is_file()]


def let_in():
    """Returns the files and folders that .dockerignore lets in."""
    return set(re.findall(r"^!(.+)$", (support.ROOT / ".dockerignore").read_text(), re.M))


def is_let_in(name):
    return any(name == allowed or name.startswith(f"{allowed}/") for allowed in let_in())


class Source(support.Case):
    """The stage `build` gets all files that it needs: .dockerignore and %files let in the same names and forget nothing."""

    def test_it_configures(self):
        support.need("cmake", "ninja")
        for name in filter(is_let_in, tracked()):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(support.ROOT / name, self.folder / name)
        self.succeeds(support.run("cmake", "--preset", "release", "-DBASESWEEP_CUDA=OFF", "-DBASESWEEP_TESTS=OFF",
                                  cwd=self.folder, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}))
        # the date of the man pages, for reproducible packages
        self.assertIn('BASESWEEP_DATE=\\"2023-11-14\\"', (self.folder / "build/release/build.ninja").read_text())

    def test_compilers_read_nothing_else(self):
        """The compilers read no other file for the product, by the dependencies that they gave ninja."""
        support.need("ninja")
        known = support.run("ninja", "-C", support.BUILD, "-t", "deps")
        read, ours = set(), False
        for line in known.stdout.splitlines():
            if not line.startswith(" "):
                ours = line.startswith(("CMakeFiles/", "lib/", "kernels/", "tools/"))
            elif ours:
                path = (support.BUILD / line.strip()).resolve()
                if support.ROOT in path.parents and support.BUILD not in path.parents:
                    read.add(str(path.relative_to(support.ROOT)))
        if "tools/basesweep.cpp" not in read:
            self.skipTest(f"{support.BUILD} was not built by ninja from this checkout")
        strange = sorted(name for name in read if not is_let_in(name) and not name.startswith(".deps/"))
        self.assertEqual(strange, [])


class Files(unittest.TestCase):
    """Facts that stand in several files agree."""

    def setUp(self):
        self.dockerfile = (FOLDER / "Dockerfile").read_text()
        self.definition = (FOLDER / "basesweep.def").read_text()

    def test_the_definition_takes_the_steps_of_the_dockerfile(self):
        for pattern in (r"--no-install-recommends \\\s+([a-z0-9.+ -]+)", r"(cmake --build .*--target \w+)",
                        r"(cmake --install .*--component \w+)", r"image\.version[= \"]+([\w.-]+)"):
            with self.subTest(pattern):
                found = re.search(pattern, self.dockerfile).group(1).strip()
                self.assertEqual(re.search(pattern, self.definition).group(1).strip(), found)

    def test_all_sources_go_in_and_nothing_else(self):
        left_out = {"CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "mkdocs.yml", "pyproject.toml", "python", "test-data", "tests",
                    "workflows"}
        sources = {name.split("/")[0] for name in tracked() if not name.startswith(".")} - left_out
        self.assertEqual(let_in(), sources)
        copied = re.findall(r"^  (\S+) /source/(\S*)$", self.definition, re.M)
        self.assertEqual({name for name, _ in copied}, sources)
        for name, folder in copied:  # each keeps its path
            self.assertEqual(folder, name[:name.rfind("/") + 1])

    def test_workflows_name_one_image_of_this_version(self):
        named = {}
        for path in sorted((support.ROOT / "workflows").rglob("*")):
            if path.suffix in (".nf", ".config", ".json", ".cwl", ".wdl"):
                for tag in re.findall(r"/basesweep:([\w.-]+)", path.read_text()):
                    named.setdefault(tag, []).append(path.name)
        self.assertEqual(len(named), 1, named)
        self.assertRegex(list(named)[0], rf"^{re.escape(support.version('conda'))}--\w+$")
