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
      const std::size_t title_end = line_size(text);
      if (title_end > options_.max_title_bytes)
        throw title_too_long(*pending.file(), pending.offset() + static_cast<std::int64_t>(whole),
                             options_.max_title_bytes);
      const std::size_t next = next_record(text, title_end);
      if (std::min(next, text.size()) > options_.max_record_bytes)
        throw DataError(fmt::format("{}: record '{}' (byte {}): longer than {} bytes", pending.file()->path(),
                                    name_in_title(text.substr(1, title_end - 1)),
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
    while (at != std::string_view::npos && !is_line_end(text[at - 1])) at = text.find('>', at + 1);
    return at;
  }

  // `text`: the record's. `begin`: where it begins in the block.
  static RecordText record(std::string_view text, std::size_t title_end, std::size_t begin) {
    const std::size_t sequence = title_end + line_end_size(text.substr(title_end));
    std::size_t end = text.size();
    while (end > sequence && is_line_end(text[end - 1])) --end;
    const std::string_view name = name_in_title(text.substr(1, title_end - 1));
    const auto name_begin = static_cast<std::size_t>(name.data() - text.data());
    const auto place = [begin](std::size_t at) { return static_cast<std::uint32_t>(begin + at); };
    return {.title_begin = place(0),
            .name_begin = place(name_begin),
            .name_end = place(name_begin + name.size()),
            .sequence_begin = place(sequence),
            .sequence_end = place(end),
            .quality_begin = place(end),
            .quality_end = place(end)};
  }

  CutterOptions options_;
};

}  // namespace

std::unique_ptr<Cutter> make_fasta_record_cutter(PendingText text, CutterOptions options) {
  auto scanner = std::make_unique<FastaScanner>(options);
  return std::make_unique<RecordCutter>(Format::fasta, std::move(text), std::move(scanner), options);
}

}  // namespace basesweep
