"""Words of a command line and of reports: options that others call otherwise, values that are missing or one too many, where a report
comes from."""
import datetime
import functools
import itertools
import json
import re
import subprocess
import unittest
from random import Random

from support import BINARY, HERE, Case, bgzf, commands, without_origin

GENOME = ">chr1\n" + "ACGTTGCA" * 20 + "GAATTC" + "TTTGTGGTTAAGGAAAGCGG" + "TGG" + "ACGTTGCA" * 20 + "\n"
GUIDE = "TTTGTGGTTAAGGAAAGCGG"
MATRIX = ">MA1\tbox\nA  [ 9 0 0 0 ]\nC  [ 0 9 0 0 ]\nG  [ 0 0 9 0 ]\nT  [ 0 0 0 9 ]\n"
# One file of matrices in each format, as `pwm` names it.
MATRICES = {
    "jaspar": MATRIX,
    "meme": "MEME version 4\n\nALPHABET= ACGT\n\nMOTIF box\nletter-probability matrix: alength= 4 w= 2 nsites= 9 E= 0\n1 0 0 0\n0 1 0 0\n",
    "homer": ">GAATTC\tbox\t6.0\n0.97\t0.01\t0.01\t0.01\n0.01\t0.97\t0.01\t0.01\n",
    "transfac": "AC  M1\nXX\nID  box\nXX\nP0      A      C      G      T\n01      9      0      0      0      A\n02      0      9      0      0      C\nXX\n//\n",
    "cluster-buster": ">box\n9 0 0 0\n0 9 0 0\n0 0 9 0\n0 0 0 9\n0 0 0 9\n",
}


@functools.lru_cache(None)
def help_of(command):
    return subprocess.run([BINARY, command, "--help"], capture_output=True, check=True, text=True).stdout


def names_in(text):
    """Returns the options that a text names, without those of other programs and commands in quotes."""
    text = re.sub(r"'(basesweep|samtools|tabix)[^']*'", "", text)
    return set(re.findall(r"(?<![\w-])--?[A-Za-z0-9][\w-]*", text))


def options_of(command):
    """Returns the names of the options of a command, each with the words that its value may be."""
    found = {}
    for names, value in re.findall(r"(?m)^ +((?:-[\w@], )?(?:--?[\w-]+(?:, )?)+)(?:[ =\[]+([^ \n]+))?", help_of(command)):
        for name in names.split(", "):
            found[name] = value
    return found


class Said(Case):
    def says(self, command, words, text):
        """Checks the first line of the message for a wrong command line."""
        done = self.run_here(*words, command=command)
        lines = done.stderr.decode().splitlines()
        self.assertEqual((done.returncode, done.stdout, len(lines)), (2, b"", 2), (command, words, lines))
        self.assertEqual(lines[0], f"basesweep: {text}", (command, words))
        self.assertRegex(lines[1], r"^Try 'basesweep[a-z ]* --help'\.$")
        self.assertEqual(self.listing(), [])

    def meant(self, command, words, option):
        done = self.run_here(*words, command=command)
        about = (command, words, done.stderr.decode())
        self.assertEqual((done.returncode, done.stdout), (2, b""), about)
        self.assertIn(f"; did you mean '{option}'" + ("?" if " " in option else " ("), done.stderr.decode(), about)


class Meanings(Said):
    """The option that means the same comes before one that is spelled alike."""

    def test_whole_messages(self):
        for command, words, text in (
                ("guides", ["-k", "2"], "basesweep guides has no option '-k'; did you mean '-m' (a place has at most N mismatches with its guide)?"),
                ("pwm", ["-f", "m.jaspar"], "basesweep pwm has no option '-f'; did you mean '-m' (a file of matrices)?"),
                ("pcr", ["--max-hits", "5"], "basesweep pcr has no option '--max-hits'; did you mean '--max-products' (stop after the first N products)?"),
                ("pcr", ["-1", "a.fq", "-2", "b.fq"],
                 "basesweep pcr has no option '-1': pairs of reads are for 'map', 'motif' and 'match'; other commands search each read on "
                 "its own: give both files without an option"),
                ("motif", ["-m", "m.jaspar"], "basesweep motif has no option '-m': weight matrices are for 'basesweep pwm -m FILE'"),
                ("motif", ["-m", "2"], "basesweep motif has no option '-m': edits are for 'match'"),
                ("pwm", ["-k", "1"],
                 "basesweep pwm has no option '-k': a hit of a matrix is a word whose score is high: use --p-value, --score or --relative"),
                ("guides", ["--max-hits", "10"],
                 "basesweep guides has no option '--max-hits': the table counts every place of a guide, so none may be left out; "
                 "lower -m, or take the first lines of --hits"),
                ("motif", ["--ignore-case"],
                 "basesweep motif has no option '--ignore-case': lower case counts as upper case; --soft-masked skip leaves it out"),
                ("map", ["--zzzzzzz"], "basesweep map has no option '--zzzzzzz'"),
                ("map", ["--hitsonly"], "basesweep map has no option '--hitsonly'; did you mean '--hits-only'?")):
            self.says(command, words, text)

    def test_ours(self):
        for command, words, option in (
                ("guides", ["--edits=2"], "--mismatches"), ("guides", ["-e", "0.1"], "-m"), ("guides", ["--clamp-3prime", "10"], "--seed"),
                ("map", ["--max-mismatches", "2"], "--edits"), ("map", ["-m", "2"], "-k"), ("map", ["--max-hits", "2"], "--secondary"),
                ("match", ["--max-products", "2"], "--max-hits"), ("match", ["--seed", "10"], "--clamp-3prime"),
                ("pcr", ["--insert", "50,500"], "--size"), ("map", ["--size", "500"], "--insert"), ("pcr", ["-m", "lib.txt"], None),
                ("match", ["--max-dna-bulge", "1"], None)):
            if option:
                self.meant(command, words, option)
            else:
                self.refused(2, *words, files=(), command=command)

    def test_of_other_programs(self):
        for command, words, option in (
                ("motif", ["-j", "8"], "-t"), ("match", ["--cores=8"], "--threads"), ("map", ["-p", "8"], "-t"), ("pwm", ["-@", "4"], "-t"),
                ("motif", ["--only-positive-strand"], "--strand plus"), ("motif", ["-P", "g.fa"], "--strand plus"),
                ("pwm", ["--norc"], "--strand plus"), ("pwm", ["--thresh", "1e-5"], "--p-value"), ("pwm", ["--bgfile", "b.txt"], "--background"),
                ("pwm", ["--motif", "CTCF"], "--names"), ("pwm", ["--oc", "out"], "--output"), ("pwm", ["--text"], "--format fimo"),
                ("motif", ["--bed"], "--format bed"), ("motif", ["--gtf"], "--format gff3"), ("match", ["--no-indels"], "--max-indels 0"),
                ("match", ["-a", "ACGT"], "-p"), ("match", ["-O", "5"], "--overhang"), ("match", ["--untrimmed-output", "x"], "--other-reads"),
                ("motif", ["-query", "p.fa"], "--pattern-file"), ("motif", ["-out", "x.bed", "g.fa"], "--output"),
                ("match", ["-num_threads", "4"], "--threads"), ("motif", ["-outfmt", "6"], "--format"), ("guides", ["--mm", "4"], "--mismatches"),
                ("guides", ["-bDNA", "1"], "--max-dna-bulges"), ("map", ["-x", "ref.fa"], "-r"), ("map", ["-S", "x.sam"], "-o"),
                ("map", ["-X", "500"], "--insert"), ("map", ["--un", "x"], None), ("map", ["-a"], "--report all"),
                ("pcr", ["-F", "ACGT"], "--forward"), ("pcr", ["-maxSize", "500"], "--size"), ("motif", ["--gpu"], "--device gpu"),
                ("match", ["--MAX_ERRORS", "2"], "--edits")):
            if option:
                self.meant(command, words, option)
            else:
                self.refused(2, *words, files=(), command=command)

    def test_the_value_tells_meanings_apart(self):
        self.meant("pwm", ["--guides", "x.fa"], "--matrices")
        self.says("map", ["-p", "GAATTC"], "basesweep map has no option '-p': sequences are for 'motif' and 'match'")
        self.meant("map", ["-p8"], "-t")
        self.meant("map", ["-p"], "-t")
        self.meant("pwm", ["-f", "12"], "-m")  # where no meaning fits the value, any does
        self.says("guides", ["--sam"], "basesweep guides has no option '--sam': the ending of the file of --hits chooses the format of "
                                       "places, as in places.bed or places.bam")
        self.says("guides", ["--no-indels"], "basesweep guides has no option '--no-indels': bulges are only allowed by --max-dna-bulges "
                                             "and --max-rna-bulges")

    def test_one_dash(self):
        self.says("motif", ["-count", "g.fa"], "basesweep motif has no option '-count'; did you mean '--count'?")
        self.says("match", ["-clamp-3prime", "3"], "basesweep match has no option '-clamp-3prime'; did you mean '--clamp-3prime'?")

    def test_pairs(self):
        for command in ("pwm", "pcr", "guides"):
            for words in (["-2", "b.fq"], ["--reads1", "a.fq"], ["--interleaved"], ["--paired"]):
                message = self.refused(2, *words, files=(), command=command)
                self.assertIn("pairs of reads are for 'map', 'motif' and 'match'", message)
        for command in ("motif", "match", "map"):
            self.meant(command, ["--paired"], "--interleaved")
            self.meant(command, ["--in1", "a.fq"], "--reads1")

    def test_suggestions_exist(self):
        """Whatever is suggested for a word of the table, or for a short option of another command, is an option of this command, with
        a value that it takes."""
        table = re.findall(r'"(--?[A-Za-z@][\w-]*)"', (HERE.parents[1] / "tools/meanings.cpp").read_text())
        known = {command: options_of(command) for command in commands()}
        words = sorted(set(table).union(name for names in known.values() for name in names if len(name) == 2))
        self.assertGreater(len(words), 200)
        suggested = 0
        for command, word in itertools.product(commands(searching=True), words):
            if word in known[command]:
                continue
            for value in (["2"], ["x.fa"]) if len(word) == 2 else (["2"],):
                done = subprocess.run([BINARY, command, word, *value], capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL)
                message, about = done.stderr.splitlines()[0], (command, word, value, done.stderr)
                self.assertEqual((done.returncode, done.stdout), (2, ""), about)
                if f"has no option '{word}'" not in message:
                    self.assertIn(word, ("-V", "--version"), about)
                    continue
                advice = message.split(f"'{word}'", 1)[1]
                self.assertLessEqual(names_in(advice), set(known[command]), about)
                fixed = re.search(r"did you mean '(--?[\w-]+) ([\w-]+)'", advice)
                if fixed:
                    shown = known[command][fixed.group(1)]
                    listed = re.search(rf"(?m)^ +{fixed.group(1)} .*(?:\n {{10,}}.*)*", help_of(command)).group()
                    self.assertTrue(shown == "N" or re.search(rf"\b{fixed.group(2)}\b", listed), about)
                suggested += "did you mean" in advice
        self.assertGreater(suggested, 200, suggested)

    def test_commands(self):
        for word, command in (("locate", "motif"), ("fimo", "pwm"), ("isPcr", "pcr"), ("cas-offinder", "guides"), ("align", "map"),
                              ("split", "plan"), ("twobit", "pack"), ("guide", "guides"), ("mtach", "match")):
            done = subprocess.run([BINARY, word], capture_output=True, check=False, text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (2, f"basesweep: there is no command '{word}'; did you mean '{command}'?\nTry 'basesweep --help'.\n"))
            message = self.refused(2, word, files=(), command="help")
            self.assertEqual(message, f"basesweep: basesweep has no command '{word}'; did you mean '{command}'?\n")

    def test_mismatches_of_guides(self):
        self.file("g.fa", GENOME)
        expected = self.output("-q", "-p", GUIDE, "-m", "3", "g.fa", command="guides")
        self.assertEqual(self.output("-q", "-p", GUIDE, "--max-mismatches", "3", "g.fa", command="guides"), expected)


class Files(Said):
    def test_matrices_are_for_pwm(self):
        self.file("g.fa", GENOME)
        for form, text in MATRICES.items():
            self.file("m.txt", text)
            self.assertIn("chr1\t", self.output("-q", "-m", "m.txt", "--relative", "0.9", "g.fa", command="pwm"), form)
            for command, words in (("motif", []), ("match", ["-k", "1"]), ("pcr", ["-k", "1"]), ("guides", []), ("compile", []),
                                   ("compile", ["--pairs", "-k", "1"])):
                inputs = [] if command == "compile" else ["g.fa"]
                message = self.refused(3, "-f", "m.txt", *words, *inputs, files=("-o", "out"), command=command)
                self.assertEqual(message, f"basesweep: m.txt: weight matrices (format {form}), not sequences: search for them with "
                                          "'basesweep pwm -m m.txt'\n", (command, form))
        self.file("m.gz", bgzf(MATRIX.encode()))
        self.refused(3, "-f", "m.gz", "g.fa", says=["m.gz: weight matrices (format jaspar)"])

    def test_sequences_are_not_for_pwm(self):
        self.file("g.fa", GENOME)
        for name, text in (("p.fa", ">p1\nGAATTC\n"), ("p.tsv", "p1\tGAATTC\n"), ("p.txt", "GAATTC\n")):
            self.file(name, text)
            message = self.refused(3, "-m", name, "g.fa", command="pwm")
            self.assertEqual(message, f"basesweep: {name}: sequences, not weight matrices: search for them with "
                                      f"'basesweep motif -f {name}', or with 'basesweep match'\n")

    def test_damaged_files_keep_their_errors(self):
        self.file("g.fa", GENOME)
        self.file("p.fa", ">p1\nGAA1TC\n")
        self.refused(3, "-f", "p.fa", "g.fa", says=["p.fa: line 2: pattern 'p1', position 4: '1' is not a nucleotide"])
        self.file("m.txt", MATRIX.replace("9 0 0 0", "9 0 0"))
        self.refused(3, "-m", "m.txt", "g.fa", command="pwm", says=["m.txt: line "])
        self.refused(3, "-f", "-", "g.fa", stdin=MATRIX.encode(), says=["<stdin>: line 2"])

    def test_a_file_given_as_a_pattern(self):
        self.file("g.fa", GENOME)
        self.file("motifs.fa", ">p1\nGAATTC\n")
        self.refused(2, "-p", "motifs.fa", "g.fa", says=["-p motifs.fa: this is a file, and -p takes a sequence: use -f motifs.fa"])
        self.refused(2, "-p", "motifs.fa", "-k", "1", "g.fa", command="match", says=["use -f motifs.fa"])
        self.file("GAATTC", "x")  # a sequence stays one
        self.assertIn("GAATTC\t", self.output("-p", "GAATTC", "g.fa"))


class Forms(Said):
    """The form of a command line: our own sentences, with the cure."""

    def test_given_twice(self):
        for command, words, text in (
                ("motif", ["-o", "a.bed", "-o", "b.bed"], "-o is given twice, with 'a.bed' and 'b.bed': give it once"),
                ("motif", ["-o", "a.bed", "--output=b.bed"], "-o and --output are the same option, with 'a.bed' and 'b.bed': give it once"),
                ("motif", ["--strand", "plus", "--strand", "plus"], "--strand is given twice, with 'plus' and 'plus': give it once"),
                ("match", ["-k1", "-k", "2"], "-k is given twice, with '1' and '2': give it once"),
                ("match", ["-e", "0.1", "--error-rate", "0.2"], "-e and --error-rate are the same option, with '0.1' and '0.2': give it once"),
                ("pwm", ["--score", "-5", "--score=-6"], "--score is given twice, with '-5' and '-6': give it once"),
                ("map", ["-t", "1", "-qt2"], "-t is given twice, with '1' and '2': give it once")):
            self.says(command, words, text)

    def test_repeatable_options(self):
        self.file("g.fa", GENOME)
        self.output("-p", "A", "-pC", "--pattern=G", "-q", "-q", "--region", "chr1:1-9", "--region=chr1:20-29", "--circular", "g.fa",
                    "--circular=chr1")

    def test_values(self):
        for command, words, text in (
                ("motif", ["-p"], "-p needs a value: -p MOTIF"),
                ("motif", ["g.fa", "--max-hits"], "--max-hits needs a value: --max-hits N"),
                ("motif", ["--strand"], "--strand needs a value: --strand both|plus|minus"),
                ("motif", ["-p", "--count"], "-p needs a value, but the option '--count' follows it: -p MOTIF"),
                ("motif", ["-f", "-p", "A"], "-f needs a value, but the option '-p' follows it: -f FILE"),
                ("motif", ["-o", "--format=bed"], "-o needs a value, but the option '--format=bed' follows it: -o FILE"),
                ("motif", ["-p", "--circular", "g.fa"], "-p needs a value, but the option '--circular=g.fa' follows it: -p MOTIF"),
                ("motif", ["-p", "--", "A"], "-p needs a value, but the option '--' follows it: -p MOTIF"),
                ("motif", ["--max-hits=", "5"], "--max-hits= lacks its value: --max-hits=N"),
                ("motif", ["--output=", "g.fa"], "--output= lacks its value: --output=FILE"),
                ("motif", ["--circular=", "g.fa"], "--circular= lacks its value"),
                ("motif", ["--count=3", "g.fa"], "--count takes no value: leave '=3' out"),
                ("motif", ["--count=false"], "--count takes no value: leave '=false' out"),
                ("motif", ["-q=1"], "-q takes no value: leave '=1' out"),
                ("motif", ["-q5"], "-q5: basesweep motif has no option '-5'"),
                ("motif", ["-o=hits.bed"], "-o=hits.bed: write '-o hits.bed' or '--output=hits.bed'"),
                ("match", ["-k=2"], "-k=2: write '-k 2' or '--edits=2'"),
                ("match", ["-k", "x"], "--edits: 'x' is not a whole number")):
            self.says(command, words, text)

    def test_values_that_begin_with_a_dash(self):
        self.file("g.fa", GENOME)
        self.file("m.jaspar", MATRIX)
        self.output("-q", "-m", "m.jaspar", "--score", "-5", "g.fa", command="pwm")
        self.assertIn("GAATTC\t", self.output("-f", "-", "g.fa", "-o", "-", "--strand", "-", stdin=b"GAATTC\n"))

    def test_arguments(self):
        for command, words, text in (
                ("cite", ["x"], "basesweep cite takes no argument, but 'x' is given"),
                ("doctor", ["g.fa"], "basesweep doctor takes no argument, but 'g.fa' is given"),
                ("bench", ["papr"], "basesweep bench has no command 'papr'; did you mean 'paper'?"),
                ("completion", ["bash", "zsh"], "basesweep completion takes one argument, but 'bash' and 'zsh' are given"),
                ("completion", [], "basesweep completion needs an argument: bash|zsh|fish"),
                ("merge", ["-o", "x"], "basesweep merge needs a file: PART"),
                ("pack", [], "basesweep pack needs a file: INPUT"),
                ("plan", ["g.fa"], "basesweep plan needs -n N"),
                ("map", ["-k", "1", "r.fq"], "basesweep map needs -r FILE"),
                ("map", ["--bogus"], "basesweep map has no option '--bogus'"),  # comes before what is missing
                ("motif", ["-5"], "basesweep motif has no option '-5'")):
            self.says(command, words, text)

    def test_options_before_the_command(self):
        for words, text in ((["-t", "4", "motif", "-p", "A"], "basesweep has no option '-t': options of 'motif' come after it: basesweep motif -t ..."),
                            (["--bogus", "motif"], "basesweep has no option '--bogus'")):
            done = subprocess.run([BINARY, *words], capture_output=True, check=False, text=True)
            self.assertEqual((done.returncode, done.stderr), (2, f"basesweep: {text}\nTry 'basesweep --help'.\n"))

    def test_version(self):
        expected = subprocess.run([BINARY, "--version"], capture_output=True, check=True, text=True).stdout
        for command, option in itertools.product(commands(), ("-V", "--version")):
            self.assertEqual(self.output(option, command=command), expected, command)
        self.assertEqual(self.output("-p", "A", "--version", "g.fa"), expected)
        self.assertEqual(self.output("paper", "--version", command="bench"), expected)

    def test_help_wins(self):
        for words in (["--bogus", "--help"], ["--help", "--bogus"], ["-k", "2", "--help"], ["-q5", "--help"]):
            self.assertEqual(self.output(*words), help_of("motif"), words)

    def test_files_named_like_options(self):
        for name in ("-5", "-x", "--count", "--"):
            self.file(name, GENOME)
            self.assertIn("GAATTC\t", self.output("-p", "GAATTC", "--", name))
        self.file("g.fa", GENOME)  # an argument on either side
        both = self.output("-p", "GAATTC", "--format", "tsv", "--with-file", "g.fa", "--", "-5", "--count")
        self.assertEqual([line.split("\t")[5] for line in both.splitlines()], ["file", "g.fa", "-5", "--count"])

    def test_files_with_odd_names(self):
        """CLI11 would read 'g' and 'a' and 'b' instead, and end the command at '++'."""
        for name in ("[g]", "[a,b]", "[[g]]", "++", "[]", "a,b"):
            self.file(name, GENOME)
            self.assertIn("GAATTC\t", self.output("-p", "GAATTC", name), name)
            self.assertIn(f"\t{name}\tGAATTC\n", self.output("-p", "GAATTC", "--format", "tsv", "--with-file", "--", name), name)
        self.refused(2, "-p", "[GC]", "g.fa", says=["pattern '[GC]'"])

    def test_random_words(self):
        """No message is that of the library which parses the command line, whatever the words are."""
        self.file("g.fa", GENOME)
        words = ["-p", "-f", "-k", "-k2", "-q", "-qv", "-qk", "-o", "-ox", "--", "-", "--count", "--count=1", "--max-hits", "--max-hits=",
                 "--max-hits=3", "--circular", "--circular=", "--strand", "plus", "5", "-5", "g.fa", "GAATTC", "", "=", "-=", "--=", "---x", "++",
                 "[a]", "paper", "bash", "motif", "match", "-r", "-n", "-1", "--version=1", "-x", "--x=y", "-k=1", "-- x", "-!"]
        random = Random(20)
        quick = [command for command in commands() if command not in ("bench", "doctor")]
        theirs = re.compile(r"not expected|required|At [LM]|Should|should|arguments? to|given a disallowed|allowed value|ubcommand|INI")
        for _ in range(300):
            call = [random.choice(quick), *random.choices(words, k=random.randint(0, 5))]
            done = subprocess.run([BINARY, *call], capture_output=True, check=False, cwd=self.folder, stdin=subprocess.DEVNULL, timeout=60)
            message = done.stderr.decode(errors="replace")
            self.assertIn(done.returncode, (0, 2, 3, 4), (call, message))
            self.assertIsNone(theirs.search(message), (call, message))

    def test_short_help_shows_what_the_usage_lines_name(self):
        for command in commands():
            short = self.output("-h", command=command)
            usage = re.search(r"(?s)Usage: .*?\n\n", short).group()
            for name in names_in(usage):
                if command != "bench":  # whose second line is that of another command
                    self.assertRegex(short, rf"(?m)^ +(-\w, )?{name}\b", command)


class Reports(Case):
    """Where a report comes from, and limits that were not given."""

    def setUp(self):
        super().setUp()
        self.file("g.fa", GENOME)
        self.file("m.jaspar", MATRIX)
        self.file("r.fq", "@r1\nACGTTGCAACGT\n+\nIIIIIIIIIIII\n")
        self.jobs = {
            "motif": ["-p", "GAATTC", "g.fa"], "match": ["-p", "GAATTC", "-k", "1", "g.fa", "--format", "bed"],
            "pcr": ["--forward", "GAATTC", "--reverse", "CCACCGCT", "-k", "0", "g.fa"], "pwm": ["-m", "m.jaspar", "g.fa"],
            "guides": ["-p", GUIDE, "-m", "1", "g.fa"], "map": ["-r", "g.fa", "-k", "1", "r.fq"]}

    def report(self, command, *more):
        self.output("-q", *self.jobs[command], "--json", "j.json", *more, command=command)
        return json.loads((self.folder / "j.json").read_text())

    def test_origin(self):
        for command in self.jobs:
            before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
            report = self.report(command, "-o", "out")
            words = ["-q", *self.jobs[command], "--json", "j.json", "-o", "out"]
            self.assertEqual(report["command_line"], [BINARY, command, *words])
            self.assertEqual(report["outputs"], [{"option": "--output", "path": "out"}, {"option": "--json", "path": "j.json"}])
            started = report["timings"]["started"]
            self.assertRegex(started, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            started = datetime.datetime.fromisoformat(started.replace("Z", "+00:00"))
            self.assertTrue(before <= started <= datetime.datetime.now(datetime.timezone.utc), (before, started))
            self.assertIsInstance(report["machine"]["choices"], list)

    def test_outputs(self):
        self.assertEqual(self.report("motif")["outputs"], [{"option": "--output", "path": "<stdout>"}, {"option": "--json", "path": "j.json"}])
        self.jobs["motif"][-1] = "r.fq"
        outputs = self.report("motif", "-o", "a.bed", "--matching-reads", "b.fq", "--other-reads", "c.fq")["outputs"]
        self.assertEqual({one["option"]: one["path"] for one in outputs},
                         {"--output": "a.bed", "--matching-reads": "b.fq", "--other-reads": "c.fq", "--json": "j.json"})
        outputs = self.report("guides", "-o", "a.tsv", "--hits", "b.bed")["outputs"]
        self.assertEqual({one["option"]: one["path"] for one in outputs}, {"--output": "a.tsv", "--hits": "b.bed", "--json": "j.json"})

    def test_choices(self):
        """What -v says of automatic choices stands in the report."""
        for command in self.jobs:
            done = self.run_here("-v", *self.jobs[command], "--json", "j.json", command=command)
            choices = json.loads((self.folder / "j.json").read_text())["machine"]["choices"]
            self.assertNotEqual(choices, [], command)
            for choice in choices:
                self.assertIn(f"basesweep: {choice}\n", done.stderr.decode())

    def test_limits_that_are_not_given(self):
        for command, keys in {
                "motif": ["max_hits"], "pwm": ["max_hits", "p_value", "score", "relative", "background"],
                "match": ["max_hits", "error_rate", "max_mismatches", "max_indels", "max_dna_bulges", "max_rna_bulges", "overhang_5prime",
                          "overhang_3prime"],
                "pcr": ["max_hits", "error_rate", "max_mismatches", "max_indels", "max_dna_bulges", "max_rna_bulges"],
                "guides": ["gc", "max_poly_t", "top"], "map": ["error_rate", "most_secondary"]}.items():
            parameters = self.report(command)["parameters"]
            self.assertEqual([key for key in keys if parameters.get(key, "absent") is not None], [], command)
        report = self.report("match", "--max-dna-bulges", "1", "--overhang", "4", "--max-hits", "9")
        self.assertEqual([report["parameters"][key] for key in ("max_dna_bulges", "max_rna_bulges", "overhang_5prime", "max_hits")], [1, None, 4, 9])
        self.file("p.tsv", "name\tsequence\tedits\na\tGAATTC\t1\nb\tGAATTG\t\n")
        self.jobs["match"] = ["-f", "p.tsv", "-k", "0", "g.fa", "--format", "bed"]
        limits = [[row[key] for key in ("edits", "clamp_5prime", "clamp_3prime")] for row in self.report("match")["patterns"]]
        self.assertEqual(limits, [[1, None, None], [None, None, None]])

    def test_merge(self):
        """The merged report names the run of merge, and the runs of the parts."""
        self.file("p.tsv", "name\tsequence\tedits\tclamp_3prime\na\tGAATTC\t1\t2\nb\tACGTTG\t\t\n")
        self.file("g.fa", GENOME + GENOME.replace("chr1", "chr2"))
        jobs = {"motif": self.jobs["motif"], "match": ["-f", "p.tsv", "-k", "0", "g.fa", "--format", "bed"], "pcr": self.jobs["pcr"],
                "pwm": self.jobs["pwm"], "guides": self.jobs["guides"], "map": self.jobs["map"]}
        for command, words in jobs.items():
            self.jobs[command] = words
            whole = self.report(command)
            parts = []
            for i in (1, 2):
                self.output("-q", *words, "--chunk", f"{i}/2", "--json", f"p{i}.json", "-o", f"p{i}", command=command)
                parts.append(json.loads((self.folder / f"p{i}.json").read_text()))
            self.output("p2", "p1", "-q", "-o", "all", "--json", "all.json", command="merge")
            merged = json.loads((self.folder / "all.json").read_text())
            self.assertEqual(merged["command_line"], [BINARY, "merge", "p2", "p1", "-q", "-o", "all", "--json", "all.json"])
            self.assertEqual(merged["outputs"], [{"option": "--output", "path": "all"}, {"option": "--json", "path": "all.json"}])
            self.assertEqual(merged["timings"]["started"], min(part["timings"]["started"] for part in parts))
            self.assertAlmostEqual(merged["timings"]["seconds"], sum(part["timings"]["seconds"] for part in parts), 6)
            self.assertEqual(merged["machine"]["choices"],
                             list(dict.fromkeys(choice for part in parts for choice in part["machine"]["choices"])))
            self.assertEqual(sorted(merged.pop("parts"), key=lambda part: part["chunk"]),
                             [{"chunk": f"{i}/2", **{key: part[key] for key in ("command_line", "outputs", "timings")}}
                              for i, part in enumerate(parts, 1)])
            self.assertEqual(without_origin(merged), without_origin(whole), command)  # limits of patterns are not added up

    def test_only_reports_hold_the_time(self):
        """The bytes of all other outputs are the same in every run."""
        for command, words in self.jobs.items():
            first = self.output("-q", *words, "--json", "a.json", command=command)
            self.assertEqual(self.output("-q", *words, "--json", "b.json", command=command), first)
            self.assertNotIn(json.loads((self.folder / "b.json").read_text())["timings"]["started"][:10], first)


if __name__ == "__main__":
    unittest.main()
