#!/usr/bin/env python3
"""Tests tests/check_headers.py on small trees: each header that does not compile alone is reported, and no other one."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

import check_headers

GOOD = {"lib/base/text.hpp": "#pragma once\n#include <string>\nstd::string text();\n",
        "lib/base/texts.hpp": '#pragma once\n#include "lib/base/text.hpp"\nstd::string more();\n',
        "lib/reader/all.hpp": '#pragma once\n#include <vector>\n#include "lib/base/texts.hpp"\nstd::vector<std::string> all();\n',
        "lib/reader/few.hpp": '#pragma once\n#include "lib/base/text.hpp"\nstd::string few();\n'}
BAD = {"no include": {"lib/base/bad.hpp": "#pragma once\nstd::string bad();\n"},
       "what it needs comes from a header that includes it": {
           "lib/base/bad.hpp": '#pragma once\n#include "lib/base/text.hpp"\nstd::vector<std::string> bad();\n',
           "lib/reader/list.hpp": '#pragma once\n#include <vector>\n#include "lib/base/bad.hpp"\n'},
       "no guard": {"lib/base/bad.hpp": "struct Bad {};\n"}}


def check(files):
    """Runs the check on a tree with these files and returns its exit code and what it printed."""
    with tempfile.TemporaryDirectory(prefix="basesweep-headers.") as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        printed = io.StringIO()
        with unittest.mock.patch.object(sys, "argv", ["check_headers.py", folder]), \
                contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = check_headers.main()
    return code, printed.getvalue()


class CheckHeaders(unittest.TestCase):
    def test_good_headers(self):
        self.assertEqual(check(GOOD), (0, "4 headers, compiled in 2 runs: 0 do not compile alone\n"))

    def test_each_bad_header_is_reported(self):
        for why, files in BAD.items():
            with self.subTest(why):
                code, printed = check({**GOOD, **files})
                self.assertEqual(code, 1)
                self.assertIn("lib/base/bad.hpp does not compile alone:\n", printed)
                self.assertEqual(printed.count("does not compile alone:"), 1, printed)

    def test_chains(self):
        headers = check_headers.headers_of(pathlib.Path(__file__).resolve().parents[1], True)
        chains = check_headers.chains_of(headers)
        self.assertEqual(sorted(header for chain in chains for header in chain), sorted(headers))
        for chain in chains:
            for header, other in zip(chain, chain[1:]):
                self.assertIn(header, headers[other])

    def test_a_tree_without_headers_is_an_error(self):
        code, printed = check({"lib/base/a.cpp": ""})
        self.assertEqual(code, 1)
        self.assertTrue(printed.endswith("no headers found\n"), printed)


if __name__ == "__main__":
    unittest.main()
