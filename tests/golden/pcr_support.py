"""Shared by the tests of `pcr`: the tables of pairs, random genomes with products, and runs."""

from map_support import random_bases
from naive_match import reverse_complement
from support import Case

NAMES = {"forward", "reverse", "forward_tm", "reverse_tm", "product_tm"}


def table(pairs):
    text = "name\tforward\treverse\tmin_size\tmax_size\n"
    for pair in pairs:
        sizes = ["" if size is None else str(size) for size in (pair.low, pair.high)]
        text += "\t".join([pair.name, pair.forward, pair.reverse, *sizes]) + "\n"
    return text


def plant(rng, letters, pairs, copies):
    """Writes products of the pairs into the text, in either orientation, with few changes."""
    letters = list(letters)
    for _ in range(copies):
        pair = rng.choice(pairs)
        left, right = rng.sample([pair.forward, pair.reverse], 2)
        place = rng.randrange(max(1, len(letters) - 120))
        for text, at in ((left, place), (reverse_complement(right), place + rng.randrange(0, 90))):
            text = "".join(
                rng.choice("ACGT") if rng.random() < 0.08 else c if c in "ACGT" else rng.choice("ACGT") for c in text
            )
            letters[at : at + len(text)] = text[: max(0, len(letters) - at)]
    return "".join(letters)


def genome(rng, pairs):
    """Returns records, some shorter than a primer, with products of the pairs, lower case and N."""
    records = []
    for number in range(rng.randint(1, 4)):
        length = rng.choice([0, 3, 30, 180, 500])
        text = (
            plant(rng, random_bases(rng, length), pairs, length // 60)[:length]
            if length > 130
            else random_bases(rng, length)
        )
        text = "".join(c.lower() if rng.random() < 0.1 else "N" if rng.random() < 0.01 else c for c in text)
        records.append((f"r{number}", text))
    return records


class PcrCase(Case):
    def pcr(self, *words, **options):
        return self.good(self.run_here(*words, command="pcr", **options))

    def good(self, done):
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def bad(self, *words, code=3, **options):
        done = self.run_here(*words, command="pcr", **options)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done.stderr.decode()

    def parts(self, count, *words):
        """Runs all chunks of a run, which differ in threads and batches; returns the names of their parts."""
        names = [f"part{i}.bsp" for i in range(1, count + 1)]
        for i, name in enumerate(names, 1):
            self.pcr(*words, "-q", "-t", i % 3 + 1, "--batch-bases", 1 + 37 * i, "--chunk", f"{i}/{count}", "-o", name)
        return names

    def merge(self, parts, *words):
        return self.good(self.run_here(*reversed(parts), "-q", *words, command="merge"))

    def rows(self, text):
        lines = [line.split("\t") for line in text.splitlines()]
        keep = [i for i, name in enumerate(lines[0]) if name not in NAMES]
        return [[line[i] for i in keep] for line in lines[1:]]
