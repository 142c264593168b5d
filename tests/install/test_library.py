"""The shared library: builds the examples of docs/library.md with several compilers against the installed files, and runs them."""
import ast
import gzip
import os
import re
import subprocess
import sys

import support

PAGE = (support.ROOT / "docs/library.md").read_text()
COMPILERS = ("g++", "clang++")
PUBLIC = ("include/basesweep/basesweep.hpp", "include/basesweep/error.hpp", "include/basesweep/pcr.hpp",
          "include/basesweep/pwm.hpp", "include/basesweep/guides.hpp", "include/basesweep/batch.hpp",
          "include/basesweep/arrow.hpp", "include/basesweep/map.hpp", "include/basesweep/reads.hpp")


def blocks(language):
    """Returns the page's code blocks in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


class Library(support.Case):
    @classmethod
    def setUpClass(cls):
        support.need("g++", "cmake")

    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "a prefix"
        for component in ("library", "development"):
            self.succeeds(support.run("cmake", "--install", support.BUILD, "--prefix", self.prefix, "--component",
                                      component))
        self.libraries = self.prefix / support.cached("CMAKE_INSTALL_LIBDIR")

    def execute(self, program, *arguments):
        return subprocess.run([str(program), *map(str, arguments)], capture_output=True, timeout=support.SECONDS,
                              check=False, text=True, cwd=self.folder,
                              env={"LD_LIBRARY_PATH": str(self.libraries)})

    def test_files(self):
        self.assertEqual(sorted(path for path in support.files_below(self.prefix) if path.startswith("include/")),
                         sorted(PUBLIC))
        names = set(os.listdir(self.libraries))
        version = support.cached("CMAKE_PROJECT_VERSION")
        self.assertEqual(names, {"libbasesweep.so", f"libbasesweep.so.{support.version('so')}", f"libbasesweep.so.{version}", "cmake",
                                 "pkgconfig"})

    def test_headers_name_no_other_library(self):
        for name in PUBLIC:
            included = re.findall(r'#include\s+[<"](.*?)[>"]', (self.prefix / name).read_text())
            self.assertNotEqual(included, [])
            self.assertEqual([header for header in included if not re.fullmatch(r"\w+|basesweep/\w+\.hpp", header)], [])

    def test_cmake_package(self):
        """The page's first example, built by its CMake file with each compiler, prints what the page says."""
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                support.need(compiler)
                source = self.folder / compiler
                source.mkdir()
                (source / "CMakeLists.txt").write_text(blocks("cmake")[0])
                (source / "sites.cpp").write_text(blocks("cpp")[0])
                self.succeeds(support.run("cmake", "-S", source, "-B", source / "build", "-G", "Ninja",
                                          f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={compiler}",
                                          "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"))
                self.succeeds(support.run("cmake", "--build", source / "build"))
                done = self.execute(source / "build/sites")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, blocks("text")[0], ""))

    def test_other_versions_are_not_found(self):
        major, minor, _ = map(int, support.cached("CMAKE_PROJECT_VERSION").split("."))
        own = f"{major}.{minor}"
        older = [(f"{major}.{minor - 1}", major > 0)] if minor else []
        for version, found in ((own, True), (f"{major}.{minor + 1}", False), (f"{major + 1}.0", False), *older,
                               (f"{own} COMPONENTS nonsense", False)):
            source = self.folder / version
            source.mkdir()
            (source / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.24)\nproject(x NONE)\n"
                                                   f"find_package(basesweep {version} REQUIRED)\n")
            done = support.run("cmake", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
            self.assertEqual(done.returncode == 0, found, f"{version}: {done.stdout}{done.stderr}")

    def built(self, name, text, compiler="g++"):
        """Compiles the source text with the flags of pkg-config; returns the program."""
        support.need("pkg-config")
        flags = self.succeeds(support.run(
            "pkg-config", "--cflags", "--libs", "basesweep",
            env={**os.environ, "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}))
        source, program = self.folder / f"{name}.cpp", self.folder / name
        source.write_text(text)
        # a shell parses the flags, because the prefix has a space
        self.succeeds(support.run("bash", "-c", f"{compiler} -std=c++20 -Wall -Wextra -o $1 $2 {flags.strip()}",
                                  "bash", program, source))
        return program

    def test_pkg_config(self):
        """The page's second example, built with pkg-config: the same hits, warnings and errors as the program."""
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                support.need(compiler)
                self.compare_with_program(self.built(f"hits.{compiler}", blocks("cpp")[1], compiler))

    def test_pcr(self):
        """The page's third example: the products of the program."""
        program = self.built("products", blocks("cpp")[2])
        pairs = self.folder / "pairs.tsv"
        pairs.write_text("a\tGTTTTATCGCTTCCATGACG\tGGGCGGCGACCTCGCGGGTT\nb\tGGGCGGCGACCTCGCGGGTT\tTTGTACGGACACGAACTCAT\t9000\n")
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        searched = support.run(support.BUILD / "basesweep", "pcr", "-f", pairs, "-k", "2", "--clamp-3prime", "3", lambda_phage)
        head, *lines = [line.split("\t") for line in self.succeeds(searched).splitlines()]
        names = ("record", "start", "end", "pair", "strand", "size", "forward_edits", "reverse_edits", "matched")
        expected = [[line[head.index(name)] for name in names] for line in lines]
        self.assertNotEqual(expected, [])
        done = self.execute(program, pairs, lambda_phage)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line.split("\t") for line in done.stdout.splitlines()], expected)

    def test_pwm(self):
        """The page's fourth example: the sites of the program."""
        program = self.built("sites", blocks("cpp")[3])
        matrices = self.folder / "m.jaspar"
        matrices.write_text(">TATA TBP\nA [ 3 40 1 39 27 39 ]\nC [ 8 0 2 1 0 1 ]\nG [ 2 1 0 0 0 1 ]\nT [ 28 1 39 2 15 1 ]\n")
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        searched = support.run(support.BUILD / "basesweep", "pwm", "-m", matrices, "-p", "0.001", "--format", "tsv", lambda_phage)
        expected = [line.split("\t")[:4] + line.split("\t")[5:7] for line in self.succeeds(searched).splitlines()[1:]]
        self.assertNotEqual(expected, [])
        done = self.execute(program, matrices, lambda_phage)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line.split("\t") for line in done.stdout.splitlines()], expected)

    def test_guides(self):
        """The page's fifth example: the places of the program, and their number."""
        guide = "GCGGCGACCTCGCGGGTTTT"
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        hits = self.folder / "places.tsv"
        self.succeeds(support.run(support.BUILD / "basesweep", "guides", "-p", f"first={guide}", "--pam", "NGG", "-m", "8",
                                  "--max-dna-bulges", "1", lambda_phage, "--hits", hits))
        head, *lines = [line.split("\t") for line in hits.read_text().splitlines()]
        names = ("Chromosome", "Location", "Direction", "Mismatches", "Bulge Size", "DNA")
        expected = [[line[head.index(name)] for name in names] for line in lines]
        self.assertNotEqual(expected, [])
        program = self.built("places", blocks("cpp")[4].replace(".mismatches = 3", ".mismatches = 8"))
        done = self.execute(program, guide, lambda_phage)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        *places, count = [line.split("\t") for line in done.stdout.splitlines()]
        self.assertEqual((places, count), (expected, [str(len(expected))]))

    def test_columns(self):
        """The page's sixth example: sums of a column of the program's table."""
        program = self.built("sums", blocks("cpp")[5])
        patterns = self.folder / "primers.tsv"
        patterns.write_text("first\tGTTTTATCGCTTCCATGACG\nsecond\tGGGCGGCGACCTCG\n")
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        searched = support.run(support.BUILD / "basesweep", "match", "-f", patterns, "-k", "2", "--format", "tsv", "--columns",
                               "record,start,end,edits", lambda_phage)
        sums = {}
        for record, start, end, edits in (line.split("\t") for line in self.succeeds(searched).splitlines()[1:]):
            if edits != "0":
                sums[record] = sums.get(record, 0) + int(end) - int(start)
        self.assertNotEqual(sums, {})
        done = self.execute(program, patterns, lambda_phage)
        self.assertEqual((done.returncode, done.stdout), (0, "".join(f"{name}\t{n}\n" for name, n in sorted(sums.items()))))
        self.assertIn(" bases", done.stderr)

    def test_write(self):
        """The page's example of files: those of the program."""
        program = self.built("written", blocks("cpp")[6])
        patterns, own, expected = (self.folder / name for name in ("primers.tsv", "own.bed.gz", "expected.bed.gz"))
        patterns.write_text("first\tGTTTTATCGCTTCCATGACG\nsecond\tGGGCGGCGACCTCG\n")
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        done = self.execute(program, patterns, own, lambda_phage)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.succeeds(support.run(support.BUILD / "basesweep", "match", "-q", "-f", patterns, "-k", "2", "-o", expected, lambda_phage))
        self.assertEqual(own.read_bytes(), expected.read_bytes())
        self.assertRegex(done.stdout, r"^[1-9]\d* hits in .*own.bed.gz\n$")
        done = self.execute(program, patterns, self.folder / "own.pdf", lambda_phage)
        self.assertEqual(done.returncode, 2)
        self.assertIn("own.pdf: this command cannot write .pdf", done.stderr)

    def test_arrow(self):
        """The page's Arrow example, in C++ and Python: pyarrow takes the batch, and it holds the program's table."""
        try:
            import pyarrow
        except ImportError:
            self.skipTest("no pyarrow for this Python: pip install pyarrow")
        self.built("libsites.so", blocks("cpp")[7], "g++ -shared -fPIC")
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        script = blocks("python")[0].replace("genome.fa", str(lambda_phage)).replace("print(batch", "batch.validate(full=True)\nprint(batch")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=support.SECONDS, check=False, text=True,
                              cwd=self.folder, env={"LD_LIBRARY_PATH": str(self.libraries)})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        searched = support.run(support.BUILD / "basesweep", "match", "-p", "GGCGGCGACCTCGCGGG", "-k", "1", "--format", "tsv",
                               "--columns", "record,start,strand,edits,cigar", lambda_phage)
        head, *lines = [line.split("\t") for line in self.succeeds(searched).splitlines()]
        expected = [dict(zip(head, (record, int(start), strand, int(edits), cigar)))
                    for record, start, strand, edits, cigar in lines]
        self.assertNotEqual(expected, [])
        self.assertEqual(ast.literal_eval(done.stdout), expected)
        self.assertTrue(pyarrow.__version__)

    def test_map(self):
        """The page's last example: the alignments of the program's SAM; and its table of columns."""
        program = self.built("alignments", blocks("cpp")[8])
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        genome = "".join(gzip.decompress(lambda_phage.read_bytes()).decode().splitlines()[1:])
        reads = self.folder / "reads.fa"
        reads.write_text("".join(f">read{i}\n{genome[i * 311:i * 311 + 60]}A{genome[i * 311 + 61:i * 311 + 90]}\n"
                                 for i in range(100)))
        searched = support.run(support.BUILD / "basesweep", "map", "-r", lambda_phage, "-k", "2", "--eqx", "--hits-only", reads)
        expected = []
        for line in self.succeeds(searched).splitlines():
            if line.startswith("@"):
                continue
            name, flag, record, start, mapq, cigar, *_ = line.split("\t")
            edits = re.search(r"\bXE:i:(\d+)", line).group(1)
            expected.append([name, record, str(int(start) - 1), "-" if int(flag) & 16 else "+", edits, mapq, cigar])
        self.assertEqual(len(expected), 100)
        done = self.execute(program, lambda_phage, reads)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line.split("\t") for line in done.stdout.splitlines()], expected)
        columns = self.built("columns", """#include <basesweep/map.hpp>
#include <iostream>
int main(int, char** argv) {
  const basesweep::Mapper mapper(argv[1], {.edits = 1});
  for (const auto& column : mapper.columns()) std::cout << "| `" << column.name << "` | " << column.meaning << " |\\n";
}
""")
        self.assertIn("| --- | --- |\n" + self.execute(columns, lambda_phage).stdout, PAGE)

    def test_reads(self):
        """The page's example of reads: the files of the program's demux and trim, and its table of counts."""
        program = self.built("reads", blocks("cpp")[9])
        data = support.ROOT / "workflows/nextflow/test-data"
        reads = data / "barcoded.fastq"
        done = self.execute(program, data / "samples.tsv", data / "library.tsv", reads)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        self.succeeds(support.run(support.BUILD / "basesweep", "demux", "-s", data / "samples.tsv", reads, "-o", self.folder / "sorted",
                                  "--format", "fastq", "--table", self.folder / "table.tsv"))
        table = [line.split("\t") for line in (self.folder / "table.tsv").read_text().splitlines()[1:]]
        self.succeeds(support.run(support.BUILD / "basesweep", "trim", "-a", "AGATCGGAAGAGC", reads, "-o", self.folder / "trimmed.fq"))
        trimmed = (self.folder / "trimmed.fq").read_text().splitlines()[1::4]
        expected = [[row[0], row[1] if row[1] != "." else row[7], bases] for row, bases in zip(table, trimmed)]
        self.assertEqual(lines[:len(expected)], expected)
        self.assertEqual(len(expected), 40)
        counted = support.run(support.BUILD / "basesweep", "count", "-l", data / "library.tsv", reads)
        counts = [line.split("\t") for line in self.succeeds(counted).splitlines()[1:]]
        self.assertEqual(lines[len(expected):], [[name, number] for name, _, number in counts])

    def compare_with_program(self, program):
        (self.folder / "primers.tsv").write_text("first\tGTTTTATCGCTTCCATGACG\nsecond\tGGGCGGCGACCTCGCGGGTT\n")
        lambda_phage = support.ROOT / "test-data/lambda.fa.gz"
        searched = support.run(support.BUILD / "basesweep", "match", "-f", self.folder / "primers.tsv", "-k", "2",
                               "--format", "tsv", lambda_phage)
        expected = [line.split("\t") for line in self.succeeds(searched).splitlines()[1:]]
        self.assertNotEqual(expected, [])
        done = self.execute(program, "primers.tsv", lambda_phage)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line.split("\t") for line in done.stdout.splitlines()], expected)

        (self.folder / "empty.fa").write_text("")
        done = self.execute(program, "primers.tsv", "empty.fa")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("warning: empty.fa: no sequence", done.stderr)
        done = self.execute(program, "primers.tsv", "nowhere.fa")
        self.assertEqual((done.returncode, done.stderr), (4, "nowhere.fa: cannot open: No such file or directory\n"))
        (self.folder / "bad.fa").write_text(">a\nAC1GT\n")
        done = self.execute(program, "primers.tsv", "bad.fa")
        self.assertEqual(done.returncode, 3)
        self.assertIn("record 'a', position 3", done.stderr)

    def test_exports(self):
        """The library exports only what lib/api/exported.map names, and that includes every public function."""
        support.need("nm")
        table = self.succeeds(support.run("nm", "-D", "-C", "--defined-only", self.libraries / "libbasesweep.so"))
        names = {line.split(maxsplit=2)[2].split("@")[0].replace("[abi:cxx11]", "") for line in table.splitlines()}
        names.discard(f"BASESWEEP_{support.version('so')}")
        strange = [name for name in names
                   if not re.match(r"(typeinfo (name )?for )?basesweep::(Searcher|Pcr|Pwm|Guides|Mapper|Demultiplexer|ReadTrimmer|GuideReadCounter|Batch|export_batch|Cancelled|\w*Error|load_patterns|load_pairs|load_matrices|load_library|read_files|guess_adapters|version)\b", name)]
        self.assertEqual(strange, [])
        for function in ("load_patterns", "load_pairs", "load_matrices", "load_library", "read_files", "guess_adapters", "export_batch", "version"):
            self.assertTrue(any(name.startswith(f"basesweep::{function}(") for name in names), function)
        for one, header in (("Searcher", "basesweep"), ("Pcr", "pcr"), ("Pwm", "pwm"), ("Guides", "guides"), ("Mapper", "map"), ("Batch", "batch"),
                            ("Demultiplexer", "reads"), ("ReadTrimmer", "reads"), ("GuideReadCounter", "reads")):
            public = re.search(rf"class BASESWEEP_API {one}.*?private:", self.header(header), re.DOTALL).group()
            functions = re.findall(r"^  (?:static |const )*(?:std::|\w+Summary |\w+Result |Texts |GuideReads )[^()\n]*?(\w+)\(", public, re.MULTILINE)
            self.assertIn({"Mapper": "map_files", "Batch": "integers", "Demultiplexer": "sort", "ReadTrimmer": "trim", "GuideReadCounter": "count"}.get(one, "search_files"), functions)
            for function in functions:
                self.assertTrue(any(name.startswith(f"basesweep::{one}::{function}(") for name in names), function)

    def header(self, name):
        return (self.prefix / f"include/basesweep/{name}.hpp").read_text()
