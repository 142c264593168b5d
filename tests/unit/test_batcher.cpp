// The batcher, on random texts: what batches promise to matchers, place by place.
#include <algorithm>
#include <cctype>
#include <set>

#include "lib/dna.hpp"
#include "lib/error.hpp"
#include "lib/packer/batcher.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/generate.hpp"

using namespace basesweep;
using Catch::Matchers::Equals;

namespace {

struct Place {
  std::int64_t record, offset;
  auto operator<=>(const Place&) const = default;
};

bool is_acgtu(char c) { return std::string("ACGTUacgtu").find(c) != std::string::npos; }

Place place(const PackedBatch& batch, std::uint32_t column) {
  Place result{-1, -1};
  for (const Piece& piece : batch.pieces()) {
    if (piece.column <= column) result = {piece.record, piece.offset + column - piece.column};
  }
  return result;
}

// One batch's faults; adds the places where hits may start to `owned`.
std::string fault_of(const PackedBatch& batch, const std::vector<std::string>& records, bool soft_masked,
                     const BatcherOptions& options, std::set<Place>& owned) {
  const PackedView view = batch.view();
  if (view.own_begin > options.halo_left || view.own_begin >= view.own_end ||
      view.own_end > view.own_begin + options.batch_columns || view.own_end > view.columns) {
    return "own columns";
  }
  if (view.columns > view.own_begin + options.batch_columns + options.halo_right + 1) return "too many columns";
  if (view.blocked_count == 0 || view.blocked[view.blocked_count - 1].end != 0xFFFFFFFFU) return "last interval";
  std::vector<bool> blocked(view.columns);
  for (std::uint32_t i = 0; i < view.blocked_count; ++i) {
    if (view.blocked[i].begin >= view.blocked[i].end) return "empty interval";
    if (i != 0 && view.blocked[i].begin <= view.blocked[i - 1].end) return "intervals out of order";
    for (std::uint32_t c = view.blocked[i].begin; c < std::min(view.blocked[i].end, view.columns); ++c)
      blocked[c] = true;
  }
  Place before{-1, -1};
  for (std::uint32_t c = 0; c < view.columns; ++c) {
    const Place at = place(batch, c);
    if (at.record < 0) return "a column before the first piece";
    const std::string& record = records[static_cast<std::size_t>(at.record)];
    const auto offset = static_cast<std::size_t>(at.offset);
    const bool open = offset < record.size() && is_acgtu(record[offset]) &&
                      !(soft_masked && std::islower(static_cast<unsigned char>(record[offset])));
    if (open == blocked[c]) return "blocked at column " + std::to_string(c);
    if (!open) continue;
    if (batch.code(c) != base_code(record[offset])) return "code at column " + std::to_string(c);
    const bool next_column = c != 0 && !blocked[c - 1];
    if (next_column && (before.record != at.record || before.offset + 1 != at.offset))
      return "no filler between pieces";
    before = at;
    if (c < view.own_begin || c >= view.own_end) continue;
    if (!owned.insert(at).second) return "a place is owned twice";
    // A pattern that starts here must find all its columns, and those it may look at before.
    for (std::uint32_t i = 1; i <= options.halo_right && offset + i < record.size() && is_acgtu(record[offset + i]);
         ++i) {
      if (c + i >= view.columns) return "halo too short at column " + std::to_string(c);
    }
    for (std::uint32_t i = 1; i <= options.halo_left && i <= offset && is_acgtu(record[offset - i]); ++i) {
      if (i > c) return "left halo too short at column " + std::to_string(c);
    }
  }
  for (const Piece& piece : batch.pieces()) {
    if (batch.name(piece) != support::record_name(static_cast<std::size_t>(piece.record))) return "name";
  }
  for (std::size_t w = (view.columns + 63) / 64; w < batch.plane_words(); ++w) {
    if (view.lo[w] != 0 || view.hi[w] != 0) return "padding is not clear";
  }
  if (batch.plane_words() < (view.columns + options.max_length + 63) / 64) return "too little padding";
  return "";
}

std::string fault(const std::vector<std::string>& records, const support::Chunking& chunking, bool soft_masked,
                  std::uint32_t max_length, std::uint32_t halo_left) {
  std::vector<std::unique_ptr<PackedBatch>> batches;
  std::vector<std::string> named;
  const BatcherOptions options{.batch_columns = chunking.batch_columns,
                               .max_length = max_length,
                               .halo_left = halo_left,
                               .halo_right = max_length - 1};
  Batcher batcher(
      options, {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); },
      [&](const PackedBlock&, const std::string& name) { named.push_back(name); });
  for (const RawBlock& raw : support::cut_blocks(support::fasta_text(records, chunking), chunking)) {
    batcher.add(pack(raw, {.soft_masked = soft_masked}));
  }
  batcher.finish();

  std::set<Place> owned;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if (batches[b]->number != b) return "number";
    const std::string found = fault_of(*batches[b], records, soft_masked, options, owned);
    if (!found.empty()) return "batch " + std::to_string(b) + ": " + found;
  }
  SourceCounts counts;
  for (std::size_t r = 0; r < records.size(); ++r, ++counts.records) {
    if (named.at(r) != support::record_name(r)) return "record names";
    counts.bases += static_cast<std::int64_t>(records[r].size());
    counts.not_acgt += std::count_if(records[r].begin(), records[r].end(), [](char c) { return !is_acgtu(c); });
    for (std::size_t i = 0; i < records[r].size(); ++i) {
      const bool open =
          is_acgtu(records[r][i]) && !(soft_masked && std::islower(static_cast<unsigned char>(records[r][i])));
      const Place at{static_cast<std::int64_t>(r), static_cast<std::int64_t>(i)};
      if (open && owned.count(at) == 0)
        return "base " + std::to_string(i) + " of record " + std::to_string(r) + " is lost";
    }
  }
  const SourceCounts& told = batcher.counts().at(0);
  if (told.records != counts.records || told.bases != counts.bases || told.not_acgt != counts.not_acgt) return "counts";
  return "";
}

// For approximate search: letters and lower case as in the record, and of long runs of N what edits may reach.
std::string approximate_fault(const std::vector<std::string>& records, const support::Chunking& chunking,
                              std::uint32_t max_length, std::uint32_t margin) {
  std::vector<std::unique_ptr<PackedBatch>> batches;
  const std::uint32_t halo = max_length + margin - 1;
  Batcher batcher({.batch_columns = chunking.batch_columns,
                   .max_length = max_length,
                   .halo_left = halo,
                   .halo_right = halo,
                   .approximate = true,
                   .run_margin = margin,
                   .keep_records = true},
                  {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
  for (const RawBlock& raw : support::cut_blocks(support::fasta_text(records, chunking), chunking)) {
    batcher.add(pack(raw, {.soft_masked = true, .letters = true}));
  }
  batcher.finish();
  std::set<Place> owned;
  for (const std::unique_ptr<PackedBatch>& batch : batches) {
    const PackedView view = batch->view();
    for (const Piece& piece : batch->pieces()) {
      const std::string& record = records[static_cast<std::size_t>(piece.record)];
      const auto with_bases = std::count_if(records.begin(), records.begin() + piece.record,
                                            [](const std::string& r) { return !r.empty(); });
      if (piece.reference != with_bases) return "reference";
      std::string letters(piece.end - piece.column, ' ');
      batch->copy_letters(piece.column, piece.end, letters.data());
      for (std::uint32_t i = 0; i < letters.size(); ++i) {
        const auto offset = static_cast<std::size_t>(piece.offset) + i;
        if (offset >= record.size()) return "a piece goes on past its record";
        const auto letter = static_cast<unsigned char>(record[offset]);
        const char upper = letter == 'u' || letter == 'U' ? 'T' : static_cast<char>(std::toupper(letter));
        if (letters[i] != upper) return "letter at column " + std::to_string(piece.column + i);
        const std::uint32_t column = piece.column + i;
        if (batch->touches_soft_masked(column, column + 1) != (std::islower(letter) != 0)) return "lower case";
        if (column < view.own_begin || column >= view.own_end) continue;
        if (!owned.insert({piece.record, static_cast<std::int64_t>(offset)}).second) return "a place is owned twice";
      }
    }
  }
  if (batcher.records().size() != records.size()) return "records";
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (batcher.records()[r] != RecordInfo{support::record_name(r), static_cast<std::int64_t>(records[r].size())}) {
      return "record " + std::to_string(r);
    }
    const auto size = static_cast<std::int64_t>(records[r].size());
    for (std::int64_t i = 0; i < size; ++i) {
      if (!is_acgtu(records[r][static_cast<std::size_t>(i)])) continue;
      for (std::int64_t near = std::max<std::int64_t>(0, i - margin); near <= std::min(size - 1, i + margin); ++near) {
        if (owned.count({static_cast<std::int64_t>(r), near}) == 0) {
          return "position " + std::to_string(near) + " of record " + std::to_string(r) + " is lost";
        }
      }
    }
  }
  return "";
}

void add_text(Batcher& batcher, const std::string& text, std::uint32_t source = 0, std::int64_t file_offset = 0) {
  RawBlock raw;
  raw.source = source;
  raw.file_offset = file_offset;
  raw.bytes.assign(text.begin(), text.end());
  raw.size = text.size();
  batcher.add(pack(raw, {}));
}

}  // namespace

TEST_CASE("random texts in random pieces") {
  const std::uint64_t rounds = support::test_cases(20'000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + rounds; ++seed) {
    support::Random random(seed);
    const auto shape = static_cast<support::TextShape>(random.below(support::kTextShapes));
    const std::vector<std::string> records = support::random_records(random, shape);
    std::size_t bases = 0;
    for (const std::string& record : records) bases += record.size();
    const support::Chunking chunking = support::random_chunking(random, bases);
    const bool soft_masked = random.chance(40);
    const auto max_length = static_cast<std::uint32_t>(random.between(1, random.chance(20) ? 300 : 40));
    const auto halo_left = static_cast<std::uint32_t>(random.chance(50) ? 0 : random.between(1, 60));
    std::string found = fault(records, chunking, soft_masked, max_length, halo_left);
    if (found.empty()) found = approximate_fault(records, chunking, max_length, halo_left);
    if (found.empty()) continue;
    FAIL(found << "\nsoft_masked " << soft_masked << ", max_length " << max_length << ", halo_left " << halo_left
               << ", " << support::literal(chunking) << '\n'
               << support::literal({records, {}}) << "\nBASESWEEP_TEST_SEED=" << seed);
  }
}

TEST_CASE("records count over files, and a file's text does not go on in the next") {
  std::vector<std::unique_ptr<PackedBatch>> batches;
  Batcher batcher({.batch_columns = 1000, .max_length = 5, .halo_right = 4}, {"one.fa", "two.fa", "three.fa"},
                  [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
  add_text(batcher, ">a\nACGT\n>b\nAC\n", 0);
  add_text(batcher, ">c\nGGG\n", 1);
  CHECK_THROWS_WITH(add_text(batcher, "ACGT\n", 2), Equals("three.fa: sequence before the first header"));
  batcher.finish();
  REQUIRE(batches.size() == 1);
  REQUIRE(batches[0]->pieces().size() == 3);
  CHECK(batches[0]->pieces()[2].record == 2);
  CHECK(batches[0]->name(batches[0]->pieces()[2]) == "c");
  CHECK(batcher.counts()[0].records == 2);
  CHECK(batcher.counts()[0].bases == 6);
  CHECK(batcher.counts()[1].bases == 3);
}

TEST_CASE("errors tell path, record, position and byte") {
  Batcher batcher({.batch_columns = 10, .max_length = 3, .halo_right = 2}, {"one.fa"},
                  [](std::unique_ptr<PackedBatch>) {});
  add_text(batcher, ">a\n" + std::string(400, 'N') + "\nACGT");
  CHECK_THROWS_WITH(
      add_text(batcher, "AC1GT\n", 0, 408),
      Equals("one.fa: record 'a', position 407 (byte 410): '1' is not sequence (expected letters, '-', '*' "
             "or '.')"));
  Batcher second({.batch_columns = 10, .max_length = 3, .halo_right = 2}, {"one.fa"},
                 [](std::unique_ptr<PackedBatch>) {});
  CHECK_THROWS_WITH(
      add_text(second, "1\n", 0, 0),
      Equals("one.fa: before the first record (byte 0): '1' is not sequence (expected letters, '-', '*' or "
             "'.')"));
}

TEST_CASE("no text, no batch") {
  int batches = 0;
  Batcher batcher({.batch_columns = 10, .max_length = 3, .halo_right = 2}, {"one.fa"},
                  [&](std::unique_ptr<PackedBatch>) { ++batches; });
  add_text(batcher, ">a\n>b\n\n");
  add_text(batcher, ">c\n" + std::string(300, 'N') + "\n");
  batcher.finish();
  CHECK(batches == 0);
  CHECK(batcher.counts()[0].records == 3);
  CHECK(batcher.counts()[0].not_acgt == 300);
}

TEST_CASE("many long names end a batch, and no result depends on it") {
  std::vector<std::string> records(300, "ACGTACGTAC");
  std::string text;
  for (std::size_t r = 0; r < records.size(); ++r)
    text += ">" + std::to_string(r) + std::string(100, 'n') + "\nACGTACGTAC\n";
  const support::Chunking chunking;
  std::vector<std::string> names;
  std::size_t batches = 0;
  std::size_t most_name_bytes = 0;
  Batcher batcher({.max_length = 4, .halo_left = 7, .halo_right = 3, .most_name_bytes = 1000}, {"text.fa"},
                  [&](std::unique_ptr<PackedBatch> batch) {
                    ++batches;
                    most_name_bytes = std::max(most_name_bytes, batch->name_bytes());
                    const PackedView view = batch->view();
                    for (const Piece& piece : batch->pieces()) {
                      if (piece.column < view.own_begin) continue;  // the halo's
                      names.emplace_back(batch->name(piece));
                      CHECK(piece.end - piece.column == 10);
                    }
                  });
  for (const RawBlock& raw : support::cut_blocks(text, chunking)) batcher.add(pack(raw, {}));
  batcher.finish();
  REQUIRE(names.size() == records.size());
  for (std::size_t r = 0; r < names.size(); ++r) CHECK(names[r] == std::to_string(r) + std::string(100, 'n'));
  CHECK(batches > 20);
  CHECK(most_name_bytes < 1300);
}
