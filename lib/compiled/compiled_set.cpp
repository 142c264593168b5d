#include "lib/compiled/compiled_set.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/parallel.hpp"
#include "lib/compiled/field_bytes.hpp"
#include "lib/search/edit_limits.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kOptions = "options";
constexpr std::string_view kPatterns = "patterns";
constexpr std::string_view kPairs = "pairs";

// Takes the memory that the patterns of a large set, and all that is made of them, will need, and gives it back to the
// heap: in huge pages, if the system has them, and cleared by all threads. Page by page, one thread would wait longer
// for it than it takes to read the patterns.
void warm_heap(std::size_t patterns, int threads) {
  constexpr std::size_t kMany = 10'000;
  constexpr std::size_t kPatternBytes = 640;
  constexpr std::size_t kPageBytes = std::size_t{2} << 20;
  if (patterns < kMany) return;
  std::size_t left = patterns * kPatternBytes + kPageBytes;
  void* const memory = std::malloc(left);
  void* pages = memory;
  if (memory != nullptr && std::align(kPageBytes, left - kPageBytes, pages, left) != nullptr) {
    ::madvise(pages, left / kPageBytes * kPageBytes, MADV_HUGEPAGE);
    parallel_for_parts(
        threads, left / kPageBytes * kPageBytes, kPageBytes, [pages](std::size_t begin, std::size_t end) {
          constexpr std::size_t kSmallPageBytes = 4096;
          for (auto* const bytes = static_cast<volatile char*>(pages); begin < end; begin += kSmallPageBytes)
            bytes[begin] = 0;
        });
  }
  std::free(memory);
}

std::string table_name(std::size_t table) { return fmt::format("table {}", table); }
std::string queries_name(std::size_t table) { return fmt::format("table {} queries", table); }
std::string array_name(std::size_t table, std::size_t array) { return fmt::format("table {} array {}", table, array); }

void put(std::uint32_t value, FieldWriter& to) { to.number(value); }
template <class T>
void put(const std::optional<T>& value, FieldWriter& to) {
  to.maybe(value);
}
void take(std::uint32_t& value, FieldReader& from) { value = from.number<std::uint32_t>(); }
template <class T>
void take(std::optional<T>& value, FieldReader& from) {
  value = from.maybe<T>();
}

std::string print_options(const CompiledSet& set) {
  const EditOptions& edits = set.options.edits;
  FieldWriter to;
  to.number(static_cast<std::uint8_t>(set.kind));
  to.number(static_cast<std::uint8_t>(set.options.strand));
  to.number(static_cast<std::uint8_t>(set.options.palindromes));
  for (const EditLimit& limit : kEditLimits) {
    if (limit.compiled) std::visit([&](auto member) { put(edits.*member, to); }, limit.member);
  }
  to.number(static_cast<std::uint32_t>(set.kind == SetKind::pairs ? set.pairs.size() : set.patterns.size()));
  to.number(static_cast<std::uint32_t>(set.tables.all.size()));
  return to.bytes();
}

std::string print_patterns(const std::vector<Pattern>& patterns) {
  FieldWriter to;
  for (const Pattern& pattern : patterns) {
    to.text(pattern.name);
    to.text(pattern.sequence);
    to.maybe(pattern.edits);
    to.maybe(pattern.clamp_5prime);
    to.maybe(pattern.clamp_3prime);
  }
  return to.bytes();
}

// Which file a pair comes from, and its lines there, decide the order of the primers of a pool.
std::string print_pairs(const std::vector<PrimerPair>& pairs) {
  FieldWriter to;
  std::unordered_map<std::string, std::uint32_t> files;  // numbers, in the order in which they come
  for (const PrimerPair& pair : pairs) {
    for (const std::string* text :
         {&pair.name, &pair.forward, &pair.reverse, &pair.forward_name, &pair.reverse_name, &pair.probe, &pair.pool}) {
      to.text(*text);
    }
    to.maybe(pair.min_size);
    to.maybe(pair.max_size);
    to.maybe(pair.edits);
    to.number(files.try_emplace(pair.file, static_cast<std::uint32_t>(files.size())).first->second);
    to.number(static_cast<std::uint64_t>(pair.line));
    to.number(static_cast<std::uint64_t>(pair.reverse_line));
  }
  return to.bytes();
}

std::string print_table(const StoredTable& table) {
  FieldWriter to;
  to.text(table.room);
  to.number(static_cast<std::uint32_t>(table.key.size()));
  for (const std::uint64_t number : table.key) to.number(number);
  to.number(static_cast<std::uint32_t>(table.arrays.size()));
  return to.bytes();
}

// Reads the sections of a file. The checksums fit, so a section that is not as expected was made by another program.
class SetReader {
 public:
  SetReader(const SectionFile& file, int heap_threads) : file_(file), heap_threads_(heap_threads) {}

  CompiledSet read() {
    CompiledSet set;
    FieldReader from(file_.at(kOptions));
    set.kind = from.choice(SetKind::pairs);
    set.options.strand = from.choice(StrandChoice::minus);
    set.options.palindromes = from.choice(PalindromeChoice::both);
    EditOptions& edits = set.options.edits;
    for (const EditLimit& limit : kEditLimits) {
      if (limit.compiled) std::visit([&](auto member) { take(edits.*member, from); }, limit.member);
    }
    const auto count = from.number<std::uint32_t>();
    const auto tables = from.number<std::uint32_t>();
    const bool fit =
        (!edits.edits || !edits.rate) && (!edits.rate || (*edits.rate >= 0 && *edits.rate < 1)) && count != 0;
    expect(from.at_end() && fit, kOptions);
    set.kind == SetKind::pairs ? read_pairs(count, set.pairs) : read_patterns(count, set.patterns);
    for (std::uint32_t i = 0; i < tables; ++i) set.tables.all.push_back(read_table(i));
    return set;
  }

 private:
  void read_patterns(std::size_t count, std::vector<Pattern>& patterns) {
    FieldReader from(file_.at(kPatterns));
    expect(count <= from.bytes_left(), kPatterns);
    if (heap_threads_ != 0) warm_heap(count, heap_threads_);
    patterns.reserve(count);
    for (std::size_t i = 0; i < count && from.ok(); ++i) {
      Pattern& pattern = patterns.emplace_back();
      pattern.name = name(from.text(), kPatterns);
      pattern.sequence = from.text();
      pattern.file = file_.path();
      pattern.edits = from.maybe<std::uint32_t>();
      pattern.clamp_5prime = from.maybe<std::uint32_t>();
      pattern.clamp_3prime = from.maybe<std::uint32_t>();
    }
    expect(from.at_end(), kPatterns);
  }

  void read_pairs(std::size_t count, std::vector<PrimerPair>& pairs) {
    FieldReader from(file_.at(kPairs));
    expect(count <= from.bytes_left(), kPairs);
    if (heap_threads_ != 0) warm_heap(2 * count, heap_threads_);
    pairs.reserve(count);
    for (std::size_t i = 0; i < count && from.ok(); ++i) {
      PrimerPair& pair = pairs.emplace_back();
      for (std::string* text : {&pair.name, &pair.forward, &pair.reverse, &pair.forward_name, &pair.reverse_name,
                                &pair.probe, &pair.pool}) {
        *text = name(from.text(), kPairs);
      }
      pair.min_size = from.maybe<std::int64_t>();
      pair.max_size = from.maybe<std::int64_t>();
      pair.edits = from.maybe<std::uint32_t>();
      const auto file = from.number<std::uint32_t>();
      pair.file = file == 0 ? file_.path() : fmt::format("{}: file {}", file_.path(), std::uint64_t{file} + 1);
      pair.line = from.number<std::uint64_t>();
      pair.reverse_line = from.number<std::uint64_t>();
    }
    expect(from.at_end(), kPairs);
  }

  StoredTable read_table(std::size_t number) {
    const std::string name = table_name(number);
    StoredTable table;
    FieldReader from(file_.at(name));
    table.room = from.text();
    for (auto left = from.number<std::uint32_t>(); left != 0 && from.ok(); --left) {
      table.key.push_back(from.number<std::uint64_t>());
    }
    const auto arrays = from.number<std::uint32_t>();
    expect(from.at_end(), name);
    const std::span<const std::byte> queries = file_.at(queries_name(number));
    expect(queries.size() % sizeof(std::uint32_t) == 0, name);
    table.queries.resize(queries.size() / sizeof(std::uint32_t));
    if (!queries.empty()) std::memcpy(table.queries.data(), queries.data(), queries.size());
    for (std::uint32_t i = 0; i < arrays; ++i) table.arrays.push_back(file_.at(array_name(number, i)));
    return table;
  }

  std::string_view name(std::string_view text, std::string_view section) {
    expect(name_fault(text, NameRule::text).empty(), section);
    return text;
  }

  void expect(bool fits, std::string_view section) {
    if (fits) return;
    throw DataError(fmt::format("{}: section '{}' of the compiled set is not as 'basesweep compile' writes it",
                                file_.path(), section));
  }

  const SectionFile& file_;
  int heap_threads_;  // that warm the heap; 0: it is left as it is
};

}  // namespace

void write_compiled_set(ByteSink& to, const CompiledSet& set, int threads) {
  std::vector<std::pair<std::string, std::string>> made;  // sections whose bytes are made here, with their names
  made.emplace_back(kOptions, print_options(set));
  if (set.kind == SetKind::pairs) {
    made.emplace_back(kPairs, print_pairs(set.pairs));
  } else {
    made.emplace_back(kPatterns, print_patterns(set.patterns));
  }
  for (std::size_t i = 0; i < set.tables.all.size(); ++i) {
    made.emplace_back(table_name(i), print_table(set.tables.all[i]));
  }
  std::vector<Section> sections;
  for (const auto& [name, bytes] : made) sections.push_back({name, std::as_bytes(std::span(bytes))});
  for (std::size_t i = 0; i < set.tables.all.size(); ++i) {
    const StoredTable& table = set.tables.all[i];
    sections.push_back({queries_name(i), std::as_bytes(std::span(table.queries))});
    for (std::size_t a = 0; a < table.arrays.size(); ++a) sections.push_back({array_name(i, a), table.arrays[a]});
  }
  write_sections(to, sections, threads);
}

bool is_compiled_set(const std::string& path) { return SectionFile::is_one(path); }

CompiledSet parse_compiled_set(const std::string& name, std::string_view bytes) {
  auto file = std::make_shared<const SectionFile>(name, bytes, 1);
  CompiledSet set = SetReader(*file, 0).read();
  set.file = std::move(file);
  return set;
}

CompiledSet read_compiled_set(const std::string& path, int threads, bool heap_stays) {
  auto file = std::make_shared<const SectionFile>(path, threads);
  CompiledSet set = SetReader(*file, heap_stays ? threads : 0).read();
  set.file = std::move(file);
  return set;
}

}  // namespace basesweep
