"""The .tar.gz of scripts/bundle.sh: it is complete, and the program runs in any folder of a system with nothing but glibc.

With BASESWEEP_BUILD=build/old-glibc that of scripts/old_glibc.sh, which has all libraries inside the program. With BASESWEEP_RELEASED the
archive in that folder, otherwise one that the test makes of the build folder.
"""
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import support

# Runs a command in a root as nobody. The loader needs /proc to find the program's folder and so its libraries, where it has some.
WITHOUT_PROC = """{ mount --bind -o ro "$0" "$0" && mount -t tmpfs none "$0/tmp" && cd "$0"; } || exit 99
                  exec chroot --userspec=65534:65534 . "$@" """
INSIDE = WITHOUT_PROC.replace("&& cd", '&& mount --bind /proc "$0/proc" && cd')
PLACE = "opt/another place/of its own"  # has spaces, and is not the folder it was made in


def bare_root(folder):
    """Makes a root with the files of the C library and links to their folders, and nothing else, not even a shell."""
    listed = support.run("dpkg", "-L", "libc6").stdout.split()
    for path in map(pathlib.Path, listed):
        if path.is_dir() or not str(path).startswith(("/lib", "/usr/lib")):
            continue
        copy = folder / path.relative_to("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy, follow_symlinks=False)
    for name in ("lib", "lib64"):  # for packages that name their files below /usr
        if not (folder / name).exists():
            (folder / name).symlink_to(f"usr/{name}")
    return folder


class Bundle(support.Case):
    @classmethod
    def setUpClass(cls):
        support.need("patchelf", "ldd")
        made = support.RELEASED
        if not made:
            made = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-bundle."))
            cls.addClassCleanup(shutil.rmtree, made)
            done = support.run("scripts/bundle.sh", "--built", support.BUILD, "--output", made)
            if done.returncode != 0:
                raise AssertionError(f"bundle.sh: {done.stdout}{done.stderr}")
        cls.archive, = made.glob("basesweep-*-linux-*.tar.gz")
        cls.all_inside = bool(support.cached("BASESWEEP_LICENCES"))  # cmake/OldGlibc.cmake

    def unpack(self, folder):
        """Unpacks the archive into a folder and returns its only top folder."""
        folder.mkdir(parents=True)
        with tarfile.open(self.archive) as tar:
            tar.extractall(folder)
        unpacked, = folder.iterdir()
        return unpacked

    def search(self, program, *before, **options):
        """Runs the small search without environment variables and returns its output."""
        done = subprocess.run([*before, str(program), *support.SEARCH], input=support.FASTA, capture_output=True,
                              env={}, timeout=support.SECONDS, check=False,
                              text=True, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_files(self):
        with tarfile.open(self.archive) as tar:
            members = tar.getmembers()
        top, = {member.name.split("/")[0] for member in members}
        version = support.cached("BASESWEEP_VERSION")
        self.assertEqual(top, f"basesweep-{version}-linux-{os.uname().machine}")
        found = [member.name[len(top) + 1:] for member in members if not member.isdir()]
        wanted = ("bin/basesweep", "share/licences/basesweep", "share/doc/basesweep/LICENSE",
                  "share/zsh/site-functions/_basesweep", *support.DOCUMENTS, *support.PAGES, *support.COMPLETIONS)
        self.assertEqual([name for name in wanted if name not in found], [], found)
        self.assertEqual([name for name in found if name.startswith("bin/")], ["bin/basesweep"])
        self.assertEqual([name for name in found if not name.startswith(("bin/", "lib/", "share/"))], [])
        self.assertTrue(any(name.startswith("share/licences/libhts3") for name in found), found)
        libraries = [name for name in found if name.startswith("lib/")]
        if self.all_inside:
            self.assertEqual(libraries, [])
        else:
            self.assertTrue(any("libhts.so" in name for name in libraries), libraries)
        self.assertFalse(any(word in name for name in libraries for word in ("libc.so", "ld-linux", "cuda")), libraries)
        self.assertEqual({(member.uid, member.gid) for member in members}, {(0, 0)})

    def test_moved(self):
        unpacked = self.unpack(self.folder / PLACE)
        self.assertIn("\nProblems\n  none\n", self.succeeds(support.run(unpacked / "bin/basesweep", "doctor", "--device", "cpu",
                                                                         cwd="/", env={})))
        self.assertEqual(self.search(unpacked / "bin/basesweep", cwd="/"), support.BED)
        link = self.folder / "linked"
        link.symlink_to(unpacked / "bin/basesweep")
        self.assertEqual(self.search(link, cwd="/"), support.BED)

    def test_bare_root(self):
        """Runs as nobody in a read-only root that has no library but glibc."""
        if os.geteuid() != 0:
            raise unittest.SkipTest("not root, so no chroot")
        support.need("dpkg", "unshare")
        root = bare_root(self.folder)
        root.chmod(0o755)
        for name in ("proc", "tmp"):
            (root / name).mkdir()
        unpacked = self.unpack(root / PLACE)
        program = "/" / (unpacked / "bin/basesweep").relative_to(root)
        inside = ("/usr/bin/unshare", "--mount", "/bin/sh", "-c", WITHOUT_PROC if self.all_inside else INSIDE, root)
        if subprocess.run([*inside, program, "--version"], env={}, stderr=subprocess.PIPE, check=False).returncode == 99:
            self.skipTest("mounting is not permitted")
        self.assertEqual(self.search(program, *inside), support.BED)
        for data in support.DATA:
            shutil.copy(data, root)
        found = subprocess.run([*inside, program, *support.lambda_job("")], env={}, capture_output=True, check=False, text=True)
        self.assertEqual(self.succeeds(found), support.lambda_hits())
        checked = subprocess.run([*inside, program, "doctor", "--device", "cpu"], env={}, capture_output=True, check=False, text=True)
        self.assertIn("\nProblems\n  none\n", self.succeeds(checked))

        if self.all_inside:
            return
        # The root is bare: without the libraries of the archive the program does not start.
        shutil.rmtree(unpacked / "lib")
        done = subprocess.run([*inside, program, "--version"], env={}, capture_output=True, check=False, text=True)
        self.assertEqual(done.returncode, 127, done)
        self.assertIn("error while loading shared libraries", done.stderr)
