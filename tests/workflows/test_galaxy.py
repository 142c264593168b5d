"""workflows/galaxy: the linters of planemo find nothing, and the tests of the tools give what they expect.

Galaxy itself is not run: galaxy_calls.py renders the command of each test by Cheetah, as Galaxy does, and the real program runs it.
galaxy-tool-util, Cheetah and EDAM's terms come from PyPI into BASESWEEP_WORKFLOWS_CACHE (default: build/workflows), once.
BASESWEEP_GALAXY_UPDATE=1 writes the expected files anew; read the difference.
"""
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import BINARY, ROOT, SECONDS, from_pypi

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ROOT / "workflows/galaxy"
DATA = TOOLS / "test-data"
TOOL_UTIL, CHEETAH, EDAM = "26.1.2", "3.4.0.post5", "1.25.3"
NAMES = ("motif", "match", "pcr", "pwm", "guides", "map", "demux", "trim", "count")
UPDATE = os.environ.get("BASESWEEP_GALAXY_UPDATE") == "1"


@functools.lru_cache(None)
def python():
    """Returns the Python with galaxy-tool-util, and None or the reason why there is none."""
    folder, reason = from_pypi(f"galaxy-{TOOL_UTIL}-{CHEETAH}-{EDAM}", f"galaxy-tool-util=={TOOL_UTIL}", f"ct3=={CHEETAH}",
                               f"edam-ontology=={EDAM}")
    return folder / "bin/python", reason


def call(*words):
    return subprocess.run([str(python()[0]), "-B", str(HERE / "galaxy_calls.py"), *map(str, words)], capture_output=True, text=True,
                          timeout=SECONDS, check=False)


def tool_of(name):
    return str(TOOLS / f"basesweep_{name}.xml")


@functools.lru_cache(None)
def rendered():
    """Returns {file of a tool: its tests, with the command of each}."""
    done = call("commands", DATA, *map(tool_of, NAMES))
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Case(unittest.TestCase):
    def setUp(self):
        reason = python()[1]
        if reason:
            self.skipTest(reason)


class Lint(Case):
    def test_lint(self):
        tools = sorted(TOOLS.glob("basesweep_*.xml"))
        self.assertEqual([str(tool) for tool in tools], [tool_of(name) for name in sorted(NAMES)])
        done = call("lint", *tools)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stdout + done.stderr)


class Tools(Case):
    """A test of each tool; test_motif and so on are added below."""

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-galaxy."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/basesweep").symlink_to(BINARY)

    def assert_tool(self, name):
        tests = rendered()[tool_of(name)]
        self.assertTrue(tests)
        for number, test in enumerate(tests):
            with self.subTest(test=number, command=test["command"]):
                folder = self.folder / str(number)
                folder.mkdir()
                self.assert_test(test, folder)

    def assert_test(self, test, folder):
        env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        env.pop("GALAXY_SLOTS", None)
        done = subprocess.run(["bash", "-c", test["command"]], cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        written = 0
        for name, output in test["written"].items():
            members = self.members(name, output, folder)
            written += 1 + (0 if output.get("directory") else len(members) if "members" in output else 0)
            expected = test["expected"].get(name, {})
            for member, checks in expected.get("elements", {None: expected} if expected else {}).items():
                self.assertIn(member, members, name)
                self.assert_output(*members[member], checks)
        self.assertEqual(written, test["count"])
        self.assertEqual(set(test["expected"]) - set(test["written"]), set())

    def members(self, name, output, folder):
        """Returns {name of an element, or None: (its file, its type)} of an output."""
        if "members" not in output:
            return {None: (folder / (output["from"] or f"{name}.dat"), output["type"])}
        if not output["directory"]:
            return {member: (folder / f"{name}.{member}", kind) for member, kind in output["members"].items()}
        found = {}
        for path in sorted((folder / output["directory"]).iterdir()):
            for pattern, kind in output["patterns"].items():
                match = re.match(pattern, path.name)  # as Galaxy does
                if match:
                    self.assertNotIn(match["designation"], found, "two patterns find it")
                    found[match["designation"]] = (path, kind)
        return found

    def assert_output(self, path, kind, checks):
        self.assertEqual(kind, checks["type"], path)
        content = path.read_bytes()
        if checks["file"]:
            if UPDATE:
                shutil.copyfile(path, DATA / checks["file"])
            self.assertEqual(content.decode(), (DATA / checks["file"]).read_text(), checks["file"])
            self.assertGreater(len(content), 20, checks["file"])
        for assertion, given in checks["asserts"]:
            if assertion == "has_text":
                self.assertIn(given["text"], content.decode())
            elif assertion == "has_size":
                self.assertGreaterEqual(len(content), int(given["min"]))
            elif assertion == "has_json_property_with_text":
                self.assertEqual(json.loads(content)[given["property"]], given["text"])
            else:
                self.fail(f"{assertion}: this test does not know it")


for tool in NAMES:
    setattr(Tools, f"test_{tool}", lambda self, tool=tool: self.assert_tool(tool))
