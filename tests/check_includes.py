#!/usr/bin/env python3
"""Checks the rules of docs/architecture.md on who may include whom; ctest runs it as `includes`.

  check_includes.py [--graph] [ROOT]   --graph: also prints how many folders include each other

Prints one line for each include that breaks a rule and exits 1, or exits 0.
"""
import argparse
import collections
import pathlib
import re
import sys

# The folders of lib/, lowest first: each includes only those before it. oracle/ stands apart, see check_oracle().
LIB_ORDER = ["include", "base", "search", "matrices", "reader", "packer", "reads", "structure", "demux", "trim", "counting", "align", "rows", "writer", "parts", "products", "guides", "compiled", "tallies", "pipeline",
             "report", "page", "api"]
WINGS = ["exact", "papers", "approximate", "reads", "matrices", "guides"]  # of kernels/: each folder in them is a room
PRODUCT = ["lib", "kernels", "tools"]
SOURCES = {".cpp", ".hpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

# A library, the header names it is recognised by, and the files that may include them.
LIBRARIES = [
    ("HTSlib", r"htslib/", r"lib/(reader|writer)/|lib/parts/hit_line\.cpp$|tests/"),
    ("a compression library", r"(isa-l|igzip_lib|zlib|zstd|zstd_errors|bzlib|lzma)\.h$|isa-l/",
     r"lib/reader/[^/]+\.cpp$|lib/rows/compressed_block\.cpp$|lib/writer/bgzf_block\.cpp$|tools/doctor/[^/]+\.cpp$|tests/"),
    ("SeqAn3", r"seqan3/", r"tests/"),
    ("the CUDA Toolkit", r"(cuda|cuda_runtime|cuda_runtime_api|cuda_pipeline\w*|nvml|nvtx3/.*)(\.h)?$|(cub|cuda|thrust)/",
     r"kernels/cuda/|.*\.cuh?$"),
    ("CLI11", r"CLI/", r"(tools/.*|tests/fuzz/fuzz_merge)\.cpp$"),
]
# Commands that measure or test what is below the registry.
MEASURING = r"tools/(bench|doctor)/"


def is_room(path):
    return len(path) > 3 and path[0] == "kernels" and path[1] in WINGS


def check_lib(source, target):
    if source[0] != "lib":
        return None
    if target[0] in ("kernels", "tools"):
        return f"lib includes nothing of {target[0]}"
    if source[1] == "oracle":
        return check_oracle(source, target)
    if target[0] == "lib" and target[1] == "oracle":
        return "lib/oracle is for tests and doctor"
    for folder in (source[1], target[1]):
        if folder not in LIB_ORDER:
            return f"lib/{folder} is no folder of lib that tests/check_includes.py knows"
    if LIB_ORDER.index(target[1]) > LIB_ORDER.index(source[1]):
        return f"lib/{source[1]} comes before lib/{target[1]}"
    return None


def check_oracle(source, target):
    if source[2] != "trial" and target[:2] != ["lib", "oracle"]:
        return "the oracle includes nothing else of lib"
    if source[2] != "trial" and target[2] == "trial":
        return "the oracle does not include what asks it"
    return None


def check_kernels(source, target):
    if source[0] != "kernels" or target[0] != "kernels":
        return "kernels include nothing of tools" if source[0] == "kernels" and target[0] == "tools" else None
    if is_room(source) and is_room(target) and source[1:3] != target[1:3]:
        return "a room includes no other room"
    if is_room(source) and target[1] == "registry":
        return "a room includes nothing of the registry"
    if is_room(target) and not is_room(source) and source[1] not in ("registry", target[1]):
        return "only the registry and the room's own wing include a room"
    return None


def check_tools(source, target):
    if source[0] != "tools" or target[0] != "kernels" or target[1] == "registry":
        return None
    if re.match(MEASURING, "/".join(source)):
        return None
    return "tools include lib and kernels/registry; only bench and doctor include what they measure"


def check_tests(source, target):
    if source[0] in PRODUCT and target[0] == "tests":
        return "nothing of the product includes tests"
    return None


RULES = [check_lib, check_kernels, check_tools, check_tests]


def breaches(file, quote, header):
    for library, pattern, allowed in LIBRARIES:
        if re.match(pattern, header) and not re.match(allowed, file):
            yield f"{library} is not for this file"
    if quote == '"' and header.split("/")[0] in (*PRODUCT, "tests"):
        for rule in RULES:
            reason = rule(file.split("/"), header.split("/"))
            if reason:
                yield reason


def edges(includes):
    """How many includes go from a folder of lib/ or a wing of kernels/ to another one; "." is what lies at the top."""
    pairs = collections.Counter()
    for file, _, header in includes:
        source, target = file.split("/"), header.split("/")
        if source[0] != target[0] or source[0] not in ("lib", "kernels"):
            continue
        folders = tuple(path[1] if len(path) > 2 else "." for path in (source, target))
        pairs[(source[0], *folders)] += folders[0] != folders[1]
    return {pair: count for pair, count in pairs.items() if count}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graph", action="store_true")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    options = parser.parse_args()
    includes = []
    for top in (*PRODUCT, "tests"):
        for path in sorted((options.root / top).rglob("*")):
            if path.suffix in SOURCES:
                name = path.relative_to(options.root).as_posix()
                includes += [(name, *found) for found in INCLUDE.findall(path.read_text(encoding="utf-8"))]
    if not includes:
        print(f"{options.root}: no sources found", file=sys.stderr)
        return 1
    wrong = [f'{file}: includes "{header}": {reason}' for file, quote, header in includes
             for reason in breaches(file, quote, header)]
    print("\n".join(wrong) if wrong else f"{len(includes)} includes follow the rules")
    if options.graph:
        found = edges(includes)
        for pair in sorted(found):
            print(f"{pair[0]}: {pair[1]} -> {pair[2]} ({found[pair]})")
        for top in ("lib", "kernels"):
            print(f"{top}: {sum(pair[0] == top for pair in found)} arrows between folders")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
