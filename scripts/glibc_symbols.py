#!/usr/bin/env python3
"""Which glibc a program needs: makes libraries to link with for an older one, and checks what was linked.

  scripts/glibc_symbols.py stub VERSION LIBRARY...   replaces each library of glibc by one with the same symbols, but none newer than
                                                     glibc VERSION, and no code: to link with, not to run
  scripts/glibc_symbols.py check VERSION FILE...     prints the newest symbol of glibc and libstdc++ that each file needs, and fails if
                                                     one is newer than glibc VERSION, or one of libstdc++ than GLIBCXX_3.4.25

A symbol whose behaviour changed is in glibc once for each change: pow of GLIBC_2.29 and of GLIBC_2.2.5. A linker takes the newest that
the library has, so a program linked with glibc 2.31 does not start with 2.28. Linked with a stub for 2.28 it takes pow of 2.2.5, and
where a function is newer than that, linking fails.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

GLIBCXX = (3, 4, 25)  # libstdc++ of GCC 8, which Red Hat 8 has


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def dynamic_symbols(path):
    """Yields name, version node or '', whether the version is the default one, section, kind and size of each dynamic symbol."""
    lines = subprocess.run(["readelf", "--dyn-syms", "--wide", path], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0][:-1].isdigit():
            continue
        size, kind, section, symbol = int(fields[2], 0), fields[3], fields[6], fields[7]
        name, at, node = symbol.partition("@")
        yield name, node.lstrip("@"), at + node[:1] == "@@", section, kind, size


def stub(newest, path):
    candidates = collections.defaultdict(list)
    linkable = set()  # others are there for old programs only
    for name, node, default, section, kind, size in dynamic_symbols(path):
        found = re.fullmatch(r"GLIBC_([0-9.]+)", node)
        if section in ("UND", "ABS") or not found:
            continue
        if default:
            linkable.add(name)
        if numbers(found[1]) <= newest:
            candidates[name].append((numbers(found[1]), kind, size))
    nodes = collections.defaultdict(list)
    assembly = []
    for name in sorted(linkable & candidates.keys()):
        version, kind, size = max(candidates[name])
        nodes[version].append(name)
        if kind in ("FUNC", "IFUNC"):
            assembly.append(f".text\n.globl {name}\n.type {name},@function\n{name}: ret\n.size {name},.-{name}")
        else:
            assembly.append(f".bss\n.balign 32\n.globl {name}\n.type {name},@object\n{name}: .skip {size}\n.size {name},{size}")
    script = [f"GLIBC_{'.'.join(map(str, version))} {{ global: {' '.join(n + ';' for n in names)} }};" for version, names in sorted(nodes.items())]
    with tempfile.TemporaryDirectory() as folder:
        source, versions = os.path.join(folder, "stub.s"), os.path.join(folder, "stub.map")
        with open(source, "w") as file:
            file.write("\n".join(assembly) + '\n.section .note.GNU-stack,"",@progbits\n')
        with open(versions, "w") as file:
            file.write("\n".join(script) + "\nNOTHING { local: *; };\n")
        made = os.path.join(folder, "stub.so")
        subprocess.run(["gcc", "-shared", "-nostdlib", "-o", made, source, f"-Wl,--version-script={versions},-soname,{os.path.basename(path)}"], check=True)
        if os.path.lexists(path):
            os.unlink(path)  # a link to the library under another name
        with open(made, "rb") as file, open(path, "wb") as out:
            out.write(file.read())


def check(newest, path):
    """Prints the newest symbols that a file needs; returns whether it is too new."""
    needed = {"GLIBC": ((), ""), "GLIBCXX": ((), "")}
    for name, node, _, section, _, _ in dynamic_symbols(path):
        found = re.fullmatch(r"(GLIBC|GLIBCXX)_([0-9.]+)", node)
        if section == "UND" and found:
            needed[found[1]] = max(needed[found[1]], (numbers(found[2]), name))
    limits = {"GLIBC": newest, "GLIBCXX": GLIBCXX}
    too_new = [kind for kind, (version, _) in needed.items() if version > limits[kind]]
    words = [f"{kind}_{'.'.join(map(str, version))} ({name})" for kind, (version, name) in needed.items() if version]
    print(f"{os.path.basename(path)}: {', '.join(words) or 'nothing of glibc'}{': too new' if too_new else ''}")
    return bool(too_new)


def main(arguments):
    if len(arguments) < 3 or arguments[0] not in ("stub", "check"):
        sys.exit(__doc__.split("\n\n")[1])
    newest = numbers(arguments[1])
    if arguments[0] == "stub":
        for path in arguments[2:]:
            stub(newest, path)
        return
    too_new = [path for path in arguments[2:] if check(newest, path)]
    if too_new:
        sys.exit(f"glibc_symbols: needs more than glibc {arguments[1]} or GLIBCXX_3.4.25: {', '.join(too_new)}")


main(sys.argv[1:])
