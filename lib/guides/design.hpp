// Designing guides: those that the text has next to a PAM, and the best of them in each region.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/guides/text_sites.hpp"
#include "lib/reader/read_regions.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// The limits that a designed guide obeys.
struct DesignLimits {
  std::uint32_t length = 20;
  std::uint32_t min_gc = 0;  // percent of its bases
  std::uint32_t max_gc = 100;
  std::optional<std::uint32_t> max_poly_t{};  // of the longest run of T; nothing: any
};

// The rows of the table that are written.
struct RowChoice {
  static constexpr std::uint64_t kMostScored = 10'000;

  // The table shows no scores of a guide with more places: sums over so many say nothing, and take long to make.
  std::uint64_t most_scored = kMostScored;
  std::uint32_t min_specificity = 0;      // by CFD, in steps of 1 / kFullScore
  std::optional<std::uint32_t> unique{};  // no other place has at most so many mismatches; nothing: any may

  bool has_sums(const GuideTotals& totals) const { return totals.places() <= most_scored; }
  // For --top: the lower, the better.
  std::tuple<bool, std::uint64_t, std::uint64_t> rank(const GuideTotals& totals) const;
  // `scored`: has_scores() of the guide.
  bool takes(const GuideTotals& totals, bool scored) const;
};

// The bases may lie in either order.
bool fits(SiteBases guide, const DesignLimits& limits);

// A guide that appears in the text.
struct DesignedGuide {
  std::string letters;  // 5' to 3', without PAM
  std::string pam;      // of the text
  std::string record;
  std::int64_t start;  // of guide and PAM, in the record, 0-based
  std::int64_t end;    // exclusive
  char strand;
  std::int64_t number;  // of the record, as NearPlace::record

  NearPlace place() const;

  std::string name() const;  // "record:start-end(strand)"
};

// The cells of a row before its counts.
class DesignCells {
 public:
  // Sets them; memory is kept from guide to guide.
  void set(std::string_view record, std::int64_t start, std::int64_t end, char strand, std::string_view letters,
           std::string_view pam);
  // Name, sequence, PAM, record, start, end, strand and percent of G and C.
  const std::array<std::string_view, 8>& views() const { return views_; }
  // The same with tabs between.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::array<std::string_view, 8> views_;
};

// The guide of this many N, whose places without mismatch are all guides of the text.
GuideSet every_guide(const PamChoice& choice, std::uint32_t length);

// Takes the places of every_guide() from a pipeline, in output order.
class DesignList final : public ByteSink {
 public:
  DesignList(const GuideSet& every, const DesignLimits& limits);

  const Formatter& formatter() const { return *formatter_; }
  void write(std::string_view bytes) override;  // the output of formatter()

  // The guides that fit, and how many did not. More than kMaxDesigned are a DataError.
  const std::vector<DesignedGuide>& guides() const { return guides_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  std::unique_ptr<Formatter> formatter_;
  const DesignLimits limits_;
  std::vector<DesignedGuide> guides_;
  std::uint64_t left_out_ = 0;
};

inline constexpr std::size_t kMaxDesigned = 20'000'000;

// The designed guides that start in one region, or are in one record. --top chooses the best of each group.
struct GuideGroup {
  struct Range {
    std::size_t begin;
    std::size_t end;  // exclusive
  };

  std::string name;             // of the region: its own, or as --region takes it; or of the record
  std::vector<Range> ranges{};  // of guides in output order; several where records share a name
};

// A group for each name of a record that has guides. `guides`: in output order.
std::vector<GuideGroup> groups_of_records(const std::vector<DesignedGuide>& guides);
// A group for each region, in the order given. Regions may overlap, and have no guide.
std::vector<GuideGroup> groups_of_regions(const std::vector<DesignedGuide>& guides,
                                          const std::vector<NamedRegion>& regions);

struct TopGuide {
  std::size_t guide;
  const GuideGroup* group;
};

// The `count` best guides of each group that `choice` takes, in output order: by CFD specificity, then MIT specificity,
// then place; those without sums come last. The groups must outlive the result.
std::vector<TopGuide> best_of_groups(const std::vector<GuideGroup>& groups, const GuideTable& table,
                                     const RowChoice& choice, std::size_t count);

}  // namespace basesweep
