#!/usr/bin/env bash
# Objects compiled for a newer instruction set may share no symbol with others: of weak symbols (inline functions,
# templates) the linker keeps one copy for the whole program, which would then crash on older processors.
#
#   check_isa_objects.sh OBJECT...
set -euo pipefail

if [[ $# -eq 0 ]]; then
  echo "check_isa_objects.sh: no objects given" >&2
  exit 2
fi
failed=0
for object in "$@"; do
  # Types: V and W are weak, u is unique in the whole program.
  shared=$(nm --demangle --defined-only "$object" | grep -E '^[0-9a-f]+ [VWu] ' | grep -vE 'basesweep::avx(2|512)::' || true)
  if [[ -n $shared ]]; then
    echo "$object defines symbols that other objects could be given:" >&2
    echo "$shared" >&2
    failed=1
  fi
done
echo "$# objects looked at"
exit $failed
