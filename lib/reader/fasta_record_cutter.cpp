#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/record_cutter.hpp"

namespace basesweep {
namespace {

class FastaScanner final : public RecordScanner {
 public:
  explicit FastaScanner(CutterOptions options) : options_(options) {}

  void scan(const PendingText& pending, std::vector<RecordText>& records, std::size_t& whole) override {
    const std::string_view all = pending.view();
    for (whole = 0; whole < all.size();) {
      const std::string_view text = all.substr(whole);
      const std::size_t title_end = std::min(text.find('\n'), text.size());
      if (title_end > options_.max_title_bytes)
        throw title_too_long(*pending.file(), pending.offset() + static_cast<std::int64_t>(whole),
                             options_.max_title_bytes);
      const std::size_t next = next_record(text, title_end);
      if (std::min(next, text.size()) > options_.max_record_bytes)
        throw DataError(fmt::format("{}: record '{}' (byte {}): longer than {} bytes", pending.file()->path(),
                                    first_word(text.substr(1, title_end - 1)),
                                    pending.offset() + static_cast<std::int64_t>(whole), options_.max_record_bytes));
      if (next == std::string_view::npos && !pending.whole()) return;
      const std::size_t end = std::min(next, text.size());
      records.push_back(record(text.substr(0, end), title_end, whole));
      whole += end;
    }
  }

 private:
  // Where the next title begins. '>' is rare, so it is quicker to look for it than for line ends.
  static std::size_t next_record(std::string_view text, std::size_t title_end) {
    std::size_t at = text.find('>', title_end);
    while (at != std::string_view::npos && text[at - 1] != '\n') at = text.find('>', at + 1);
    return at;
  }

  // `text`: the record's. `begin`: where it begins in the block.
  static RecordText record(std::string_view text, std::size_t title_end, std::size_t begin) {
    const std::size_t sequence = std::min(title_end + 1, text.size());
    std::size_t end = text.size();
    while (end > sequence && (text[end - 1] == '\n' || text[end - 1] == '\r')) --end;
    const auto place = [begin](std::size_t at) { return static_cast<std::uint32_t>(begin + at); };
    return {place(1),        place(1 + first_word(text.substr(1, title_end - 1)).size()),
            place(sequence), place(end),
            place(end),      place(end)};
  }

  CutterOptions options_;
};

}  // namespace

std::unique_ptr<Cutter> make_fasta_record_cutter(PendingText text, CutterOptions options) {
  auto scanner = std::make_unique<FastaScanner>(options);
  return std::make_unique<RecordCutter>(Format::fasta, std::move(text), std::move(scanner), options);
}

}  // namespace basesweep
