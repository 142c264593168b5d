"""trim against cutadapt, if it is installed: the same reads for random options; places in which both differ are known."""
import os
import random
import re
import shutil
import subprocess
import unittest

from support import BINARY, SANITIZED, Case, environment

CUTADAPT = os.environ.get("BASESWEEP_CUTADAPT") or shutil.which("cutadapt")
ROUNDS = 10 if SANITIZED else int(os.environ.get("BASESWEEP_TRIM_ROUNDS") or 60)


def letters(rng, count, alphabet="ACGT"):
    return "".join(rng.choice(alphabet) for _ in range(count))


def changed(rng, text, rate):
    """The text with random mismatches, deleted and inserted bases."""
    out = []
    for letter in text:
        roll = rng.random()
        if roll < rate / 2:
            out.append(rng.choice("ACGTN"))
        elif roll < rate * 0.75:
            continue
        else:
            out.append(letter)
            if roll > 1 - rate / 4:
                out.append(rng.choice("ACGT"))
    return "".join(out)


class Trial:
    """Random adapters, reads that have them, and options that both programs know.

    Reads are longer than adapters: cutadapt's search by k-mers misses reads that lie within an adapter. Adapters have no
    wildcards where errors are many, and adapters at an end of reads come alone and without indels, for which cutadapt's
    k-mers are not exact either: see docs/reads.md for what differs.
    """

    def __init__(self, seed, paired, together=None):
        self.rng = rng = random.Random(seed)
        self.paired, self.together = paired, together
        self.options, self.sequences = [together] if together else [], [[], []]
        count = rng.choice([1, 2, 4])
        for mate in range(2 if paired else 1):
            for _ in range(count if together == "--pair-adapters" else rng.choice([1, 1, 2, 4])):
                self.add_adapter(mate)
        self.add_steps()
        if any(word[0] in "X^" or word[-1] in "X$" for word in self.options):
            self.options += ["--no-indels"] if "--no-indels" not in self.options else []
        self.add_filters()

    def add_adapter(self, mate):
        rng = self.rng
        sequence = letters(rng, rng.choice([8, 13, 20, 33]))
        self.sequences[mate].append(sequence)
        letter = rng.choice("agb")
        word = sequence
        others = sum(word[0] in "X^" or word[-1] in "X$" for word in self.options if word)
        if letter == "a":
            word = sequence + (rng.choice(["", "", "X", "$"]) if others == 0 else "")
        elif letter == "g":
            word = (rng.choice(["", "", "X", "^"]) if others == 0 else "") + sequence
        if letter != "b" and rng.random() < 0.2:
            back = letters(rng, rng.choice([10, 18]))
            self.sequences[mate].append(back)
            word = sequence + rng.choice(["", ";optional", ";required"]) + "..." + back
        elif rng.random() < 0.2 and word == sequence:
            word += rng.choice([";o=5", ";e=0.2", ";noindels"])
        self.options += ["-" + (letter.upper() if mate else letter), word]

    def add_steps(self):
        rng, options = self.rng, self.options
        for chance, words in [(0.3, ["-e", rng.choice(["0", "0.2", "1"])]), (0.3, ["-O", rng.choice(["1", "5", "10"])]),
                              (0.2, ["--no-indels"]), (0.3, ["-q", rng.choice(["20", "10,15", "0,25"])]),
                              (0.1, ["--nextseq-trim", "20"]), (0.2, ["--poly-a"]), (0.2, ["-l", rng.choice(["30", "-25"])]),
                              (0.2, ["--trim-n"]), (0.2, ["-u", rng.choice(["3", "-4"])]), (0.05, ["--match-read-wildcards"])]:
            if rng.random() < chance:
                options += words
        action = rng.choice(["trim"] * 4 + ["retain", "mask", "lowercase", "crop", "none"])
        if action == "crop" and (self.together == "--pair-adapters" or any("..." in word for word in options)):
            action = "mask"
        options += ["--action", action]
        # What -n leaves of a read may lie within an adapter of -b.
        if action not in ("retain", "crop") and self.together != "--pair-adapters" and not {"-b", "-B"} & set(options) and rng.random() < 0.4:
            options += ["-n", "2"]
        if self.paired:
            for chance, words in [(0.2, ["-U", "2"]), (0.2, ["-Q", "15"]), (0.1, ["-L", "20"])]:
                if rng.random() < chance:
                    options += words
        elif rng.random() < 0.3:
            options += ["--revcomp"]

    def add_filters(self):
        rng, options = self.rng, self.options
        lengths = ["20", "20:15", ":30"] if self.paired else ["20"]
        for chance, words in [(0.4, ["-m", rng.choice(lengths)]), (0.2, ["-M", "70"]), (0.2, ["--max-n", rng.choice(["0", "2", "0.05"])]),
                              (0.2, ["--max-ee", "4.05"]), (0.1, ["--max-aer", "0.0301"])]:
            if rng.random() < chance:
                options += words
        options += rng.choice([[]] * 3 + [["--discard-trimmed"], ["--discard-untrimmed"]])
        if self.paired and rng.random() < 0.4:
            options += ["--pair-filter", rng.choice(["any", "both", "first"])]

    def read(self, mate):
        rng = self.rng
        bases = letters(rng, rng.randrange(40, 90), "ACGTN" if rng.random() < 0.1 else "ACGT")
        for _ in range(rng.choice([0, 1, 1, 2])):
            sequence = rng.choice(self.sequences[mate])
            piece = changed(rng, rng.choice([sequence, sequence[: rng.randrange(len(sequence))], sequence[rng.randrange(len(sequence)):]]),
                            rng.choice([0, 0.05, 0.15]))
            bases = rng.choice([bases + piece, piece + bases, bases + piece + letters(rng, 10), letters(rng, 6) + piece + bases])
        if rng.random() < 0.1:
            bases += "A" * rng.randrange(12)
        if rng.random() < 0.2:
            bases = bases[::-1].translate(str.maketrans("ACGTN", "TGCAN"))
        if rng.random() < 0.02:
            bases = ""
        quality = "".join(chr(33 + min(40, max(2, int(rng.gauss(38 - 25 * (i / 90) ** 2, 5))))) for i in range(len(bases)))
        return bases, quality

    def write(self, folder, count=200):
        mates = range(2 if self.paired else 1)
        texts = ["" for _ in mates]
        for i in range(count):
            exchanged = self.together == "--revcomp" and self.rng.random() < 0.5
            for mate in mates:
                bases, quality = self.read(1 - mate if exchanged else mate)
                texts[mate] += f"@r{i} {mate + 1}:N:0\n{bases}\n+\n{quality}\n"
        files = [folder / f"in{mate + 1}.fq" for mate in mates]
        for path, text in zip(files, texts):
            path.write_text(text)
        return files


@unittest.skipUnless(CUTADAPT, "cutadapt is not installed")
class TrimPeers(Case):
    def compare(self, seed, paired, together=None):
        trial = Trial(seed, paired, together)
        folder = self.folder / f"{seed}{'p' if paired else 's'}{together}"
        folder.mkdir()
        files = trial.write(folder)
        outputs = {}
        for name, words in (("ours", [BINARY, "trim", "-t", "1", "--quiet"]), ("theirs", [CUTADAPT, "--quiet", "--no-index"])):
            out = [folder / f"{name}{i}.fq" for i in range(len(files))]
            where = ["-o", out[0], "-p", out[1]] if paired else ["-o", out[0]]
            done = subprocess.run([*map(str, [*words, *trial.options, *where, *files])], capture_output=True, text=True,
                                  env=environment(), check=False)
            self.assertEqual(done.returncode, 0, (name, trial.options, done.stderr))
            # Mates that are exchanged have the number of their new place here, and keep the old one in cutadapt.
            outputs[name] = [re.sub(" [12]:N:0", "", path.read_text()) for path in out]
        for ours, theirs in zip(outputs["ours"], outputs["theirs"]):
            if ours == theirs:
                continue
            a, b = ours.split("@r"), theirs.split("@r")
            different = [(x, y) for x, y in zip(a, b) if x != y][:1] or [(len(a), len(b))]
            self.fail(f"seed {seed}: {trial.options}: {different}, {len(a)} and {len(b)} reads")

    def test_single_reads(self):
        for seed in range(ROUNDS):
            with self.subTest(seed=seed):
                self.compare(seed, False)

    def test_pairs(self):
        for seed in range(ROUNDS):
            with self.subTest(seed=seed):
                self.compare(seed, True)

    def test_pairs_by_both_mates(self):
        for seed in range(ROUNDS):
            for together in ("--revcomp", "--pair-adapters"):
                with self.subTest(seed=seed, together=together):
                    self.compare(seed, True, together)


if __name__ == "__main__":
    unittest.main()
