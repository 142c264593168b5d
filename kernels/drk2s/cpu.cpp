#include <fmt/format.h>

#include "kernels/cpu_matcher.hpp"
#include "kernels/drk2s/index.hpp"
#include "kernels/drk2s/scan.hpp"
#include "kernels/room.hpp"
#include "kernels/scratch.hpp"

namespace basesweep {

namespace sse42 {
void drk2s_scan(const drk2s::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}
namespace avx2 {
void drk2s_scan(const drk2s::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}
namespace avx512 {
void drk2s_scan(const drk2s::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}

namespace drk2s {
namespace {

class Drk2sCpuMatcher final : public CpuMatcher {
 public:
  explicit Drk2sCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options.patterns, options.output, fmt::format("drk2s on cpu ({})", to_string(options.isa))),
        index_(options.patterns, options.entries, kCpuWindow),
        scan_(pick(options.isa, sse42::drk2s_scan, avx2::drk2s_scan, avx512::drk2s_scan)) {}

 private:
  void scan(const PackedView& text, HitSink& sink) const override {
    const IndexView view = index_.view();
    scan_(view, text, thread_scratch(scratch_words(view)), sink);
  }

  const Index index_;
  const ScanFunction scan_;
};

}  // namespace

std::optional<std::string> decline(const Entry& entry) {
  if (entry.iupac) return "has IUPAC codes";
  if (entry.columns.size() > kMaxLength) return fmt::format("is longer than {} bases", kMaxLength);
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<Drk2sCpuMatcher>(options);
}

}  // namespace drk2s
}  // namespace basesweep
