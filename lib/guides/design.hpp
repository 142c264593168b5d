// Designing guides: those that the text holds beside a PAM, and the best of them in each region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/guides/guide_formatter.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/search/region_set.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

// What a designed guide is like.
struct DesignLimits {
  std::uint32_t length = 20;
  std::uint32_t min_gc = 0;  // percent of its bases
  std::uint32_t max_gc = 100;
  std::optional<std::uint32_t> max_poly_t{};  // of the longest run of T; nothing: any
};

bool fits(std::string_view guide, const DesignLimits& limits);

// A guide that lies in the text.
struct DesignedGuide {
  std::string letters;  // 5' to 3', without PAM
  std::string pam;      // of the text
  std::string record;
  std::int64_t start;  // of guide and PAM, in the record, 0-based
  std::int64_t end;    // exclusive
  char strand;

  std::string name() const;  // "record:start-end(strand)"
};

// The guide of this many N, whose places without mismatch are all guides of the text.
GuideSet every_guide(const PamChoice& choice, std::uint32_t length);

// Takes the places of every_guide() from a pipeline, in output order.
class DesignList final : public ByteSink {
 public:
  DesignList(const GuideSet& every, const DesignLimits& limits);

  const GuideFormatter& formatter() const { return *formatter_; }
  void write(std::string_view bytes) override;  // what formatter() made

  // Those that fit, and how many did not. More than kMaxDesigned are a DataError.
  const std::vector<DesignedGuide>& guides() const { return guides_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  std::unique_ptr<GuideFormatter> formatter_;
  const DesignLimits limits_;
  std::vector<DesignedGuide> guides_;
  std::uint64_t left_out_ = 0;
};

inline constexpr std::size_t kMaxDesigned = 20'000'000;

// The number of the region that each guide starts in: of `regions`, or without them of its record. Guides are in output
// order. Fills `empty`, unless it is null, with the regions that hold no guide, as --region takes them.
std::vector<std::size_t> regions_of(const std::vector<DesignedGuide>& guides, const RegionSet* regions,
                                    std::vector<std::string>* empty);

// Whether each guide is one of the `count` best of its region: by CFD specificity, then MIT specificity, then place.
std::vector<bool> best_of_regions(const std::vector<std::size_t>& regions, const GuideTable& table, std::size_t count);

}  // namespace basesweep
