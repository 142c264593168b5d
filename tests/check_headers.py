#!/usr/bin/env python3
"""Checks that each header of lib/ and kernels/ compiles alone, and when it is included twice; scripts/check.sh runs it.

  check_headers.py [--compiler CXX] [--cuda-include FOLDER] [ROOT]

Most of a header's time goes to the standard headers it includes. So headers of which each includes the one before it are compiled in
one go: what a header sees of the others is only what it includes itself. Without --cuda-include, headers that need the CUDA
Toolkit are left out; headers that are compiled once for each instruction set always are.

Prints the compiler's messages for each header that does not compile and exits 1, or exits 0.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
WITHOUT_CUDA = "kernels/cuda/cuda.hpp"  # the one header of kernels/cuda that needs no CUDA Toolkit


def headers_of(root, with_cuda):
    """Returns {header: the headers that it includes, also through others}."""
    texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
             for folder in ("lib", "kernels") for path in (root / folder).rglob("*.hpp")}
    found = {}

    def includes(header):
        if header not in found:
            found[header] = set()
            for name in INCLUDE.findall(texts.get(header, "")):
                found[header] |= {name} | includes(name)
        return found[header]

    return {header: includes(header) for header, text in sorted(texts.items())
            if "namespace basesweep::BASESWEEP_ISA" not in text
            and (with_cuda or not header.startswith("kernels/cuda/") or header == WITHOUT_CUDA)}


def chains_of(headers):
    """Returns as few lists as possible that hold each header once, in which each header includes the one before it."""
    after = {header: [other for other, included in headers.items() if header in included] for header in headers}
    before = {}  # header: the one that comes before it

    def put_behind(header, tried):
        """Finds a header that may come after this one, and puts others elsewhere for that if need be (augmenting paths)."""
        for other in after[header]:
            if other not in tried:
                tried.add(other)
                if other not in before or put_behind(before[other], tried):
                    before[other] = header
                    return True
        return False

    next_of = {header: None for header in headers if not put_behind(header, set())}
    next_of |= {header: other for other, header in before.items()}
    chains = []
    for header in headers:
        if header not in before:
            chain = [header]
            while next_of[chain[-1]]:
                chain.append(next_of[chain[-1]])
            chains.append(chain)
    return chains


def messages(root, options, headers):
    """Compiles these headers, one after the other and twice. Returns the compiler's messages; empty: they compile."""
    command = [options.compiler, "-std=c++20", "-fsyntax-only", "-I", root, "-I", root / "lib/include",
               *(["-isystem", options.cuda_include] if options.cuda_include else []), "-x", "c++", "-"]
    source = "".join(f'#include "{header}"\n' for header in headers) * 2
    done = subprocess.run(command, input=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    return done.stdout if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--cuda-include", metavar="FOLDER")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1], metavar="ROOT")
    options = parser.parse_args()
    headers = headers_of(options.root, bool(options.cuda_include))
    if not headers:
        print(f"check_headers: {options.root}: no headers found", file=sys.stderr)
        return 1
    chains = chains_of(headers)

    def faults_of(chain):
        if not messages(options.root, options, chain):
            return []
        return [(header, said) for header in chain if (said := messages(options.root, options, [header]))]

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        wrong = [fault for faults in pool.map(faults_of, chains) for fault in faults]
    for header, said in wrong:
        print(f"{header} does not compile alone:\n{said}")
    print(f"{len(headers)} headers, compiled in {len(chains)} runs: {len(wrong)} do not compile alone")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
