// Columns: what can be written about a row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/rows/output_format.hpp"
#include "lib/rows/row.hpp"

namespace basesweep {

class CellArray;
class PackedBatch;
class Rows;
struct Hit;

enum class ColumnType { integer, real, text, strand, cigar };
const char* word_of(ColumnType type);

// The value of a column in a row.
class Cell {
 public:
  enum class Holds : std::uint8_t { nothing, integer, real, text };

  void clear() { holds_ = Holds::nothing; }
  void set(std::int64_t number) {
    holds_ = Holds::integer;
    number_ = number;
  }
  // Whether a real number also needs its text. Who reads only numbers saves the printing.
  void print_reals(bool print) { prints_reals_ = print; }
  bool prints_reals() const { return prints_reals_; }
  // `printed`: the number with the digits that it is known to, or "" unless prints_reals(). Both texts must live until
  // the next value is set.
  void set(double number, std::string_view printed) {
    holds_ = Holds::real;
    real_ = number;
    text_ = printed;
  }
  void set(std::string_view text) {
    holds_ = Holds::text;
    text_ = text;
  }
  // Room for a text that is made for the cell.
  std::string& memory() { return memory_; }

  Holds holds() const { return holds_; }
  std::int64_t integer() const { return number_; }
  double real() const { return real_; }
  std::string_view text() const { return text_; }  // of a real or a text

 private:
  Holds holds_ = Holds::nothing;
  bool prints_reals_ = true;
  std::int64_t number_ = 0;
  double real_ = 0;
  std::string_view text_;
  std::string memory_;
};

// Bits that say what a column must know of a row besides the row's own fields.
namespace need {
inline constexpr unsigned letters = 1;
inline constexpr unsigned alignment = 2;  // and letters
inline constexpr unsigned flanks = 4;     // and letters
inline constexpr unsigned scores = 8;
}  // namespace need

// A field of PlacedRow, which formats take from there.
enum class RowField : std::uint8_t { none, record, start, end };

// A column whose values repeat has a table of them, and a row has the index of its value in the table, or kNoCode if
// the value is absent.
inline constexpr std::int32_t kNoCode = -1;

// A column has one name, type and meaning in all commands and formats.
struct Column {
  using Get = void (*)(const Rows& rows, const Row& row, std::uint32_t index, Cell& cell);
  using GetAll = void (*)(const Rows& rows, RowSpan all, std::uint32_t index, CellArray& to);
  using Code = std::int32_t (*)(const Rows& rows, const Row& row, std::uint32_t index);
  using Codes = GetAll;
  using Table = std::vector<std::string> (*)(const Rows& rows, std::uint32_t index);
  using OfHits = void (*)(const Rows& rows, const PackedBatch& batch, std::span<const Hit> hits, CellArray& to);

  std::string name;
  ColumnType type;
  std::string meaning;       // for help and docs, with unit, base and end
  Get get;                   // sets the cell to the value in a row, after Rows::prepare(), or leaves it empty
  GetAll get_all = nullptr;  // adds the values in rows one after another, where they need no Rows::prepare()
  unsigned needs = 0;        // see need
  std::uint32_t index = 0;   // for get(), which several columns may share
  bool usual = true;         // a table has it unless columns are chosen, if it can be chosen
  bool may_be_absent = false;
  bool by_variant = false;  // the value is the same in all rows of one Rows::variant()
  bool hidden = false;      // a part of formats that cannot be chosen
  RowField field = RowField::none;
  std::string lacking = "";  // the reason why this run cannot give it; "": it can
  // A column whose values repeat has a table of them, and the index of a row's value in it. Null: it has no table.
  Code code = nullptr;
  Codes codes = nullptr;  // adds those of rows one after another
  Table table = nullptr;
  // For the hits of a batch: adds the values of a column that needs no more than hit and batch, and is never absent,
  // one after another. Null: it is none.
  OfHits of_hits = nullptr;

  bool can_be_chosen() const { return !hidden && lacking.empty(); }
  bool is_usual() const { return usual && can_be_chosen(); }
};

// The columns that --columns asks for.
struct ShownColumns {
  std::vector<std::string> only{};   // these in this order; empty: the usual ones
  std::vector<std::string> added{};  // these too: after `only`, or among the usual ones in the order of all

  bool help = false;     // they are to be listed
  bool autosql = false;  // BED with those that are added is to be described

  bool any() const { return !only.empty() || !added.empty(); }
};

// Parses the words of --columns: "a,b", "+a,+b", "help", or "autosql" alone or after "+a,+b". Throws UsageError for a
// mixture and for a column named twice.
ShownColumns parse_columns(std::string_view text);

// The column of this name. `choice`: how messages name what asks for it, such as "--columns edits". `others`: names
// that there are besides those of the rows. Throws UsageError for a column that is unknown, with the nearest name, or
// that the run cannot give, with the reason.
const Column& choose_column(const Rows& rows, const std::string& name, const std::string& choice,
                            const std::vector<std::string>& others = {});

// The columns of a table. Throws UsageError as choose_column().
std::vector<const Column*> choose_columns(const Rows& rows, const ShownColumns& choice);

// The columns that are added to the lines of a format that has columns of its own, in the order given, without those
// that it has anyway (see Rows::shape()). Throws UsageError as choose_column(), and for columns that are chosen instead
// of added.
std::vector<const Column*> added_columns(const Rows& rows, OutputFormat format, const ShownColumns& choice);

// The names with types and meanings, as --columns help prints them.
std::string print_columns(const Rows& rows);
// The columns of BED, with those that are added, in AutoSQL, the language that bedToBigBed reads. Throws UsageError as
// added_columns(), and for rows that BED does not show.
std::string print_autosql(const Rows& rows, const ShownColumns& choice);

}  // namespace basesweep
