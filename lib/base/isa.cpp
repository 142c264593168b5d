#include "lib/base/isa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "lib/base/error.hpp"

namespace basesweep {

#if defined(__aarch64__)
std::vector<Isa> available_isas() { return {Isa::neon}; }
#else
std::vector<Isa> available_isas() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) return {};
  std::vector<Isa> isas{Isa::sse42};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma")) {
    isas.push_back(Isa::avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      isas.push_back(Isa::avx512);
    }
  }
  return isas;
}
#endif

Isa best_isa() {
  const std::vector<Isa> isas = available_isas();
  if (isas.empty()) {
    throw Error(
        kExitFailure,
        "basesweep needs a processor with SSE4.2 and POPCNT, and this one lacks them; in a virtual machine, set the "
        "processor type to 'host'");
  }
  const char* wanted = std::getenv("BASESWEEP_ISA");
  if (wanted == nullptr || *wanted == '\0') return isas.back();
  for (const Isa isa : {Isa::sse42, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (std::string_view(wanted) != to_string(isa)) continue;
    if (std::find(isas.begin(), isas.end(), isa) != isas.end()) return isa;
    throw UsageError(fmt::format("BASESWEEP_ISA={}: this processor does not have it", wanted));
  }
  throw UsageError(fmt::format("BASESWEEP_ISA={}: expected sse42, avx2, avx512 or neon", wanted));
}

const char* to_string(Isa isa) {
  switch (isa) {
    case Isa::sse42: return "sse42";
    case Isa::avx2: return "avx2";
    case Isa::avx512: return "avx512";
    case Isa::neon: return "neon";
  }
  return "";
}

}  // namespace basesweep
