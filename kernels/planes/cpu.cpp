#include <fmt/format.h>

#include "kernels/cpu_matcher.hpp"
#include "kernels/planes/index.hpp"
#include "kernels/planes/scan.hpp"
#include "kernels/room.hpp"
#include "kernels/scratch.hpp"

namespace basesweep {

namespace sse42 {
void planes_scan(const planes::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}
namespace avx2 {
void planes_scan(const planes::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}
namespace avx512 {
void planes_scan(const planes::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);
}

namespace planes {
namespace {

class PlanesCpuMatcher final : public CpuMatcher {
 public:
  explicit PlanesCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options.patterns, options.output, fmt::format("planes on cpu ({})", to_string(options.isa))),
        index_(options.patterns, options.entries),
        scan_(pick(options.isa, sse42::planes_scan, avx2::planes_scan, avx512::planes_scan)) {}

 private:
  void scan(const PackedView& text, HitSink& sink) const override {
    const IndexView view = index_.view();
    scan_(view, text, thread_scratch(scratch_words(view)), sink);
  }

  const Index index_;
  const ScanFunction scan_;
};

}  // namespace

std::optional<std::string> decline(const Entry&) { return std::nullopt; }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<PlanesCpuMatcher>(options);
}

}  // namespace planes
}  // namespace basesweep
