"""The site's pages of commands hold all that the man pages say, and the navigation lists all of them."""
import html
import re
import sys
import unittest

from support import BINARY, ROOT, commands, help_of, options, output, section

sys.path.insert(0, str(ROOT / "scripts/site"))
import man_to_markdown


def text_of(page):
    """Returns a page's words without marks."""
    text = html.unescape(re.sub(r"</?(?:dl|dt|dd|code)\b[^>]*>", " ", page))
    return re.sub(r"[\s-]+", " ", re.sub(r"[`'\\]", "", text))


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = man_to_markdown.all_pages(BINARY)

    def test_all_commands(self):
        self.assertEqual(set(self.pages), {"-".join(words) + ".md" if words else "index.md" for words in commands()})
        listed = re.findall(r"commands/([\w-]+\.md)", (ROOT / "mkdocs.yml").read_text())
        self.assertEqual(sorted(listed), sorted(self.pages))

    def test_home_page(self):
        """It has the version, and links to the page of every command."""
        home = (ROOT / "docs/index.md").read_text()
        self.assertEqual(sorted(set(re.findall(r"commands/([\w-]+\.md)", home))), sorted(self.pages))
        self.assertIn(f"\n| {output(BINARY, '--version').split()[1]} | MIT |", home)

    def test_content(self):
        for words in filter(None, commands()):
            page = self.pages["-".join(words) + ".md"]
            text = text_of(page)
            for option in options(words):
                self.assertRegex(page, rf"(?m)^<dt[^>]*><code>(.*, )?{re.escape(option)}\b", f"{words} {option}")
            for line in section(help_of(words), "Examples"):
                self.assertIn(text_of(line.lstrip("# ").rstrip("\\")), text, words)
            self.assertNotRegex(page, r"(?m)\\f[BIR]|\\\(|^\.[A-Z]{2}", words)

    def test_meaning_is_escaped(self):
        page = man_to_markdown.page_of(".SH OPTIONS\n.TP\n\\fB\\-\\-a\\fR\\fI <X>\\fR\nUse a*b, \\-\\-b_c or 'basesweep man' <x>.\n", "t")
        self.assertIn('<dt id="a"><code>--a &lt;X&gt;</code></dt>\n<dd markdown>Use a\\*b, `--b_c` or `basesweep man` \\<x\\>.</dd>', page)


if __name__ == "__main__":
    unittest.main()
