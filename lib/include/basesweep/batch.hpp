// Batches of results: up to 65,536 rows at a time, each column an array.
//
//   basesweep::Searcher searcher({{"EcoRI", "GAATTC"}});
//   searcher.search_files({"genome.fa"}, {.columns = {"record", "start", "end"}}, [](const basesweep::Batch& batch) {
//     const std::span<const std::int64_t> starts = batch.integers("start");
//     for (std::size_t i = 0; i < batch.rows(); ++i) use(batch.text("record", i), starts[i]);
//   });
//
// Columns have the same names and meanings as in the program (`--columns help`). Texts that it prints, such as `cigar`,
// are texts here, numbers are numbers, and names that repeat are a dictionary: a table of names and for each row an
// index in it. arrow.hpp gives batches to libraries that take Apache Arrow.
#pragma once

#include <basesweep/error.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// How the values of a column are held.
enum class ColumnKind {
  integer,     // 64 bits
  real,        // double
  text,        // bytes and 32-bit offsets
  dictionary,  // 32-bit codes, and a table of texts
};

// A column that a search can give.
struct ColumnInfo {
  std::string name;
  ColumnKind kind = ColumnKind::integer;
  std::string meaning{};  // one sentence, with unit, base and end
  bool usual = true;      // it is given unless columns are chosen
};

// Texts one after another, as Apache Arrow has them: text i has the bytes [offsets[i], offsets[i + 1]).
struct Texts {
  std::span<const std::int32_t> offsets{};  // size() + 1 of them
  const char* bytes = nullptr;

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return {bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
};

// Rows of results. A copy shares the memory, which lives as long as any copy; the results of functions live as long.
// Functions that take a column throw UsageError if the batch does not have it, or has it in another kind.
class BASESWEEP_API Batch {
 public:
  Batch() = default;  // without columns and rows

  std::size_t rows() const noexcept;
  const std::vector<ColumnInfo>& columns() const noexcept;

  // The values of a column, one for each row; 0, or not a number, where a value is absent.
  std::span<const std::int64_t> integers(std::string_view column) const;
  std::span<const double> reals(std::string_view column) const;
  // "" where a text is absent.
  Texts texts(std::string_view column) const;
  // The codes of a dictionary: an index in table() for each row, -1 where the value is absent.
  std::span<const std::int32_t> codes(std::string_view column) const;
  // The texts of a dictionary. The table of `pattern`, `guide`, `matrix`, `pair` and similar columns is in the order in
  // which they were given, so that a code is their index; that of strands is +, -. Each batch has its own table of
  // `record`, with the records that have rows in it.
  Texts table(std::string_view column) const;

  // Whether the value is there.
  bool has(std::string_view column, std::size_t row) const;
  // The same for all rows as bits, the lowest of each byte first; empty when all values are there.
  std::span<const std::uint8_t> validity(std::string_view column) const;
  // The value of a column of texts or of a dictionary; "" where it is absent.
  std::string_view text(std::string_view column, std::size_t row) const;

  struct State;  // known to the library only

 private:
  friend struct BatchAccess;

  std::shared_ptr<const State> state_;
};

// How far a call has come.
struct Progress {
  std::int64_t bases = 0;               // that were read; in Mapper those of the reads that are mapped
  std::uint64_t hits = 0;               // rows that were found so far
  std::optional<std::int64_t> bytes{};  // of all files as they are stored, if known
  std::int64_t bytes_read = 0;          // of these, so far; 0 if `bytes` is not known
};

// Is called at least ten times a second while a search runs, once before it and once after, by the thread that called
// the search; with one, the search itself runs on other threads. Returning false ends the search as soon as the
// stretches of text at work are done, and Cancelled is thrown. An exception that it throws ends the search in the same
// way and comes out of it. Results that the caller's function got before remain valid. A read that waits for its file
// (a pipe, a network) is not interrupted.
using ProgressFunction = std::function<bool(const Progress& progress)>;

// How results are given as batches.
struct ColumnOptions {
  std::vector<std::string> columns{};  // in this order; empty: the usual ones
  ProgressFunction progress{};
  // Rows of a batch, 1 to 65,536. All except the last have this many, or fewer where a column has long texts.
  std::size_t batch_rows = 65'536;
};

// How results are written to a file, which appears when it is complete.
struct FileOptions {
  // A word of `--format`, such as "bed"; empty: the one that the file's name ends with, else "tsv", or "sam" for reads.
  std::string format{};
  std::vector<std::string> columns{};  // of a table, in this order; empty: the usual ones
  std::string cram_reference{};        // for CRAM: the FASTA file that the hits lie on; empty: the only input
  ProgressFunction progress{};
};

// Takes one batch after another, in order. When there are no rows at all it gets one batch without rows, which has the
// columns.
using TakeBatch = std::function<void(const Batch& batch)>;

}  // namespace basesweep
