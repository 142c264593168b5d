"""Makes gzip files with the compressors that people use, and has several threads inflate each, against zlib.

    python3 tests/gzip/run.py TEST_UNIT [--files N] [--seed N]

TEST_UNIT: the program of the unit tests, whose hidden test [gzip_files] inflates the files. The compressors: zlib (levels
0 to 9, all strategies, flushes), gzip, pigz, bgzip, zopfli, libdeflate, ISA-L and zlib-ng, the last four from PyPI. Files
hold one member or several, of one compressor or of many. Those whose compressor is missing are left out, with a message.
Prints how many files each compressor made. Exits 1 when a file was not inflated right, and leaves it where it says.
"""
import argparse
import collections
import concurrent.futures
import functools
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zlib

BATCH = 100
COMPRESSORS = ("gzip", "pigz", "bgzip", "zopfli", "libdeflate", "isal", "zlib-ng")


def random_letters(rng, letters, size):
    return rng.randbytes(size).translate(bytes(letters[i % len(letters)] for i in range(256)))


def random_text(rng, most):
    text = bytearray()
    size = rng.randrange(most)
    while len(text) < size:
        kind = rng.randrange(7)
        if kind == 0:
            text += b"N" * rng.randrange(20000)
        elif kind == 1:
            text += rng.randbytes(rng.randrange(2000))
        elif kind == 2 and text:
            at = rng.randrange(len(text))
            text += text[at:at + rng.randrange(3000)]
        elif kind == 3:
            length = rng.randrange(1, 300)
            text += b"@r%d\n%s\n+\n%s\n" % (len(text), random_letters(rng, b"ACGT", length), random_letters(rng, b"FFFFF:,#", length))
        else:
            bases = random_letters(rng, b"ACGTN", rng.randrange(1, 9000))
            text += b">r%d\n" % len(text) + b"\n".join(bases[at:at + 60] for at in range(0, len(bases), 60)) + b"\n"
    return bytes(text[:size])


def by_zlib(rng, text):
    level, window, memory = rng.randrange(10), 16 + rng.randint(9, 15), rng.randint(1, 9)
    strategy = rng.choice([zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED])
    packer = zlib.compressobj(level, zlib.DEFLATED, window, memory, strategy)
    flush = rng.choice([None, None, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_PARTIAL_FLUSH])
    part = rng.randint(1000, 50000)
    out = b""
    for at in range(0, len(text), part):
        out += packer.compress(text[at:at + part])
        if flush is not None:
            out += packer.flush(flush)
    return out + packer.flush()


def by_program(*command):
    return lambda rng, text: subprocess.run([word.format(level=rng.randint(1, 9)) for word in command], input=text, stdout=subprocess.PIPE, check=True).stdout


def compressors():
    found = {"zlib": by_zlib}
    for name, command in {"gzip": ["gzip", "-{level}", "-c"], "pigz": ["pigz", "-{level}", "-b", "128", "-p", "2", "-c"],
                          "bgzip": ["bgzip", "-l", "{level}", "-c"]}.items():
        if shutil.which(name):
            found[name] = by_program(*command)
    try:
        import zopfli.gzip
        found["zopfli"] = lambda rng, text: zopfli.gzip.compress(text[:30000], numiterations=rng.randint(1, 3))
    except ImportError:
        pass
    try:
        import deflate
        found["libdeflate"] = lambda rng, text: bytes(deflate.gzip_compress(text, rng.randint(1, 12)))
    except ImportError:
        pass
    try:
        from isal import igzip
        found["isal"] = lambda rng, text: igzip.compress(text, rng.randrange(4))
    except ImportError:
        pass
    try:
        from zlib_ng import gzip_ng
        found["zlib-ng"] = lambda rng, text: gzip_ng.compress(text, rng.randrange(10))
    except ImportError:
        pass
    return found


@functools.cache
def makers():
    return compressors()


def make(path, number, seed):
    rng = random.Random(f"{seed} {number}")
    names = list(makers())
    name = names[number % len(names)]
    members = 1 if rng.random() < 0.7 else rng.randint(2, 5)
    with path.open("wb") as out:
        for member in range(members):
            maker = name if member == 0 or rng.random() < 0.5 else rng.choice(names)
            out.write(makers()[maker](rng, random_text(rng, 300_000 // members)))
    return name


def make_and_check(test_unit, seed, numbers):
    """Returns how many files each compressor made; nothing, but what the test printed, where one was not inflated right."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-gzip-"))
    made = collections.Counter(make(folder / f"{number}.gz", number, seed) for number in numbers)
    run = subprocess.run([test_unit, "[gzip_files]"], env={**os.environ, "BASESWEEP_TEST_GZIP": str(folder)}, stdout=subprocess.PIPE, check=False)
    if run.returncode != 0:
        return None, f"{run.stdout.decode(errors='replace')}gzip files of {folder} were not inflated right"
    shutil.rmtree(folder)
    return made, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("test_unit")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in COMPRESSORS:
        if name not in makers():
            print(f"left out, not installed: {name}")
    made = collections.Counter()
    parts = [range(first, min(first + BATCH, options.files)) for first in range(0, options.files, BATCH)]
    with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for counts, fault in pool.map(functools.partial(make_and_check, options.test_unit, options.seed), parts):
            if counts is None:
                pool.shutdown(cancel_futures=True)
                sys.exit(fault)
            made += counts
    print(f"{made.total()} files inflated as zlib does: " + ", ".join(f"{name} {count}" for name, count in sorted(made.items())))


if __name__ == "__main__":
    main()
