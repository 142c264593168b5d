// Features of an annotation, such as genes and exons, and which of them an interval overlaps.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

struct Feature {
  std::int64_t begin;  // in its record, 0-based
  std::int64_t end;    // exclusive
  std::uint32_t kind;  // index into Annotation::kinds()
  std::uint32_t name;  // index into Annotation::names()
};

// The features of one record: an interval tree in a sorted array (Li and Rong 2021, "cgranges").
class RecordFeatures {
 public:
  explicit RecordFeatures(std::vector<Feature> features);

  // Appends the features that share a base with [begin, end), by begin, end and their order in the file.
  void overlapping(std::int64_t begin, std::int64_t end, std::vector<Feature>& found) const;

 private:
  std::int64_t set_reach(std::size_t low, std::size_t high);
  void visit(std::size_t low, std::size_t high, std::int64_t begin, std::int64_t end,
             std::vector<Feature>& found) const;

  // The root of the features [low, high) is the one in the middle.
  std::vector<Feature> features_;
  std::vector<std::int64_t> reach_;  // of each: the largest end in its subtree
};

class Annotation {
 public:
  // Reads GFF3, GTF or BED, which the first line with columns tells apart, compressed or not. The kind of a feature is
  // its type in GFF3 and "region" in BED. Its name: in GFF3 the attribute Name, gene_name, gene, ID or gene_id, the
  // first that is there, with the file's %XX; in BED the fourth column, with %XX for what GFF3 does not allow there;
  // "." for none. `kinds`: only features of these kinds are kept; all if it is empty. Throws like read_all(), DataError
  // with path, line and what was expected, and DataError for a kind that the file does not have.
  static Annotation read(const std::string& path, std::span<const std::string> kinds = {});

  // In order of their first feature.
  const std::vector<std::string>& kinds() const { return kinds_; }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<std::string> records() const;

  // Null for a record without features.
  const RecordFeatures* of(std::string_view record) const;

  // Appends the kinds of these features, each once, in the order of kinds().
  void kinds_of(std::span<const Feature> features, std::vector<std::uint32_t>& found) const;
  // Appends "kind:name" of these features, each once, in the order of kinds(), with commas between; "." for none.
  void append_names(std::span<const Feature> features, std::string& text) const;

 private:
  friend class FeatureReader;

  std::vector<std::string> kinds_;
  std::vector<std::string> names_;
  std::map<std::string, RecordFeatures, std::less<>> records_;
};

}  // namespace basesweep
