"""The Debian source package: scripts/debian.sh makes it, lintian finds nothing in it, and its rules share out what the build installs.

The package is not compiled here: what the build folder installs takes the place of what `dh_auto_install` would install.
"""
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import support

MAINTAINER = {"DEBFULLNAME": "A Tester", "DEBEMAIL": "tester@basesweep.example.org"}
# What `dh binary` runs after dh_auto_install, without what finds nothing to do.
STEPS = ("dh_install", "dh_installdocs", "dh_installchangelogs", "dh_installman", "dh_link", "dh_missing", "dh_compress", "dh_fixperms", "dh_strip",
         "dh_makeshlibs", "dh_shlibdeps", "dh_installdeb", "dh_gencontrol", "dh_md5sums")


def make(folder, *options, **variables):
    return support.run(support.ROOT / "scripts/debian.sh", "--output", folder, *options, env={**os.environ, **MAINTAINER, **variables})


class Source(support.Case):
    @classmethod
    def setUpClass(cls):
        support.need("dpkg-buildpackage", "dh", "lintian", "xz", "git")
        if support.run("git", "rev-parse", "HEAD").returncode != 0:
            raise unittest.SkipTest("the checkout is not a repository of git")
        cls.made = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-debian."))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        done = make(cls.made, "--check")
        if done.returncode != 0:
            raise AssertionError(f"scripts/debian.sh: {done.stdout}{done.stderr}")

    def test_names(self):
        version = support.version("debian")
        self.assertEqual(sorted(path.name for path in self.made.iterdir()), sorted(f"basesweep_{version}{ending}" for ending in (
            ".orig.tar.xz", "-1.dsc", "-1.debian.tar.xz", "-1_source.changes", "-1_source.buildinfo")))

    def test_a_candidate_of_an_archive(self):
        """The version of a release candidate comes before that of the release."""
        archive, made = self.folder / "basesweep.tar.gz", self.folder / "made"
        self.succeeds(support.run("git", "archive", "--format=tar.gz", "--prefix=other-name/", "-o", archive, "HEAD"))
        self.succeeds(make(made, "--version", "7.1.0-rc1", "--orig", archive))
        self.assertIn("libbasesweep7.1,", (made / "basesweep_7.1.0~rc1-1.dsc").read_text())
        self.assertEqual((made / "basesweep_7.1.0~rc1.orig.tar.gz").read_bytes(), archive.read_bytes())
        self.succeeds(support.run("dpkg", "--compare-versions", "7.1.0~rc1-1", "lt", "7.1.0-1"))

    def test_a_name_with_signs(self):
        self.succeeds(make(self.folder, DEBFULLNAME="A & B/C"))
        self.assertIn(f"Maintainer: A & B/C <{MAINTAINER['DEBEMAIL']}>\n", next(self.folder.glob("*.dsc")).read_text())

    def test_a_folder_in_use(self):
        (self.folder / "mine").write_text("x")
        done = make(self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, f"debian: {self.folder} is not empty\n"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["mine"])

    def test_watch_names_candidates(self):
        """uscan names the archive of a tag, of a release and of a candidate, whatever digits the account has."""
        pattern, name = re.search(r"filenamemangle=s%(.*?)%(.*?)%", (support.ROOT / "workflows/debian/watch").read_text()).groups()
        for version in ("7.1.0", "7.1.0-rc1"):
            address = f"https://github.com/lab2/basesweep/archive/refs/tags/v{version}.tar.gz"
            self.assertEqual(re.sub(pattern, name.replace("$1", r"\1"), address, count=1), f"basesweep-{version}.tar.gz")

    def test_packages(self):
        support.need("cmake", "dpkg-shlibdeps")
        tree = self.folder / "tree"
        self.succeeds(support.run("dpkg-source", "--extract", next(self.made.glob("*.dsc")), tree))
        for component in ("program", "library", "development"):
            self.succeeds(support.run("cmake", "--install", support.BUILD, "--prefix", "/usr", "--component", component,
                                      env={**os.environ, "DESTDIR": str(tree / "debian/tmp")}))
        library = tree / "debian/tmp/usr/lib"
        triplet = self.succeeds(support.run("dpkg-architecture", "-qDEB_HOST_MULTIARCH")).strip()
        if not (library / triplet).exists():  # the build folder is for /usr/local, which has no such folder
            (library / "all").mkdir()
            for path in [one for one in library.iterdir() if one.name != "all"]:
                shutil.move(path, library / "all" / path.name)
            (library / "all").rename(library / triplet)
        rules = (tree / "debian/rules").read_text()
        self.succeeds(support.run("make", "-f", "debian/rules", "execute_after_dh_auto_install", cwd=tree))
        for step in STEPS:
            own = f"override_{step}"
            command = ["make", "-f", "debian/rules", own] if re.search(rf"^{own}:", rules, re.MULTILINE) else [step]
            self.succeeds(support.run(*command, *(["--fail-missing"] if step == "dh_missing" else []), cwd=tree,
                                      env={**os.environ, "DEB_BUILD_OPTIONS": "noautodbgsym"}))
        found = {path.name: support.files_below(path) for path in (tree / "debian").iterdir() if (path / "DEBIAN/control").exists()}
        self.assertEqual(sorted(found), ["basesweep", "libbasesweep-dev", "libbasesweep" + support.version("so")])
        wanted = ("bin/basesweep", "share/doc/basesweep/copyright", "share/zsh/vendor-completions/_basesweep", *support.DOCUMENTS, *support.PAGES,
                  *support.COMPLETIONS)
        self.assertEqual([name for name in wanted if f"usr/{name}" not in found["basesweep"]], [])
        self.assertIn(f"usr/lib/{triplet}/libbasesweep.so", found["libbasesweep-dev"])
        self.assertIn("libhts3", (tree / "debian/basesweep/DEBIAN/control").read_text())
