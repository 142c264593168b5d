#include <fmt/format.h>

#include "kernels/cpu_matcher.hpp"
#include "kernels/room.hpp"

namespace basesweep::ac_dfa {
namespace {

// Stand-in until the real loop is in place: tries every entry at every column.
class SimpleCpuMatcher final : public CpuMatcher {
 public:
  explicit SimpleCpuMatcher(const RoomOptions& options)
      : CpuMatcher(options.patterns, options.output, "ac-dfa on cpu"), patterns_(options.patterns), entries_(options.entries) {}

 private:
  void scan(const PackedView& text, HitSink& sink) const override {
    const auto code = [&](std::uint64_t i) {
      return (text.lo[i / 64] >> (i % 64) & 1) | (text.hi[i / 64] >> (i % 64) & 1) << 1;
    };
    for (std::uint32_t column = text.own_begin; column < text.own_end; ++column) {
      for (const std::uint32_t e : entries_) {
        const auto& sets = patterns_.entries()[e].columns;
        std::size_t i = 0;
        while (i < sets.size() && (sets[i] >> code(std::uint64_t{column} + i) & 1)) ++i;
        if (i == sets.size()) sink.hit(column, e);
      }
    }
  }

  const PatternSet& patterns_;
  const std::vector<std::uint32_t> entries_;
};

}  // namespace

std::optional<std::string> decline(const Entry& entry) {
  if (entry.iupac) return "has IUPAC codes";
  if (entry.columns.size() > 4096) return "is longer than 4096";
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<SimpleCpuMatcher>(options);
}

}  // namespace basesweep::ac_dfa
