// The work of a command that writes reads: it decides for each read where it goes and which of its bases are written.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/text_arena.hpp"
#include "lib/reads/read_list.hpp"

namespace basesweep {

// A read as it is written: bases [begin, end) of the input's read, in the input's orientation.
struct WrittenRead {
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t file = kNowhere;  // number of the destination; kNowhere: the read is not written
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool turned = false;            // the reverse complement of these bases is written
  bool exchanged = false;         // of both mates or none: the first mate is written as the second, and the other way
  bool alone = false;             // it is written as a single read, and its mate, if it has one, is not written
  bool tagged = false;            // `tags` are written in titles too, in place of the title after the name
  std::string_view bases{};       // written in place of all bases of the read, as many; no data: the read's own
  std::string_view name_tail{};   // comes after the name
  std::string_view title_tail{};  // comes after the title, with a blank before it
  std::string_view tags{};        // of SAM, each after a tab: "\tBC:Z:ACGT"; they replace those of the title
};

// Counts of a batch; each command has its own.
struct ReadCounts {
  ReadCounts() = default;
  virtual ~ReadCounts() = default;
  ReadCounts(const ReadCounts&) = delete;
  ReadCounts& operator=(const ReadCounts&) = delete;
};

struct ProcessedReads {
  std::vector<WrittenRead> written;  // one for each read of the list
  std::string rows{};                // of the table of reads
  TextArena texts{};                 // of `written`, unless they are of the list
  std::unique_ptr<ReadCounts> counts{};
};

class ReadProcessor {
 public:
  virtual ~ReadProcessor() = default;
  // Thread-safe. May throw DataError about a read, see ReadList::fault(); nothing of its list is written then.
  virtual ProcessedReads process(const ReadList& reads) const = 0;
  // Takes the counts of each list, in input order, from one thread at a time.
  virtual void take(const ReadCounts& counts) = 0;
};

}  // namespace basesweep
