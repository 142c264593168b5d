"""The Debian packages: their content, lintian, and in a clean root: install with apt, use, purge.

With BASESWEEP_RELEASED those in that folder, which scripts/package.sh has made, otherwise some that the test makes of the build folder.
"""
import gzip
import hashlib
import os
import pathlib
import shutil
import tempfile

import debian_root
import support
import test_library

if support.RELEASED:  # as scripts/package.sh does it
    MAINTAINER = f"{os.environ['DEBFULLNAME']} <{os.environ['DEBEMAIL']}>"
    SECOND = os.environ.get("SOURCE_DATE_EPOCH") or support.run("git", "log", "-1", "--format=%ct").stdout.strip()
    OPTIONS = ()
else:
    MAINTAINER = "A Tester <tester@basesweep.example.org>"
    SECOND = "1700000000"
    OPTIONS = ("-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
STATE = ("proc/", "sys/", "var/cache/", "var/lib/apt/", "var/lib/dpkg/", "var/log/", "etc/ld.so.cache", "tmp/")


def pack(folder):
    """Makes the packages of the build folder in `folder` and returns their paths."""
    done = support.run("cpack", "--config", support.BUILD / "CPackConfig.cmake", "-B", folder,
                       "-D", f"CPACK_DEBIAN_PACKAGE_MAINTAINER={MAINTAINER}", *OPTIONS, env={**os.environ, "SOURCE_DATE_EPOCH": SECOND})
    if done.returncode != 0:
        raise AssertionError(f"cpack: {done.stdout}{done.stderr}")
    return sorted(folder.glob("*.deb"))


class Deb(support.Case):
    @classmethod
    def setUpClass(cls):
        support.need("cpack", "dpkg-deb", "dpkg-shlibdeps", "file")
        if support.RELEASED:
            cls.packages = sorted(support.RELEASED.glob("*.deb"))
        else:
            made = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-deb."))
            cls.addClassCleanup(shutil.rmtree, made)
            cls.packages = pack(made)
        cls.program = next(path for path in cls.packages if path.name.startswith("basesweep_"))

    def fields(self, package):
        text = self.succeeds(support.run("dpkg-deb", "--field", package))
        return dict(line.split(": ", 1) for line in text.splitlines() if line and line[0] != " ")

    def test_fields(self):
        fields = self.fields(self.program)
        version = support.version("debian")
        self.assertEqual((fields["Package"], fields["Section"], fields["Priority"], fields["Maintainer"]),
                         ("basesweep", "science", "optional", MAINTAINER))
        self.assertEqual(fields["Version"], f"{version}-1~{debian_root.codename()}")
        for library in ("libc6", "libhts3", "libtbb12", "libisal2", "libfmt", "libzstd1", "libbz2-1.0", "liblzma5"):
            self.assertIn(library, fields["Depends"])
        self.assertNotRegex(fields["Depends"], "cuda|nvidia|-dev")

    def test_files(self):
        self.succeeds(support.run("dpkg-deb", "--extract", self.program, self.folder))
        found = support.files_below(self.folder / "usr")
        wanted = ("bin/basesweep", "share/doc/basesweep/copyright", "share/doc/basesweep/changelog.gz",
                  "share/doc/basesweep/changelog.Debian.gz", "share/zsh/vendor-completions/_basesweep",
                  *support.DOCUMENTS, *support.PAGES, *support.COMPLETIONS)
        self.assertEqual([name for name in wanted if name not in found], [], found)
        page = gzip.decompress((self.folder / "usr/share/man/man1/basesweep-motif.1.gz").read_bytes()).decode()
        self.assertIn("\n.TH ", "\n" + page)

    def test_lintian(self):
        support.need("lintian")
        done = support.run("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags-from-file",
                           support.ROOT / "cmake/debian/lintian-known", *self.packages)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_same_bytes(self):
        def sums(packages):  # a release's files are named without ~, see scripts/release.sh
            return {path.name.replace("~", "."): hashlib.sha256(path.read_bytes()).hexdigest() for path in packages}

        self.assertEqual(sums(self.packages), sums(pack(self.folder)))

    def test_library(self):
        """Builds the first example of docs/library.md with the files of the packages, and runs it."""
        support.need("g++", "cmake")
        names = {path.name.split("_")[0]: path for path in self.packages}
        for name in (f"libbasesweep{support.version('so')}", "libbasesweep-dev"):
            self.succeeds(support.run("dpkg-deb", "--extract", names[name], self.folder))
        (self.folder / "CMakeLists.txt").write_text(test_library.blocks("cmake")[0])
        (self.folder / "sites.cpp").write_text(test_library.blocks("cpp")[0])
        self.succeeds(support.run("cmake", "-S", self.folder, "-B", self.folder / "build",
                                  f"-DCMAKE_PREFIX_PATH={self.folder}/usr"))
        self.assertIn(f"{self.folder}/usr/lib", (self.folder / "build/CMakeCache.txt").read_text())
        self.succeeds(support.run("cmake", "--build", self.folder / "build"))
        done = support.run(self.folder / "build/sites", env={"LD_LIBRARY_PATH": f"{self.folder}/usr/lib"})
        self.assertEqual(self.succeeds(done), test_library.blocks("text")[0])

    def test_life(self):
        """apt installs the packages with their dependencies, they work, and a purge leaves nothing."""
        tar, reason = debian_root.tarball()
        if reason:
            self.skipTest(f"no {debian_root.codename()} root: {reason}")
        with debian_root.unpacked() as root:
            def inside(*command):
                return self.succeeds(debian_root.inside(root, *command, timeout=support.SECONDS))

            def listing():
                return [name for name in support.files_below(root) if not name.startswith(STATE)]

            update = debian_root.inside(root, "apt-get", "update", "--error-on=any", "-q", timeout=support.SECONDS)
            if update.returncode != 0:
                self.skipTest(f"apt-get update: {update.stderr[-300:]}")
            before = listing()
            for package in self.packages:
                shutil.copy(package, root / "tmp")
            for data in support.DATA:
                shutil.copy(data, root / "tmp")
            (root / "tmp/in.fa").write_text(support.FASTA)
            inside("apt-get", "install", "-qy", "--no-install-recommends", *(f"/tmp/{path.name}" for path in self.packages))
            inside("apt-get", "check")

            self.assertEqual(inside("basesweep", "--version"), f"basesweep {support.cached('BASESWEEP_VERSION')}\n")
            self.assertEqual(inside("basesweep", *support.SEARCH, "/tmp/in.fa"), support.BED)
            self.assertEqual(inside("basesweep", *support.lambda_job("/tmp")), support.lambda_hits())
            inside("basesweep", "match", "-p", "GAATTA", "-k", "1", "/tmp/in.fa", "-o", "/tmp/hits.bam")
            self.assertIn(b"GAATTA", gzip.decompress((root / "tmp/hits.bam").read_bytes()))
            self.assertIn("\nProblems\n  none\n", inside("basesweep", "doctor", "--device", "cpu"))
            self.assertEqual([name for name in support.PAGES if not (root / "usr" / name).is_file()], [])

            inside("apt-get", "purge", "-qy", "--autoremove", *(self.fields(path)["Package"] for path in self.packages))
            self.assertEqual(listing(), before)
