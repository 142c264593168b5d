#include "tools/part_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lib/base/error.hpp"
#include "lib/search/match_result.hpp"

namespace basesweep {

void check_part_name(const std::string& path) {
  bool fits = !ends_in_gz(path);
  try {
    format_of_name(path, std::array{OutputFormat::part}, false);
  } catch (const UsageError&) {
    fits = false;
  }
  if (fits) return;
  throw UsageError(
      fmt::format("{}: a chunk is written as a part, which 'basesweep merge' reads: name the file .bsp; the format is "
                  "chosen by the name that merge writes to, or by --format",
                  path));
}

std::vector<std::string> words_of(const PartSet& parts, const std::vector<CommandInfo>& commands) {
  const auto refuse = [&parts](const std::string& word) {
    throw damaged_part(parts.paths().front(), fmt::format("'{}' is not a command or an option that a chunk has", word));
  };
  std::vector<std::string> words{parameter(parts.head().label, "command")};
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&words](const CommandInfo& one) { return one.path.back() == words.front(); });
  if (command == commands.end()) refuse(words.front());
  const std::vector<OptionInfo> options = command->options();
  for (const std::string& word : parts.head().words) {
    const std::string name = word.substr(0, word.find('='));
    const bool is_kept = std::any_of(options.begin(), options.end(), [&name](const OptionInfo& option) {
      return option.facts.kept && option.names.back() == name;
    });
    if (!is_kept) refuse(word);
    words.push_back(word);
  }
  return words;
}

std::optional<std::vector<RecordInfo>> part_records(const std::optional<Chunk>& chunk) {
  if (!chunk || chunk->plan.unit == PlanUnit::records) return std::nullopt;
  return chunk->plan.records();
}

Summaries::Summaries(const PartSet& parts) {
  const std::uint32_t chunks = parts.head().label.chunks;
  for (std::size_t i = 0; i < parts.summaries().size(); ++i) {
    const std::string& path = parts.paths()[i];
    all_.push_back(parse_summary(parts.summaries()[i], path));
    paths_.push_back(path);
    chunks_.push_back(fmt::format("{}/{}", i + 1, chunks));
    if (all_.back().counts.has_value() != all_.front().counts.has_value()) {
      throw damaged_part(path, "it has rows where other parts have counts, or counts where others have rows");
    }
  }
}

std::optional<ChunkSummary> Summaries::add_up(const CountShape& shape) const {
  if (!counted()) return std::nullopt;
  ChunkSummary sum;
  for (std::size_t i = 0; i < all_.size(); ++i) add_counts(all_[i], paths_[i], shape, sum);
  return sum;
}

bool Summaries::truncated() const {
  return std::any_of(all_.begin(), all_.end(), [](const ChunkSummary& summary) { return summary.truncated; });
}

std::string Summaries::report(const std::string& whole, bool read_all) const {
  std::vector<ChunkReport> reports;
  for (std::size_t i = 0; i < all_.size(); ++i) reports.push_back({paths_[i], chunks_[i], all_[i].report, read_all});
  return merge_reports(whole, reports);
}

}  // namespace basesweep
