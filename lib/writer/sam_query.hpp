// How hits become alignments of SAM: names, sequences, paths and differences of queries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/search/hit.hpp"
#include "lib/writer/differences.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Names that become QNAMEs.
class SamQueryNames {
 public:
  // `noun`: what has the names, for messages ("pattern"). `max_letters`: that a name may have.
  explicit SamQueryNames(std::string noun, std::size_t max_letters = kMaxSamNameLetters)
      : noun_(std::move(noun)), max_letters_(max_letters) {}

  // The name as a QNAME, which holds no blanks. Throws UsageError if SAM does not allow it, or if another name became
  // the same QNAME.
  std::string add(const std::string& name);

 private:
  std::string noun_;
  std::size_t max_letters_;
  std::unordered_map<std::string, std::string> known_;  // QNAMEs so far, and the names they come from
};

// Memory that is kept from one hit to the next.
struct SamScratch {
  Tracer tracer{};
  std::vector<CigarRun> cigar{};
  Differences differences{};
  std::string name{};
  std::string tags{};
};

// The queries of a pattern set as SAM shows them. Thread-safe once made.
class SamQueries {
 public:
  // `distinguish`: = and X in CIGAR instead of M. Throws UsageError for a pattern with more edits than a CIGAR of BAM
  // has room for. `patterns` must outlive this object.
  SamQueries(const PatternSet& patterns, bool distinguish);

  // Sets what a record says about a hit, apart from its place: the strand in FLAG, MAPQ, CIGAR, SEQ, NM, MD and XE.
  // `letters`: the text of the hit, forward strand. The record points into `scratch` and into this object.
  void describe(const Hit& hit, std::string_view letters, SamScratch& scratch, SamRecord& record) const;

 private:
  const PatternSet& patterns_;
  bool distinguish_;
  std::vector<std::string> letters_;  // SEQ of each query
};

}  // namespace basesweep
