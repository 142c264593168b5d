// The adapters of `trim`: those of its options, and those that its first reads have.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/reads/read_source.hpp"
#include "lib/trim/adapter_set.hpp"
#include "lib/trim/known_adapters.hpp"

namespace basesweep {

// Parses adapters and reads files of adapters. Adapters without a name get a number, `number` the first. Throws
// IoError, UsageError and DataError.
std::vector<Adapter> collect_adapters(const std::vector<std::pair<AdapterKind, std::string>>& words,
                                      const AdapterDefaults& defaults, int& number);

// Hands out the reads of a source of which the first were looked at.
class ReadsAfterLook final : public RawReadSource {
 public:
  explicit ReadsAfterLook(ReadSource& source) : source_(source) {}

  // Takes the first batches of pairs and guesses their adapters. Called at most once, before next().
  AdapterPair guess_adapters();
  std::optional<RawReads> next() override;

 private:
  ReadSource& source_;
  std::vector<RawReads> first_;
  std::size_t next_ = 0;
};

}  // namespace basesweep
