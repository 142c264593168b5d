#include "lib/reads/read_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/mate_names.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/base/sam_tags.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reads/query_planes.hpp"
#include "lib/reads/record_origin.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/finder.hpp"

namespace basesweep {
namespace {

static_assert(2 * kMaxReadsOfBatch <= kMaxQueriesOfBatch, "each read may be two queries");

constexpr char kBreak = '\n';
constexpr char kNoSequence = '\0';

// The letter that a byte of a sequence is printed as, or one of the two above.
constexpr std::array<char, 256> kLetters = [] {
  std::array<char, 256> letters{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char byte = static_cast<char>(i);
    const char upper = static_cast<char>(byte & ~0x20);
    if (is_line_end(byte)) {
      letters[i] = kBreak;
    } else if (is_sequence_byte(byte)) {
      letters[i] = upper == 'U' ? 'T' : iupac_set(byte) != 0 ? upper : 'N';
    }
  }
  return letters;
}();

// Whether a byte of a sequence is a letter other than A, C, G, T, U and N.
constexpr std::array<bool, 256> kOtherLetters = [] {
  std::array<bool, 256> other{};
  for (std::size_t i = 0; i < other.size(); ++i) {
    const char byte = static_cast<char>(i);
    other[i] = is_sequence_byte(byte) && !is_single_base(iupac_set(byte)) && iupac_set(byte) != kAnyBase;
  }
  return other;
}();
bool is_other_letter(char byte) { return kOtherLetters[static_cast<unsigned char>(byte)]; }

char letter_of(char byte) { return kLetters[static_cast<unsigned char>(byte)]; }

// Looks at all bytes, without an early end, so that compilers can take many at a time.
bool all_printed_as_is(std::string_view text) {
  unsigned char other = 0;
  for (const char c : text) {
    // 0 where a letter is c. Comparisons would become a look-up, one byte at a time.
    unsigned char least = 255;
    for (const char letter : {'A', 'C', 'G', 'T', 'N'}) {
      const auto difference = static_cast<unsigned char>(c ^ letter);
      least = difference < least ? difference : least;
    }
    other |= least;
  }
  return other == 0;
}

// Whether the letters, IUPAC codes included, equal their reverse complement.
bool is_palindrome(std::string_view letters) {
  const std::size_t half = (letters.size() + 1) / 2;
  return std::equal(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(half), letters.rbegin(),
                    [](char a, char b) { return iupac_set(a) == complement_set(iupac_set(b)); });
}

class BatchParser {
 public:
  BatchParser(RawReads raw, const ReadOptions& options) : options_(options), pack_(pack_function(options.isa)) {
    batch_.number = raw.number;
    batch_.raw = std::move(raw);
  }

  ReadBatch parse() {
    const RawReads& raw = batch_.raw;
    reserve();
    SliceRecords first(raw.first);
    SliceRecords second(raw.second);
    SliceRecords& mates = raw.second.empty() ? first : second;
    while (first.more()) {
      const std::size_t done = batch_.reads.size();
      try {
        const RecordOrigin origin = next(first);
        options_.paired ? add_pair(origin, mates) : add(origin, origin.name());
      } catch (const DataError&) {
        drop_from(done);
        batch_.error = std::current_exception();
        break;
      }
    }
    for (auto* plane : {&batch_.lo, &batch_.hi, &batch_.known}) plane->push_back(0);
    return std::move(batch_);
  }

 private:
  void reserve() {
    std::size_t reads = 0, letters = 0, words = 1;
    for (const auto* slices : {&batch_.raw.first, &batch_.raw.second}) {
      for (const RecordSlice& slice : *slices) {
        reads += slice.end - slice.begin;
        for (std::size_t i = slice.begin; i < slice.end; ++i) {
          const RecordText& record = slice.block->records[i];
          const std::size_t length = record.sequence_end - record.sequence_begin;
          letters += length;  // memory that is never written to, as for long reads, costs nothing
          words += 2 * std::min((length + 63) / 64, QueryPlanes::kWords);
        }
      }
    }
    batch_.reads.reserve(reads);
    batch_.queries.reserve(2 * reads);
    for (auto* plane : {&batch_.lo, &batch_.hi, &batch_.known}) plane->reserve(words);
    batch_.letters = std::make_unique_for_overwrite<char[]>(letters + QueryPlanes::kReadableBytes);
    next_letter_ = batch_.letters.get();
  }

  RecordOrigin next(SliceRecords& records) const {
    const HeldRecord held = records.next();
    return {held, batch_.raw.paths[held.block.source]};
  }

  void add_pair(const RecordOrigin& first, SliceRecords& mates) {
    const RecordOrigin second = next(mates);
    const std::optional<std::string_view> pair = pair_name(first.name(), second.name());
    add(first, pair.value_or(pair_of_first(first.name())));
    add(second, pair.value_or(pair_of_second(second.name())));
    if (!pair) first.fail(other_mate(first.name(), second.path, second.name()));
  }

  // `name`: that of the pair, where it is a mate.
  void add(const RecordOrigin& origin, std::string_view name) {
    Read read;
    read.name = name_of(origin, name);
    if (!options_.tags.empty()) read.tags = tags_of(origin);
    read.letters = letters_of(origin);
    if (origin.block.format == Format::fastq) read.quality = quality_of(origin, read.letters.size(), batch_.joined);
    add_queries(read);
    batch_.reads.push_back(read);
  }

  // The name `name`. Throws DataError if SAM does not allow it as a QNAME.
  static std::string_view name_of(const RecordOrigin& origin, std::string_view name) {
    if (name.empty()) {
      const std::int64_t title = origin.block.file_offset + origin.record.title_begin;
      origin.fail(fmt::format("byte {}: it has no name, which SAM needs", title));
    }
    if (name.size() > kMaxSamNameLetters)
      origin.fail(fmt::format("the name has {} letters, SAM allows {}", name.size(), kMaxSamNameLetters));
    if (const auto bad = std::find_if_not(name.begin(), name.end(), is_sam_query_letter); bad != name.end())
      origin.fail(fmt::format("SAM does not allow {} in its name", printable(*bad)));
    if (name == "*") origin.fail("in SAM this name means that there is none");
    return name;
  }

  // The tags of the title that are kept, in its order.
  std::string_view tags_of(const RecordOrigin& origin) {
    std::string_view fields = origin.comment();
    take_to(fields, '\t');  // words after the name, which are no tags
    std::vector<bool> seen(options_.tags.size());
    auto kept = std::make_unique<std::string>();
    while (!fields.empty()) {
      const std::string_view field = take_to(fields, '\t');
      if (field.find(':') != 2) continue;  // a word
      const auto wanted = std::find(options_.tags.begin(), options_.tags.end(), field.substr(0, 2));
      if (wanted == options_.tags.end()) continue;
      const auto index = static_cast<std::size_t>(wanted - options_.tags.begin());
      if (seen[index]) origin.fail(fmt::format("its title has the tag {} twice", *wanted));
      seen[index] = true;
      try {
        append_sam_tag(field, options_.binary_tags, *kept);
      } catch (const std::runtime_error& fault) {
        origin.fail(fault.what());
      }
    }
    return kept->empty() ? std::string_view() : *batch_.joined.emplace_back(std::move(kept));
  }

  std::string_view letters_of(const RecordOrigin& origin) {
    char* const begin = next_letter_;
    std::string_view lines = origin.sequence();
    // A read that is too long to be searched for needs no copy, which would cost half as much memory as its record.
    if (lines.size() > kMaxReadLength && all_printed_as_is(lines)) return lines;
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      if (all_printed_as_is(line)) {
        next_letter_ = std::copy(line.begin(), line.end(), next_letter_);
      } else {
        next_letter_ = std::transform(line.begin(), line.end(), next_letter_, letter_of);
        batch_.other_letters += std::count_if(line.begin(), line.end(), is_other_letter);
      }
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
    std::string_view letters(begin, next_letter_);
    if (letters.find(kBreak) != std::string_view::npos) {  // carriage returns
      next_letter_ = std::remove(begin, next_letter_, kBreak);
      letters = {begin, next_letter_};
    }
    if (letters.find(kNoSequence) != std::string_view::npos) {
      origin.fail_at(
          origin.sequence(), [](char c) { return letter_of(c) == kNoSequence; }, not_sequence);
    }
    return letters;
  }

  std::uint64_t edits_of(std::size_t length) const {
    return options_.edits ? *options_.edits : edits_at_rate(*options_.rate, length);
  }

  // Adds both queries of a read; sets Read::skipped.
  void add_queries(Read& read) {
    const std::size_t length = read.letters.size();
    const std::uint64_t edits = edits_of(length);
    if (length > kMaxReadLength || length <= edits) {
      read.skipped = length > kMaxReadLength ? Skipped::too_long : Skipped::too_short;
      return add_no_queries();
    }
    const QueryPlanes plus = QueryPlanes::pack(pack_, read.letters);
    const std::size_t known = plus.known_positions();
    if (known == 0) read.skipped = Skipped::no_bases;
    if (known == 0 || length - known > edits) return add_no_queries();

    const QueryPlanes minus = plus.reverse_complement();
    const bool once = plus == minus && (known == length || is_palindrome(read.letters));
    const StrandChoice strands = options_.strands;
    const ReadQuery query{0, static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(edits)};
    strands != StrandChoice::minus ? add_query(query, plus) : add_no_query();
    strands == StrandChoice::minus || (strands == StrandChoice::both && !once) ? add_query(query, minus)
                                                                               : add_no_query();
  }

  void add_query(ReadQuery query, const QueryPlanes& planes) {
    query.first_word = static_cast<std::uint32_t>(batch_.lo.size());
    batch_.queries.push_back(query);
    batch_.lo.insert(batch_.lo.end(), planes.lo.begin(), planes.lo.begin() + planes.words);
    batch_.hi.insert(batch_.hi.end(), planes.hi.begin(), planes.hi.begin() + planes.words);
    batch_.known.insert(batch_.known.end(), planes.known.begin(), planes.known.begin() + planes.words);
  }
  void add_no_query() { batch_.queries.push_back({static_cast<std::uint32_t>(batch_.lo.size()), 0, 0}); }
  void add_no_queries() {
    add_no_query();
    add_no_query();
  }

  // Takes back the reads from number `done` on.
  void drop_from(std::size_t done) {
    batch_.reads.resize(done);
    if (batch_.queries.size() == 2 * done) return;
    for (auto* plane : {&batch_.lo, &batch_.hi, &batch_.known}) plane->resize(batch_.queries[2 * done].first_word);
    batch_.queries.resize(2 * done);
  }

  const ReadOptions& options_;
  PackFunction pack_;
  ReadBatch batch_;
  char* next_letter_ = nullptr;
};

}  // namespace

ReadBatch parse_reads(RawReads raw, const ReadOptions& options) { return BatchParser(std::move(raw), options).parse(); }

}  // namespace basesweep
