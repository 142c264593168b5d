#include "tools/trim_adapters.hpp"

#include <fmt/format.h>

#include "lib/base/error.hpp"
#include "lib/reader/fasta_text.hpp"
#include "lib/reads/read_list.hpp"

namespace basesweep {
std::vector<Adapter> collect_adapters(const std::vector<std::pair<AdapterKind, std::string>>& words,
                                      const AdapterDefaults& defaults, int& number) {
  std::vector<Adapter> adapters;
  const auto add = [&](Adapter adapter) {
    if (adapter.name.empty()) adapter.name = std::to_string(number++);
    adapters.push_back(std::move(adapter));
  };
  for (const auto& [kind, word] : words) {
    const std::optional<AdapterFile> file = adapter_file_of(word);
    if (!file) {
      add(parse_adapter(word, kind, defaults));
      continue;
    }
    for_each_fasta_record(file->path, [&, kind = kind](const std::string& name, const std::string& sequence) {
      try {
        Adapter adapter = parse_adapter(file->word_of(sequence), kind, defaults);
        adapter.name = name;
        add(std::move(adapter));
      } catch (const UsageError& fault) {
        throw DataError(fmt::format("{}: record '{}': {}", file->path, name, fault.what()));
      }
    });
  }
  return adapters;
}

AdapterPair ReadsAfterLook::guess_adapters() {
  AdapterGuess guess;
  for (std::size_t pairs = 0; pairs < AdapterGuess::kPairs;) {
    std::optional<RawReads> raw = source_.next();
    if (!raw) break;
    first_.push_back(*raw);
    const ReadList list = list_reads(std::move(*raw), true);
    for (std::size_t i = 0; i + 2 <= list.reads.size() && pairs < AdapterGuess::kPairs; i += 2, ++pairs)
      guess.add(list.reads[i].bases, list.reads[i + 1].bases);
    if (list.error) break;
  }
  return guess.result();
}

std::optional<RawReads> ReadsAfterLook::next() {
  if (next_ == first_.size()) return source_.next();
  return std::move(first_[next_++]);
}

}  // namespace basesweep
