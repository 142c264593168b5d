"""The Python package in its process: one search of each kind, sub-interpreters, forks, threads, signals, what is printed.

Needs nothing but Python, so that it runs with every Python at hand (other_pythons.py).
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import basesweep as bs

GENE = "TTACGGATCCATGGCATTCGAGGCTAAACGTTAGGCCTTAACGGATTACAGGTACCTTGAGGA"
TEXT = {"r0": GENE, "r1": GENE[::-1], "r2": b"ACGT" * 20}


def letters(seed, count):
    return "".join(random.Random(seed).choices("ACGT", k=count))


def outcome(code, *words):
    """Runs code in another process; returns its exit code and what it prints."""
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


class Searches(unittest.TestCase):
    """The answers that an earlier test compared with the program."""

    def test_motif(self):
        self.assertEqual(list(bs.motif({"a": "GGATYM"}, TEXT)), [("r0", 4, 10, "a", "+", "GGATCC"), ("r0", 4, 10, "a", "-", "GGATCC"),
                                                                     ("r0", 42, 48, "a", "+", "GGATTA")])

    def test_match(self):
        table = bs.match("GGTTACAG", TEXT, k=1, columns=["record", "start", "end", "strand", "edits", "cigar", "matched"])
        self.assertEqual(list(table), [("r0", 43, 51, "+", 1, "1=1X6=", "GATTACAG")])

    def test_count(self):
        self.assertEqual(bs.count({"x": "ACG", "y": "TTTTT"}, TEXT), {"x": 45, "y": 0})

    def test_pcr(self):
        self.assertEqual(list(bs.pcr({"a": ("ACGGATCC", "TCCTCAAGG")}, TEXT, k=0, columns=["record", "start", "end", "pair"])), [("r0", 2, 63, "a")])

    def test_pwm(self):
        table = bs.pwm({"m": [[9, 0, 0, 0], [0, 0, 0, 9], [0, 0, 9, 0], [0, 0, 9, 0]]}, TEXT, p=0.005, columns=["record", "start", "strand"])
        self.assertEqual(list(table), [("r0", 8, "-"), ("r0", 10, "+"), ("r1", 7, "-"), ("r1", 9, "+")])

    def test_guides(self):
        table = bs.guides("ATTCGAGGCTAAACGTT", {"r": GENE}, m=1, columns=["start", "end", "mismatches"])
        self.assertEqual(list(table), [(15, 35, 0)])
        self.assertEqual(table.totals["places"], [1])

    def test_map(self):
        table = bs.map(TEXT, {"q": GENE[10:40], "none": "AGAGAGAGAGAGAGAGAGAGAGAG"}, k=1, columns=["read", "record", "start", "cigar"])
        self.assertEqual(list(table), [("q", "r0", 10, "30="), ("none", None, None, None)])

    def test_batches_and_files(self):
        with tempfile.TemporaryDirectory(prefix="python-") as folder:
            path = pathlib.Path(folder) / "text.fa"
            path.write_text(f">r\n{GENE}\n")
            rows = [row for part in bs.motif("ACG", path, batches=True) for row in part]
            self.assertEqual(rows, list(bs.motif("ACG", {"r": GENE})))
            bs.motif("ACG", path).write(path.with_name("hits.bed"))
            self.assertEqual(len(path.with_name("hits.bed").read_text().splitlines()), len(rows))

    def test_errors(self):
        for kind, call in ((bs.UsageError, lambda: bs.motif(["ACGX!"], "ACGT")), (bs.IoError, lambda: bs.motif("ACG", "no/such.fa")),
                           (bs.InputError, lambda: bs.motif("ACG", {"r": "AC\nGT"})), (TypeError, lambda: bs.match("ACG", "ACGT", k=1, max_indel=1))):
            with self.assertRaises(kind):
                call()


class Interpreters(unittest.TestCase):
    def test_sub_interpreters(self):
        """One of each kind is refused, and the main interpreter searches before, meanwhile and after."""
        code = ("import sys, threading\n"
                "try:\n"
                "    import _interpreters as own\n"
                "except ImportError:\n"
                "    import _xxsubinterpreters as own\n"
                "def make(kind):\n"
                "    if sys.version_info >= (3, 13):\n"
                "        return own.create(kind)\n"
                "    return own.create() if sys.version_info < (3, 10) else own.create(isolated=kind == 'isolated')\n"
                "import basesweep as bs\n"
                "said = 'try:\\n  import basesweep\\nexcept ImportError as error:\\n  print(error, flush=True)\\n'\n"
                "for kind in ('isolated', 'legacy'):\n"
                "    inner = make(kind)\n"
                "    own.run_string(inner, said)\n"
                "    thread = threading.Thread(target=own.run_string, args=(inner, said))\n"
                "    thread.start()\n"
                "    found = len(bs.motif('ACG', 'ACGACG' * 50_000))\n"
                "    thread.join()\n"
                "    own.destroy(inner)\n"
                "    print(found, len(bs.motif('ACG', 'ACGACG')), flush=True)\n")
        done, said, wrong = outcome(code)
        if "No module named" in wrong:
            self.skipTest("this Python has no module of sub-interpreters")
        self.assertEqual((done, wrong), (0, ""))
        self.assertEqual(said.count("in the main interpreter of a process, not in sub-interpreters"), 4, said)
        self.assertEqual(said.count("100000 2\n"), 2, said)

    def test_an_interpreter_that_ends_before_its_loop(self):
        code = ("import basesweep as bs\n"
                "it = bs.motif('AC', {'a': 'AC' * 2_000_000}, batches=True)\n"
                "print(len(next(it)))\n")
        self.assertEqual(outcome(code), (0, "65536\n", ""))

    def test_nothing_is_printed(self):
        code = ("import basesweep as bs, sys\n"
                "t = bs.motif('ACGT', sys.argv[1])\n"
                "assert t.warnings\n"
                "kept = t._batches[0], t.__arrow_c_stream__(), bs.Searcher('ACGT')\n"
                "try:\n"
                "    column = t['start']\n"
                "except ImportError:\n"
                "    pass\n")
        with tempfile.TemporaryDirectory(prefix="python-") as folder:
            path = pathlib.Path(folder) / "twice.fa"
            path.write_text(">a\nACGT\n>a\nACGT\n")
            self.assertEqual(outcome(code, str(path)), (0, "", ""))

    def test_without_numpy(self):
        code = ("import sys; sys.modules['numpy'] = None\n"
                "import basesweep as bs\n"
                "table = bs.match('GATTACA', {'r': 'CCGATTACACC'}, k=1, columns=['start', 'cigar'])\n"
                "print(list(table), table['cigar'])\n"
                "try:\n"
                "    table['start']\n"
                "except ImportError as error:\n"
                "    print('numpy' in str(error).lower())\n")
        self.assertEqual(outcome(code), (0, "[(2, '7=')] ['7=']\nTrue\n", ""))


@unittest.skipUnless(hasattr(os, "fork"), "no fork")
class Forks(unittest.TestCase):
    FORKED = ("import basesweep as bs, os, signal, warnings\n"
              "warnings.simplefilter('ignore')\n"
              "def child(search):\n"
              "    pid = os.fork()\n"
              "    if pid == 0:\n"
              "        signal.alarm(60)\n"
              "        try:\n"
              "            os._exit(len(search()))\n"
              "        except bs.Error as error:\n"
              "            os._exit(77 if 'spawn' in str(error) else 78)\n"
              "    return os.WEXITSTATUS(os.waitpid(pid, 0)[1])\n")

    def test_after_a_search(self):
        code = self.FORKED + "bs.motif('AC', 'ACACAC')\nprint(child(lambda: bs.motif('AC', 'ACACAC')))\n"
        self.assertEqual(outcome(code), (0, "77\n", ""))

    def test_before_a_search(self):
        code = self.FORKED + ("import random\n"
                              "text = ''.join(random.Random(1).choices('ACGT', k=2_000_000))\n"
                              "search, mapper = bs.Searcher(['AC'], k=0), bs.Mapper({'r': text}, k=1)\n"
                              "print(child(lambda: search.search('ACACAC')), child(lambda: mapper.search({'q': text[5_000:5_100]})))\n"
                              "print(len(search.search('ACACAC')))\n")
        self.assertEqual(outcome(code), (0, "3 1\n3\n", ""))

    def test_during_a_search(self):
        code = self.FORKED + ("import threading\n"
                              "begun = threading.Event()\n"
                              "words = {'k': 4, 'progress': lambda *how: begun.set()}\n"
                              "thread = threading.Thread(target=bs.match, args=('ACGTACGTACGT', {'r': 'ACGT' * 3_000_000}), kwargs=words)\n"
                              "thread.start()\n"
                              "begun.wait()\n"
                              "print(child(lambda: bs.motif('AC', 'ACACAC')))\n"
                              "thread.join()\n"
                              "print(len(bs.motif('AC', 'ACACAC')))\n")
        self.assertEqual(outcome(code), (0, "77\n3\n", ""))

    def test_multiprocessing(self):
        """Processes of `spawn` search, whatever the one that starts them did before."""
        bs.motif("AC", "ACACAC")
        with tempfile.TemporaryDirectory(prefix="python-") as folder:
            path = pathlib.Path(folder) / "pool.py"
            path.write_text("import basesweep as bs, multiprocessing\n"
                            "def number(text):\n"
                            "    return len(bs.motif('AC', text))\n"
                            "if __name__ == '__main__':\n"
                            "    number('AC')\n"
                            "    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
                            "        print(pool.map(number, ['ACAC', 'GGGG', 'AC' * 100_000]))\n")
            done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.stdout, done.stderr), ("[2, 0, 100000]\n", ""))


class Threads(unittest.TestCase):
    def run_all(self, works):
        """Runs functions in a thread each; returns what they return, in order."""
        results = [None] * len(works)

        def run(i):
            try:
                results[i] = works[i]()
            except BaseException as error:  # compared as any other result
                results[i] = error
        threads = [threading.Thread(target=run, args=(i,)) for i in range(len(works))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    def test_one_search_of_many(self):
        searcher = bs.Searcher("ACGTAC", k=1)
        text = letters(3, 400_000)
        expected = len(searcher.search(text))
        self.assertEqual(self.run_all([lambda: len(searcher.search(text))] * 8), [expected] * 8)

    def test_all_kinds_at_once(self):
        """Tables, loops, counts and files of one searcher; and searchers that are made meanwhile."""
        searcher = bs.Searcher("ACGT")
        text = {"r": letters(4, 600_000)}
        expected = len(searcher.search(text))
        with tempfile.TemporaryDirectory(prefix="python-") as folder:
            def write(name):
                return searcher.write(text, f"{folder}/{name}.tsv")["rows"]
            works = [lambda: len(searcher.search(text)), lambda: sum(len(part) for part in searcher.search(text, batches=True)),
                     lambda: searcher.count(text)["ACGT"], lambda: write("a"), lambda: write("b"), lambda: len(bs.motif("ACGT", text)),
                     lambda: sum(len(part) for part in bs.motif("ACGT", text, batches=True)), lambda: len(bs.motif("ACGT", text, threads=1))]
            self.assertEqual(self.run_all(works * 2), [expected] * 16)

    def test_others_run_meanwhile(self):
        ticks = []
        stop = threading.Event()

        def tick():
            while not stop.wait(0.005):
                ticks.append(1)
        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        while time.monotonic() - begin < 0.5:
            bs.match(letters(1, 60), {"r": "ACGT" * 500_000}, k=12, threads=1, device="cpu")
        stop.set()
        thread.join()
        self.assertGreater(len(ticks), 10)


class Signals(unittest.TestCase):
    def test_ctrl_c(self):
        """A search that would take minutes ends soon after the signal."""
        code = ("import basesweep as bs, random, signal\n"
                "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # shells have background jobs ignore it
                "text = {'r': ''.join(random.Random(1).choices('ACGT', k=4_000_000))}\n"
                "patterns = {f'p{i}': ''.join(random.Random(i).choices('ACGT', k=200)) for i in range(300)}\n"
                "print('go', flush=True)\n"
                "try:\n"
                "    bs.match(patterns, text, k=60, threads=1, device='cpu', algorithm='myers')\n"
                "except KeyboardInterrupt:\n"
                "    print('stopped', flush=True)\n")
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "go\n")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        self.assertEqual(process.communicate(timeout=120)[0], "stopped\n")
        self.assertLess(time.monotonic() - begin, 60)


if __name__ == "__main__":
    unittest.main()
