#!/usr/bin/env python3
"""Tests scripts/version.py, scripts/release.sh and the workflows that use them, in a repository made of the tracked files.

Nothing is built. The test `lint_others` checks the form of the workflows. Exits 77 where there is no git repository.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOT_RUN = 77
NEW = "7.0.0-rc1"
LEFT_OUT = re.compile(r"(?:test-data|tests|kernels|tools|lib/(?!api/exported|include)|docs/(?:measurements|pictures))/")  # for speed


def call(*command, folder, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "DEB", "BASESWEEP_"))}
    environment.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", PYTHONDONTWRITEBYTECODE="1", **variables)
    return subprocess.run([str(word) for word in command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, text=True)


def tracked():
    """Returns the names of the tracked files, or None where there is no repository."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, text=True)
    return [name for name in listed.stdout.split("\0") if name] if listed.returncode == 0 else None


class Case(unittest.TestCase):
    """Each test gets a copy of a repository with one commit on main, of an owner; the test `version` checks all files."""
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.original = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-release."))
        cls.addClassCleanup(shutil.rmtree, cls.original)
        for name in tracked():
            if (ROOT / name).is_file() and not LEFT_OUT.match(name):
                (cls.original / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, cls.original / name, follow_symlinks=False)
        # What a release needs, whatever this checkout has: an owner and something that is new.
        changelog = cls.original / "CHANGELOG.md"
        if not re.search(r"(?ms)^## \[Unreleased\](?:(?!^## ).)*^- ", changelog.read_text()):
            changelog.write_text(changelog.read_text().replace("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- Something.\n", 1))
        cls.git_in(cls.original, "init", "--quiet", "--initial-branch=main")
        cls.git_in(cls.original, "config", "user.name", "A Tester")
        cls.git_in(cls.original, "config", "user.email", "tester@basesweep.example.org")
        cls.git_in(cls.original, "add", "--all", "--force")
        call(sys.executable, "scripts/version.py", "--owner", "some-lab", folder=cls.original)
        cls.git_in(cls.original, "add", "--all")
        cls.git_in(cls.original, "commit", "--quiet", "--message", "All files")

    @classmethod
    def git_in(cls, folder, *words):
        done = call("git", *words, folder=folder)
        if done.returncode != 0:
            raise AssertionError(f"git {' '.join(words)}: {done.stderr}")
        return done.stdout

    def setUp(self):
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-release."))
        self.addCleanup(shutil.rmtree, scratch)
        self.folder = scratch / "checkout"
        self.files = scratch / "artifacts"
        shutil.copytree(self.original, self.folder, symlinks=True)

    def git(self, *words):
        return self.git_in(self.folder, *words)

    def version(self, *words):
        return call(sys.executable, "scripts/version.py", *words, folder=self.folder)

    def release(self, *words, **variables):
        return call("bash", "scripts/release.sh", "--no-build", *words, folder=self.folder, **variables)

    def replace(self, name, old, new):
        text = (self.folder / name).read_text()
        self.assertIn(old, text)
        (self.folder / name).write_text(text.replace(old, new, 1))


class Versions(Case):
    def test_checkout(self):
        done = self.version("--check")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_forms(self):
        for version, forms in (("7.1.2", ("7.1.2", "7.1.2", "7.1.2", "7.1.2", "7.1")),
                               (NEW, ("7.0.0-rc1", "7.0.0rc1", "7.0.0rc1", "7.0.0~rc1", "7.0")),
                               ("0.4.0", ("0.4.0", "0.4.0", "0.4.0", "0.4.0", "0.4")),
                               ("1.0.0-rc1", ("1.0.0-rc1", "1.0.0rc1", "1.0.0rc1", "1.0.0~rc1", "1.0")), ("1.0.0", ("1.0.0",) * 4 + ("1.0",))):
            self.assertEqual(self.version("--set", version).returncode, 0)
            shown = tuple(self.version("--as", form).stdout.strip() for form in ("plain", "python", "conda", "debian", "so"))
            self.assertEqual(shown, forms)
            macros = (self.folder / "workflows/galaxy/macros.xml").read_text()
            self.assertIn(f'"@TOOL_VERSION@">{forms[0]}<', macros)
            self.assertIn(f'"@CONDA_VERSION@">{forms[2]}<', macros)
            done = self.version("--check")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_set_and_back(self):
        """Every place that is set is also found again: one version and back gives the same files."""
        old = self.version().stdout.strip()
        self.version("--set", NEW)
        changed = self.git("diff", "--name-only").splitlines()
        self.assertGreater(len(changed), 40)
        self.assertLessEqual({"CITATION.cff", "docs/install.md", "workflows/conda/basesweep/meta.yaml"}, set(changed))
        self.version("--set", old)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_one_place_alone(self):
        """A version that is changed in one file only is reported with its file, and so is a place that --set would miss."""
        old = self.version().stdout.strip()
        for name, before, after, says in (
                ("CITATION.cff", f"version: {old}", "version: 9.9.9", r"CITATION.cff:\d+: '9\.9\.9' is not "),
                ("docs/install.md", f"basesweep:{old}", "basesweep:9.9.9", "docs/install.md:"),
                ("workflows/nextflow/nextflow.config", f"= '{old}'", "= '9.9.9'", r"workflows/nextflow/nextflow.config:\d+: "),
                ("docs/install.md", "libbasesweep", "libbasesweep9.9 or libbasesweep", "'9.9' is not "),
                ("docs/faq.md", "# ", f"# As of {old}: ", "docs/faq.md:1: "),
                ("CMakeLists.txt", f"VERSION {old.partition('-')[0]}", "VERSION 9.9.9", r"is not '9\.9\.9")):
            with self.subTest(name=name, after=after):
                self.replace(name, before, after)
                done = self.version("--check")
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stdout, says)
                self.git("checkout", "--quiet", ".")
        self.replace("docs/faq.md", "# ", f"# As sassy {old} and other=={old} do: ")  # versions of others
        self.assertEqual(self.version("--check").returncode, 0)

    def test_owner(self):
        self.assertEqual(self.version("--print-owner").stdout, "some-lab\n")
        self.assertIn("\nowner: some-lab\n", (self.folder / "workflows/galaxy/.shed.yml").read_text())
        for name in ("CITATION.cff", "pyproject.toml", "workflows/conda/basesweep/meta.yaml"):
            self.assertIn("https://github.com/some-lab/basesweep", (self.folder / name).read_text(), name)
        self.replace("CITATION.cff", "some-lab", "other-lab")
        self.assertRegex(self.version("--check").stdout, r"\ACITATION\.cff:\d+: 'other-lab' is not 'some-lab'\n\Z")

    def test_build_of_bioconda(self):
        """One command names the build in all images, which another version forgets, and the wrappers that are made name it too."""
        images = re.compile(r"/basesweep:[\w.]+--(\w+)")
        names = [name for name in self.git("ls-files", "workflows").splitlines() if images.search((self.folder / name).read_text(errors="replace"))]
        self.assertGreater(len(names), 20)
        for words, build in ((("--bioconda", "h5ca1c30_0"), "h5ca1c30_0"), (("--set", NEW), "0")):
            self.assertEqual(self.version(*words).returncode, 0)
            self.assertEqual({found for name in names for found in images.findall((self.folder / name).read_text())}, {build})
            self.assertEqual(self.version("--check").returncode, 0)
        self.assertEqual(self.version("--bioconda", "h5-0").returncode, 2)

    def test_notes(self):
        """Notes of a release are read without the files beside them."""
        self.replace("CHANGELOG.md", "### Added\n", "### Added\n\n- See [here](docs/faq.md#why) and [there](https://example.org/a).\n")
        self.git("commit", "--quiet", "--all", "--message", "A note")
        self.assertIn("[here](https://github.com/some-lab/basesweep/blob/main/docs/faq.md#why) and [there](https://example.org/a).",
                      self.version("--notes").stdout)
        self.version("--set", NEW, "--date", "2030-01-02")
        self.assertIn(f"(https://github.com/some-lab/basesweep/blob/v{NEW}/docs/faq.md#why)", self.version("--notes", NEW).stdout)
        self.assertNotRegex(self.version("--notes", NEW).stdout, r"\]\((?!https://)")

    def test_zenodo_and_citation_agree(self):
        zenodo = json.loads((self.folder / ".zenodo.json").read_text())
        citation = (self.folder / "CITATION.cff").read_text()
        for key, value in (("title", zenodo["title"]), ("abstract", zenodo["description"]), ("license", zenodo["license"])):
            self.assertRegex(citation, rf"(?m)^{key}: {re.escape(value)}$")
        block = citation[citation.index("keywords:"):]
        self.assertEqual(re.findall(r"(?m)^  - (.*)$", block), zenodo["keywords"])
        self.assertEqual(re.findall(r"(?m)^  - name: (.*)$", citation), [one["name"] for one in zenodo["creators"]])

    def test_wrong_versions(self):
        for word in ("1.0", "v1.0.0", "1.0.0-beta", "1.0.0rc1"):
            self.assertEqual(self.version("--set", word).returncode, 2, word)
            self.assertEqual(self.version("--as", "debian", "--of", word).returncode, 2, word)
            self.assertEqual(self.release("--dry-run", word).returncode, 1, word)
        self.assertEqual(self.git("status", "--porcelain"), "")


class Release(Case):
    def state(self):
        return self.git("status", "--porcelain", "--ignored") + self.git("for-each-ref") + self.git("rev-parse", "HEAD")

    def test_dry_run(self):
        """It changes nothing in the checkout, and makes what a release makes."""
        before = self.state()
        temporary = self.files.parent / "temporary"
        temporary.mkdir()
        done = self.release("--dry-run", "--output", self.files, NEW, TMPDIR=str(temporary))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("would stop", done.stdout)
        self.assertEqual(self.state(), before)
        self.assertEqual([path.name for path in temporary.iterdir()], [])
        for word in ("git push --atomic origin main v7.0.0-rc1", "ghcr.io/some-lab/basesweep:7.0.0-rc1", "PyPI", "Zenodo", "Bioconda"):
            self.assertIn(word, done.stdout)
        self.check_files()

    def check_files(self):
        name = f"basesweep-{NEW}"
        self.assertEqual(sorted(path.name for path in self.files.iterdir()),
                         ["SHA256SUMS", f"{name}-bioconda.tar.gz", f"{name}.tar.gz", "notes.md"])
        sums = dict(line.split()[::-1] for line in (self.files / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(sums, {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.files.glob("*.gz")})
        with tarfile.open(self.files / f"{name}.tar.gz") as archive:
            self.assertEqual({member.split("/")[0] for member in archive.getnames()}, {name})
            citation = archive.extractfile(f"{name}/CITATION.cff").read().decode()
        self.assertRegex(citation, rf"(?m)^version: {NEW}\ndate-released: '\d{{4}}-\d\d-\d\d'$")
        with tarfile.open(self.files / f"{name}-bioconda.tar.gz") as recipe:
            meta = recipe.extractfile("basesweep/meta.yaml").read().decode()
        self.assertIn(f'set sha256 = "{sums[f"{name}.tar.gz"]}"', meta)
        self.assertNotIn("OWNER", meta)
        notes = (self.files / "notes.md").read_text()
        self.assertTrue(notes.startswith("### "), notes[:80])
        self.assertNotIn("\n## ", notes)

    def test_release(self):
        """It commits and tags, and the files of the tag name the version and the date."""
        head = self.git("rev-parse", "HEAD")
        done = self.release("--output", self.files, NEW)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("rev-parse", "HEAD~1"), head)
        self.assertEqual(self.git("rev-parse", f"v{NEW}^{{commit}}"), self.git("rev-parse", "HEAD"))
        self.assertEqual(self.git("log", "-1", "--format=%s"), f"Version {NEW}\n")
        self.assertIn("### ", self.git("tag", "--list", "--format=%(contents)", f"v{NEW}"))
        self.assertRegex((self.folder / "CHANGELOG.md").read_text(),
                         rf"(?m)^## \[Unreleased\]\n\n## \[{NEW}\] - \d{{4}}-\d\d-\d\d\n\n### ")
        self.assertEqual(self.version("--check").returncode, 0)
        self.check_files()

        # The workflow collects in a checkout of the tag, with the packages of its builds.
        (self.files / "basesweep_7.0.0.rc1-1.noble_amd64.deb").write_bytes(b"a package")
        self.assertEqual(call("bash", "scripts/release.sh", "--collect", self.files, folder=self.folder).returncode, 0)
        self.assertIn("noble_amd64.deb", (self.files / "SHA256SUMS").read_text())
        self.git("commit", "--quiet", "--allow-empty", "--message", "Later")
        done = call("bash", "scripts/release.sh", "--collect", self.files, folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, f"release: HEAD is not what the tag v{NEW} names\n"))

        # A second release of the same version, or one before it, is refused; a later one is not.
        for version, says in ((NEW, "nothing under [Unreleased]"), (NEW, f"the tag v{NEW} is there already"), ("6.9.0", f"6.9.0 is older than {NEW}")):
            done = self.release(version)
            self.assertEqual(done.returncode, 1)
            self.assertIn(says, done.stderr)
        self.replace("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n")
        self.git("commit", "--quiet", "--all", "--message", "More")
        later = self.files.parent / "later"
        done = self.release("--output", later, "7.0.0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((later / "notes.md").read_text(), "- More.\n")
        self.assertEqual(len(re.findall(r"(?m)^date-released: ", (self.folder / "CITATION.cff").read_text())), 1)

    def test_obstacles(self):
        """Each stops a release before anything is changed, and a dry run names it and goes on."""
        def dirty():
            (self.folder / "new.txt").write_text("x")

        def on_a_branch():
            self.git("checkout", "--quiet", "-b", "work")

        def nothing_new():
            text = (self.folder / "CHANGELOG.md").read_text()
            (self.folder / "CHANGELOG.md").write_text(re.sub(r"(?ms)^## \[Unreleased\].*?(?=^## |\Z)", "## [Unreleased]\n\n", text))
            self.git("commit", "--quiet", "--all", "--message", "Nothing")

        def without_an_owner():
            self.version("--owner", "OWNER")
            self.git("commit", "--quiet", "--all", "--message", "Owner")

        def another_version():
            self.replace("docs/install.md", "basesweep:", "basesweep:9.9.9 basesweep:")
            self.git("commit", "--quiet", "--all", "--message", "Wrong")

        for spoil, says in ((dirty, "not clean"), (on_a_branch, "the branch is 'work'"), (nothing_new, "nothing under [Unreleased]"),
                            (another_version, "name another version"), (without_an_owner, "no account holds")):
            with self.subTest(says):
                spoil()
                before = self.state()
                done = self.release(NEW)
                self.assertEqual((done.returncode, self.state()), (1, before), done.stdout)
                self.assertIn(says, done.stderr)
                if spoil is not another_version:  # whose clone fails the check of versions
                    done = self.release("--dry-run", "--output", self.files, NEW)
                    self.assertEqual((done.returncode, self.state()), (0, before), done.stderr)
                    self.assertRegex(done.stdout, f"a release would stop here: .*{re.escape(says)}")
                    shutil.rmtree(self.files)
                shutil.rmtree(self.folder)
                shutil.copytree(self.original, self.folder, symlinks=True)

    def test_builds(self):
        """It calls the scripts that build and try, here short ones, and collects and sums what they make."""
        for name, text in (("setup.sh", ""), ("build.sh", 'echo "builds $* in ${0%/scripts/*}"; [ -z "${FAIL:-}" ]'), ("package.sh", "echo >build/package/basesweep_$(scripts/version.py --as debian)-1~bookworm_amd64.deb"),
                           ("bundle.sh", "echo >build/bundle/basesweep-$(scripts/version.py)-linux-x86_64.tar.gz"),
                           ("old_glibc.sh", 'case $1 in --wheel) shift; exec scripts/wheel.sh "$@" ;; *) exec scripts/bundle.sh "$@" ;; esac'),
                           ("wheel.sh", 'case $1 in --multiqc) shift; name=multiqc/multiqc_basesweep ;; *) name=wheel/basesweep ;; esac; '
                            'mkdir -p build/wheel build/multiqc; echo >"build/$name-$(scripts/version.py --as python)-$3.whl"')):
            (self.folder / "scripts" / name).write_text(f"#!/usr/bin/env bash\nset -e\nmkdir -p build/package build/bundle\n{text}\n")
            (self.folder / "scripts" / name).chmod(0o755)
        for name in ("install/run.py", "install/wheel.py", "workflows/run.py"):
            (self.folder / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "tests" / name).write_text(f"import os, sys\nprint('{name}', *sys.argv[1:], 'of', os.environ.get('BASESWEEP_RELEASED'))\n")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Short scripts")
        for old in ("build/bundle/basesweep-0.0.1-linux-x86_64.tar.gz", "build/wheel/basesweep-0.0.1-python3.whl"):
            (self.folder / old).parent.mkdir(parents=True)
            (self.folder / old).write_text("of an older version")
        words = ("bash", "scripts/release.sh", "--output", self.files, NEW)
        scratch = self.folder / ".git/scratch"
        scratch.mkdir()
        before = self.state()
        # Sources that cannot be built stop a release before its tag, and leave nothing but what the messages name.
        done = call(*words, folder=self.folder, DEBFULLNAME="A", DEBEMAIL="a@b.c", TMPDIR=scratch, FAIL="yes")
        self.assertEqual((done.returncode, self.git("tag"), list(scratch.iterdir())), (1, "", []), done.stderr)
        for line in re.findall("^  (.*)", done.stderr, re.MULTILINE):
            subprocess.run(line, shell=True, cwd=self.folder, check=True)
        self.assertEqual(self.state(), before)
        done = call(*words, "--dry-run", folder=self.folder, DEBFULLNAME="A", DEBEMAIL="a@b.c", TMPDIR=scratch, FAIL="yes")
        self.assertEqual((done.returncode, self.state(), list(scratch.iterdir())), (1, before, []), done.stderr)
        self.assertIn("release: the dry run failed\n", done.stderr)
        shutil.rmtree(self.files)

        done = call(*words, folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, "release: DEBFULLNAME and DEBEMAIL must name the maintainer of the Debian packages\n"))
        done = call(*words, folder=self.folder, DEBFULLNAME="A", DEBEMAIL="a@b.c", TMPDIR=scratch)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for line in ("install/run.py test_deb of build/package", "install/run.py test_bundle of build/bundle",
                     "install/wheel.py build/wheel build/release/basesweep of build/wheel", "workflows/run.py test_multiqc of build/multiqc",
                     "install/run.py test_cmake of None"):
            self.assertIn(f"{line}\n", done.stdout)
        folder = pathlib.Path(re.search("^builds release packaged in (.+)$", done.stdout, re.MULTILINE).group(1))
        self.assertEqual(folder.parents[1], scratch)
        self.assertEqual(list(scratch.iterdir()), [])
        listed = [line.split()[1] for line in (self.files / "SHA256SUMS").read_text().splitlines()]
        self.assertEqual(listed, [f"basesweep-{NEW}-bioconda.tar.gz", f"basesweep-{NEW}-linux-x86_64.tar.gz", f"basesweep-{NEW}.tar.gz",
                                  "basesweep-7.0.0rc1-python3.whl", "basesweep_7.0.0.rc1-1.bookworm_amd64.deb", "multiqc_basesweep-7.0.0rc1-python3.whl"])
        self.assertEqual(call("sha256sum", "--check", "--quiet", "SHA256SUMS", folder=self.files).returncode, 0)

    def test_a_failure_changes_nothing(self):
        """Files are put back where they were changed and not committed, and a failure of the check itself stops a release."""
        hook = self.folder / ".git/hooks/pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)
        before = self.state()
        done = self.release(NEW, "--output", self.files)
        self.assertEqual((done.returncode, self.state(), done.stderr), (1, before, "release: failed; all files are as before\n"))
        hook.unlink()
        self.replace("scripts/version.py", "owner if given.print_owner", "owner + None if given.print_owner")
        self.git("commit", "--quiet", "--all", "--message", "A mistake")
        before = self.state()
        done = self.release(NEW, "--output", self.files)
        self.assertEqual((done.returncode, self.state()), (1, before), done.stderr)
        self.assertIn("TypeError", done.stderr)

    def test_a_failed_build(self):
        """There is no tag where a build has failed, and the messages say how to undo the commit."""
        (self.folder / "scripts/setup.sh").write_text("#!/bin/sh\nexit 3\n")
        self.git("commit", "--quiet", "--all", "--message", "No tools")
        before = self.state()
        done = call("bash", "scripts/release.sh", "--output", self.files, NEW, folder=self.folder, DEBFULLNAME="A", DEBEMAIL="a@b.c")
        self.assertEqual((done.returncode, self.git("tag")), (3, ""), done.stderr)
        undo = [line.split() for line in done.stderr.splitlines() if line.startswith("  git ")]
        self.assertEqual(len(undo), 1)
        self.git(*undo[0][1:])
        self.assertEqual(self.state(), before)

    def test_output_is_not_replaced(self):
        self.files.mkdir()
        (self.files / "mine").write_text("x")
        before = self.state()
        done = self.release("--output", self.files, NEW)
        self.assertEqual((done.returncode, self.state()), (1, before))
        self.assertIn("is not empty", done.stderr)


class Workflows(unittest.TestCase):
    def test_scripts(self):
        """Every script that a workflow or the list of CONTRIBUTING.md names is there."""
        for path in [*sorted((ROOT / ".github/workflows").glob("*.yml")), ROOT / "CONTRIBUTING.md"]:
            for name in re.findall(r"(?<![\w/.-])((?:\.ci|scripts|tests)/[\w./-]*\w)", path.read_text()):
                self.assertTrue((ROOT / name).exists(), f"{path.name}: {name}")

    def test_bash(self):
        """Steps in a container would be run by sh, which is dash there, without -u and pipefail."""
        for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
            text = path.read_text()
            if re.search("(?m)^    container:", text):
                self.assertIn("\ndefaults:\n  run:\n    shell: bash", text, path.name)

    def test_a_tag_publishes_nothing(self):
        """What users get unasked, from PyPI or as the image `latest`, waits until a person has published the release."""
        text = (ROOT / ".github/workflows/release.yml").read_text()
        jobs = dict(re.findall(r"(?ms)^  (\w+):\n(    .*?)(?=^  \w+:\n|^  #|\Z)", text[text.index("\njobs:"):]))
        self.assertEqual(list(jobs), ["check", "packages", "container", "draft", "pypi", "latest"])
        public = [name for name, job in jobs.items() if "pypi-publish" in job or ":latest" in job.replace("ubuntu-latest", "")]
        self.assertEqual(public, ["pypi", "latest"])
        for name, job in jobs.items():
            event = "release" if name in public else "push"
            self.assertTrue("    needs: " in job or job.startswith(f"    if: github.event_name == '{event}'"), name)
            if "id-token: write" in job:
                self.assertEqual(re.findall(r"uses: \S+@(?![0-9a-f]{40} )\S+", job), [], name)
        self.assertIn("needs: [check, packages]", jobs["container"])


if __name__ == "__main__":
    if tracked() is None or not shutil.which("git"):
        print("skipped: not in a git repository")
        sys.exit(NOT_RUN)
    unittest.main(verbosity=2)
