#!/usr/bin/env bash
# Objects compiled for a newer instruction set may share no symbol with other objects. Otherwise the linker keeps one copy of a
# weak symbol (inline function, template) for the whole program, which may be the one that crashes on older processors.
#
#   check_isa_objects.sh OBJECT...
set -euo pipefail

if [[ $# -eq 0 ]]; then
  echo "check_isa_objects.sh: no objects given" >&2
  exit 2
fi
failed=0
for object in "$@"; do
  # Types: V and W are weak, u is unique in the program.
  shared=$(nm --demangle --defined-only "$object" | grep -E '^[0-9a-f]+ [VWu] ' | grep -vE 'basesweep::avx(2|512)::' || true)
  if [[ -n $shared ]]; then
    echo "$object defines symbols that the linker could use for other objects:" >&2
    echo "$shared" >&2
    failed=1
  fi
done
echo "$# objects checked"
exit $failed
