"""`basesweep cite` agrees with CITATION.cff, which is valid and of this version."""
import importlib.util
import os
import re

from support import BINARY, ROOT, Case, need, output, run

CFF = ROOT / "CITATION.cff"


def citation():
    """CITATION.cff, parsed as YAML."""
    if importlib.util.find_spec("yaml") is None:
        raise Case.skipTest(Case(), "PyYAML is not installed")
    import yaml
    return yaml.safe_load(CFF.read_text())


def author_names(cff, braces):
    entity = "{{{}}}" if braces else "{}"
    return [entity.format(author["name"]) if "name" in author else f"{author['given-names']} {author['family-names']}"
            for author in cff["authors"]]


class Cite(Case):
    def test_cff(self):
        self.assertEqual(output(BINARY, "cite", "--format", "cff"), CFF.read_text())

    def test_version(self):
        version = os.environ.get("BASESWEEP_PROJECT_VERSION") or output(ROOT / "scripts/version.py").strip()
        self.assertRegex(CFF.read_text(), rf"(?m)^version: {re.escape(version)}$")
        self.assertEqual(output(BINARY, "--version"), f"basesweep {version}\n")

    def test_text(self):
        cff = citation()
        shown = output(BINARY, "cite")
        self.assertTrue(shown.startswith(cff["message"] + "\n"), shown)
        self.assertIn(f"  {', '.join(author_names(cff, False))}: {cff['title']}, version {cff['version']}", shown)

    def test_bibtex(self):
        cff = citation()
        entry = output(BINARY, "cite", "--format", "bibtex")
        self.assertRegex(entry, r"\A@misc\{basesweep,\n(  \w+ = \{.*\},\n)*  \w+ = \{.*\}\n\}\n\Z")
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        expected = {"author": " and ".join(author_names(cff, True)), "title": f"{{{cff['title']}}}",
                    "note": f"Version {cff['version']}"}
        if "date-released" in cff:
            expected["year"] = str(cff["date-released"])[:4]
        place = f"https://doi.org/{cff['doi']}" if "doi" in cff else cff.get("url") or cff.get("repository-code")
        if place:
            expected["url"] = place
        self.assertEqual(fields, expected)

    def test_valid(self):
        need("cffconvert")
        done = run("cffconvert", "--validate", "-i", CFF)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
