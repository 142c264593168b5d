#!/usr/bin/env python3
"""Tests tests/check_includes.py on small trees: each include that breaks a rule is reported, and no other one."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

import check_includes

# A source file, the header it includes, and the reason for which the include is reported.
BREACHES = [
    ("lib/base/a.hpp", '"lib/search/b.hpp"', "lib/base comes before lib/search"),
    ("lib/reader/a.cpp", '"lib/pipeline/b.hpp"', "lib/reader comes before lib/pipeline"),
    ("lib/align/a.cpp", '"kernels/room.hpp"', "lib includes nothing of kernels"),
    ("lib/report/a.cpp", '"tools/print.hpp"', "lib includes nothing of tools"),
    ("lib/attic/a.cpp", '"lib/base/b.hpp"', "lib/attic"),
    ("lib/base/a.cpp", '"lib/attic/b.hpp"', "lib/attic"),
    ("lib/api/a.cpp", '"lib/oracle/naive.hpp"', "lib/oracle is for tests and doctor"),
    ("lib/oracle/naive.cpp", '"lib/base/dna.hpp"', "the oracle includes nothing else of lib"),
    ("lib/oracle/naive.cpp", '"lib/oracle/trial/generate.hpp"', "the oracle does not include"),
    ("kernels/exact/planes/a.cpp", '"tools/print.hpp"', "kernels include nothing of tools"),
    ("kernels/exact/planes/a.cpp", '"kernels/exact/qgrams/index.hpp"', "a room includes no other room"),
    ("kernels/approximate/myers/a.cu", '"kernels/reads/seeds/step.hpp"', "a room includes no other room"),
    ("kernels/papers/sbom/a.cpp", '"kernels/exact/sog/index.hpp"', "a room includes no other room"),
    ("kernels/exact/planes/a.cpp", '"kernels/registry/plan.hpp"', "a room includes nothing of the registry"),
    ("kernels/tables/a.cpp", '"kernels/exact/planes/index.hpp"', "only the registry"),
    ("kernels/reads/a.cpp", '"kernels/approximate/myers/index.hpp"', "only the registry"),
    ("tools/motif.cpp", '"kernels/cuda/cuda.hpp"', "tools include lib and kernels/registry"),
    ("tools/motif.cpp", '"tests/support/files.hpp"', "nothing of the product includes tests"),
    ("kernels/cpu/a.hpp", '"tests/support/files.hpp"', "nothing of the product includes tests"),
    ("lib/packer/a.cpp", "<htslib/bgzf.h>", "HTSlib is not for this file"),
    ("lib/parts/a.cpp", "<htslib/bgzf.h>", "HTSlib is not for this file"),
    ("lib/packer/a.cpp", "<zstd.h>", "a compression library is not for this file"),
    ("lib/rows/a.cpp", "<zstd.h>", "a compression library is not for this file"),
    ("lib/parts/a.cpp", "<zstd.h>", "a compression library is not for this file"),
    ("lib/reader/a.hpp", "<bzlib.h>", "a compression library is not for this file"),
    ("lib/reader/a.cpp", "<seqan3/io/sequence_file/input.hpp>", "SeqAn3 is not for this file"),
    ("lib/base/a.hpp", "<cuda_runtime.h>", "the CUDA Toolkit is not for this file"),
    ("kernels/cpu/a.cpp", "<cub/cub.cuh>", "the CUDA Toolkit is not for this file"),
    ("tools/run_options.hpp", "<CLI/CLI.hpp>", "CLI11 is not for this file"),
    ("lib/report/a.cpp", "<CLI/CLI.hpp>", "CLI11 is not for this file"),
]
ALLOWED = [
    ("lib/search/a.hpp", '"lib/base/b.hpp"'),
    ("lib/api/a.cpp", '"lib/pipeline/b.hpp"'),
    ("lib/oracle/trial/a.cpp", '"lib/packer/b.hpp"'),
    ("lib/oracle/a.cpp", '"lib/oracle/b.hpp"'),
    ("kernels/exact/planes/a.cpp", '"kernels/exact/planes/index.hpp"'),
    ("kernels/exact/planes/a.cpp", '"kernels/tables/b.hpp"'),
    ("kernels/exact/planes/a.cpp", '"lib/search/b.hpp"'),
    ("kernels/registry/a.cpp", '"kernels/exact/planes/index.hpp"'),
    ("kernels/papers/sbom/a.cpp", '"kernels/papers/sbom/index.hpp"'),
    ("kernels/reads/a.cpp", '"kernels/reads/seeds/index.hpp"'),
    ("tools/motif.cpp", '"kernels/registry/make_matcher.hpp"'),
    ("tools/motif.cpp", '"lib/pipeline/b.hpp"'),
    ("tools/bench/matchers.cpp", '"kernels/cuda/bench.hpp"'),
    ("tools/doctor/a.cpp", '"kernels/cuda/describe.hpp"'),
    ("tests/unit/a.cpp", '"kernels/exact/planes/index.hpp"'),
    ("tests/unit/a.cpp", "<htslib/bgzf.h>"),
    ("lib/reader/a.cpp", "<htslib/bgzf.h>"),
    ("lib/reader/a.cpp", "<lzma.h>"),
    ("lib/rows/compressed_block.cpp", "<zstd.h>"),
    ("tools/doctor/a.cpp", "<isa-l.h>"),
    ("tests/unit/a.cpp", "<seqan3/io/sequence_file/input.hpp>"),
    ("lib/parts/hit_line.cpp", "<htslib/sam.h>"),
    ("kernels/cuda/a.cpp", "<cuda_runtime.h>"),
    ("kernels/exact/planes/a.cu", "<cub/cub.cuh>"),
    ("tools/motif.cpp", "<CLI/CLI.hpp>"),
    ("lib/base/a.cpp", "<cstdint>"),
]


def check(*includes):
    """Runs the check on a tree with these (source file, header) and returns its exit code and its lines."""
    with tempfile.TemporaryDirectory(prefix="basesweep-includes.") as folder:
        for file, header in includes:
            path = pathlib.Path(folder, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "a", encoding="utf-8") as source:
                source.write(f"#include {header}\n")
        printed = io.StringIO()
        with unittest.mock.patch.object(sys, "argv", ["check_includes.py", folder]), \
                contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = check_includes.main()
    return code, printed.getvalue().splitlines()


class CheckIncludes(unittest.TestCase):
    def test_each_breach_is_reported(self):
        for file, header, reason in BREACHES:
            with self.subTest(file, header=header):
                code, lines = check((file, header))
                self.assertEqual((code, len(lines)), (1, 1), lines)
                self.assertTrue(lines[0].startswith(f'{file}: includes "{header[1:-1]}": '), lines)
                self.assertIn(reason, lines[0])

    def test_allowed_includes_are_not_reported(self):
        for include in ALLOWED:
            with self.subTest(include):
                self.assertEqual(check(include), (0, ["1 includes follow the rules"]))

    def test_all_breaches_of_a_tree_are_reported(self):
        code, lines = check(*ALLOWED, *(breach[:2] for breach in BREACHES))
        self.assertEqual((code, len(lines)), (1, len(BREACHES)))

    def test_a_tree_without_sources_is_an_error(self):
        code, lines = check()
        self.assertEqual((code, len(lines)), (1, 1))
        self.assertTrue(lines[0].endswith("no sources found"), lines)


if __name__ == "__main__":
    unittest.main()
