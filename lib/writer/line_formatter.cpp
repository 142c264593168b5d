#include "lib/writer/line_formatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/parallel.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/threads.hpp"
#include "lib/rows/letters.hpp"
#include "lib/writer/gff3.hpp"
#include "lib/writer/line_shape.hpp"

namespace basesweep {
namespace {

// A value as it stands in a line of this format.
class Values {
 public:
  explicit Values(OutputFormat format) : absent_(form_of(format).absent) {}

  static std::size_t most_bytes(const Cell& cell, Escape escape) {
    return std::max(kNumberDigits, most_escaped(cell.text().size(), escape));
  }
  char* put_value(char* to, const Cell& cell, const LinePart& part) const {
    switch (cell.holds()) {
      case Cell::Holds::integer: return put(to, cell.integer() + (part.from_one ? 1 : 0));
      case Cell::Holds::real: return put(to, cell.text());
      case Cell::Holds::text: return put_escaped(to, cell.text(), part.escape);
      case Cell::Holds::nothing: break;
    }
    return put(to, absent_);
  }

 private:
  std::string_view absent_;
};

// A value in a line, with the text before it that is the same in all lines.
struct LineField {
  enum class Kind : std::uint8_t {
    none,     // the text alone
    variant,  // more text, which depends on the variant of the row
    record,
    start,
    end,
    cell,   // the value of a column
    group,  // the next `pieces` pieces are left out together if a value in them is absent
  };
  Kind kind = Kind::none;
  std::size_t text = 0;  // where it begins in texts_
  std::size_t text_bytes = 0;
  const LinePart* part = nullptr;  // of a value
  std::size_t first = 0;           // of `variant`: in offsets_, that of the first variant
  std::size_t pieces = 0;          // of `group`
};

// Texts of lines are copied in blocks, so these many bytes after them must be readable, and writable at the other end.
constexpr std::size_t kBlock = 16;

char* put_blocks(char* to, const char* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += kBlock) std::memcpy(to + i, from + i, kBlock);
  return to + bytes;
}

bool is_fixed(const LinePart& part) { return part.column == nullptr || part.column->by_variant; }

class LineFormatter final : public Formatter {
 public:
  LineFormatter(std::shared_ptr<const Rows> rows, OutputFormat format, std::string header, std::vector<LinePart> parts,
                CircularRecords circular)
      : rows_(std::move(rows)),
        format_(format),
        header_(std::move(header)),
        circular_(std::move(circular)),
        parts_(std::move(parts)),
        values_(format) {
    for (const LinePart& part : parts_) {
      if (part.column != nullptr) needs_ |= part.column->needs;
    }
    for (std::size_t i = 0; i < parts_.size();) i = add_pieces(i);
    push_text();
    texts_.append(kBlock, '\0');
    fixed_room_ += kBlock;
  }

  bool needs_records() const override { return format_ == OutputFormat::gff3 && circular_.any(); }
  bool lists_records() const override { return format_ == OutputFormat::gff3; }
  std::string header(std::span<const RecordInfo> records) const override {
    return format_ == OutputFormat::gff3 ? gff3_header(records, circular_) : header_;
  }
  bool splits_at_origin() const override { return format_ == OutputFormat::bed; }
  NameRule names() const override { return form_of(format_).names; }
  unsigned needs() const override { return needs_; }
  std::uint32_t flank() const override { return (needs_ & need::flanks) != 0 ? rows_->flank() : 0; }

  void append(const Row& row, RowText& text) const override {
    if (needs_ != 0) rows_->prepare(row, needs_);
    const auto& placed = static_cast<const PlacedRow&>(row);  // used only for pieces that such rows have
    const std::size_t variant = by_variant_ ? rows_->variant(row) : 0;
    Cell* const cell = has_cells_ ? &per_thread<Cell>() : nullptr;
    std::size_t room = fixed_room_;
    if (record_pieces_ != 0) room += record_pieces_ * most_escaped(placed.record_name.size(), record_escape_);
    char* to = text.reserve(room);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const LineField& piece = pieces_[i];
      to = put_blocks(to, texts_.data() + piece.text, piece.text_bytes);
      switch (piece.kind) {
        case LineField::Kind::none: break;
        case LineField::Kind::variant: {
          const std::size_t* const at = &offsets_[piece.first + variant];
          to = put_blocks(to, texts_.data() + at[0], at[1] - at[0]);
          break;
        }
        case LineField::Kind::record: to = put_escaped(to, placed.record_name, piece.part->escape); break;
        case LineField::Kind::start: to = put(to, placed.start + (piece.part->from_one ? 1 : 0)); break;
        case LineField::Kind::end: to = put(to, placed.end); break;
        case LineField::Kind::group:
          if (lacks_value(i, row)) i += piece.pieces;
          break;
        case LineField::Kind::cell:
          get_value(piece, row, *cell);
          if (cell->holds() != Cell::Holds::integer) {
            text.advance(to);
            to = text.reserve(Values::most_bytes(*cell, piece.part->escape) + room);
          }
          to = values_.put_value(to, *cell, *piece.part);
          break;
      }
    }
    text.advance(to);
  }

 private:
  void get_value(const LineField& piece, const Row& row, Cell& cell) const {
    const Column& column = *piece.part->column;
    cell.clear();
    column.get(*rows_, row, column.index, cell);
  }

  // Whether a value in the group is absent.
  bool lacks_value(std::size_t group, const Row& row) const {
    Cell& cell = per_thread<Cell>();
    for (std::size_t i = group + 1; i <= group + pieces_[group].pieces; ++i) {
      if (pieces_[i].kind != LineField::Kind::cell) continue;
      get_value(pieces_[i], row, cell);
      if (cell.holds() == Cell::Holds::nothing) return true;
    }
    return false;
  }

  // Adds the pieces of the parts from `i` on that are one stretch; returns the first part after them.
  std::size_t add_pieces(std::size_t i) {
    const std::uint32_t group = parts_[i].group;
    if (group != 0 && !group_is_fixed(i)) {
      const std::size_t at = pieces_.size();
      push({.kind = LineField::Kind::group});
      while (i < parts_.size() && parts_[i].group == group) {
        std::size_t end = i;
        while (end < parts_.size() && parts_[end].group == group && is_fixed(parts_[end])) ++end;
        if (end != i) add_fixed(i, end);
        if (end == i) add_piece(parts_[end++]);
        i = end;
      }
      push_text();
      pieces_[at].pieces = pieces_.size() - at - 1;
      return i;
    }
    std::size_t end = i;
    while (end < parts_.size() && is_fixed(parts_[end]) && (parts_[end].group == 0 || group_is_fixed(end))) ++end;
    if (end != i) {
      add_fixed(i, end);
      return end;
    }
    add_piece(parts_[i]);
    return i + 1;
  }

  bool group_is_fixed(std::size_t i) const {
    const std::uint32_t group = parts_[i].group;
    return std::all_of(parts_.begin(), parts_.end(),
                       [group](const LinePart& part) { return part.group != group || is_fixed(part); });
  }

  void add_piece(const LinePart& part) {
    LineField piece{.kind = LineField::Kind::cell, .part = &part};
    switch (part.column->field) {
      case RowField::record:
        piece.kind = LineField::Kind::record;
        record_escape_ = part.escape;
        ++record_pieces_;
        break;
      case RowField::start: piece.kind = LineField::Kind::start; break;
      case RowField::end: piece.kind = LineField::Kind::end; break;
      case RowField::none: has_cells_ = true; break;
    }
    fixed_room_ += kNumberDigits;
    push(piece);
  }

  // Adds a piece with the text before it that was added last.
  void push(LineField piece) {
    piece.text_bytes = std::exchange(text_bytes_, 0);
    piece.text = texts_.size() - piece.text_bytes;
    pieces_.push_back(piece);
  }
  void push_text() {
    if (text_bytes_ != 0) push({});
  }

  // Adds text that is the same in all rows of a variant.
  void add_fixed(std::size_t begin, std::size_t end) {
    const auto of_variant = [](const LinePart& part) { return part.column != nullptr; };
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = parts_.begin() + static_cast<std::ptrdiff_t>(end);
    const bool by_variant = std::any_of(first, last, of_variant);
    by_variant_ = by_variant_ || by_variant;
    if (!by_variant) {
      for (std::size_t i = begin; i != end; ++i) texts_ += parts_[i].text;
      for (std::size_t i = begin; i != end; ++i) text_bytes_ += parts_[i].text.size();
      fixed_room_ += text_bytes_;
      return;
    }
    push({.kind = LineField::Kind::variant, .first = offsets_.size()});
    const std::size_t variants = rows_->variants();
    constexpr std::size_t kAtOnce = 4096;
    std::vector<std::vector<std::string>> texts((variants + kAtOnce - 1) / kAtOnce);
    parallel_for_parts(available_threads(), variants, kAtOnce, [&](std::size_t from, std::size_t to) {
      for (std::size_t variant = from; variant < to; ++variant) {
        std::string& text = texts[variant / kAtOnce].emplace_back();
        rows_->show_variant(variant, [&](const Row& row) { text = print(begin, end, row); });
      }
    });
    std::size_t longest = 0;
    for (const auto& some : texts) {
      for (const std::string& text : some) {
        offsets_.push_back(texts_.size());
        texts_ += text;
        longest = std::max(longest, text.size());
      }
    }
    offsets_.push_back(texts_.size());
    fixed_room_ += longest;
  }

  std::string print(std::size_t begin, std::size_t end, const Row& row) const {
    std::string text;
    std::size_t group_begin = 0;  // in the text
    std::uint32_t group = 0;
    bool lacks = false;
    const auto end_group = [&] {
      if (group != 0 && lacks) text.resize(group_begin);
      lacks = false;
    };
    Cell cell;
    for (std::size_t i = begin; i < end; ++i) {
      const LinePart& part = parts_[i];
      if (part.group != group) {
        end_group();
        group = part.group;
        group_begin = text.size();
      }
      if (part.column == nullptr) {
        text += part.text;
        continue;
      }
      cell.clear();
      part.column->get(*rows_, row, part.column->index, cell);
      lacks = lacks || cell.holds() == Cell::Holds::nothing;
      const std::size_t before = text.size();
      text.resize(before + Values::most_bytes(cell, part.escape));
      text.resize(static_cast<std::size_t>(values_.put_value(text.data() + before, cell, part) - text.data()));
    }
    end_group();
    return text;
  }

  const std::shared_ptr<const Rows> rows_;
  const OutputFormat format_;
  const std::string header_;
  const CircularRecords circular_;
  const std::vector<LinePart> parts_;
  const Values values_;
  std::vector<LineField> pieces_;
  std::string texts_;                 // between values, then kBlock bytes
  std::size_t text_bytes_ = 0;        // at their end that belong to the next piece
  std::vector<std::size_t> offsets_;  // where those of variants begin
  unsigned needs_ = 0;
  bool by_variant_ = false;
  bool has_cells_ = false;
  std::size_t fixed_room_ = 0;  // more than all pieces take but records and texts
  std::size_t record_pieces_ = 0;
  Escape record_escape_ = Escape::none;
};

// Throws UsageError if lines would have the name of a file that breaks them. (Names of records are checked as they are
// read, see NameRule.)
void check_files(const Rows& rows, OutputFormat format, const std::vector<LinePart>& parts) {
  const Column* const file = rows.find("file");
  const bool written = std::any_of(parts.begin(), parts.end(), [file](const LinePart& part) {
    return part.column != nullptr && part.column == file && part.escape == Escape::none;
  });
  if (!written) return;
  for (const std::string& name : rows.files()) {
    if (name_fault(name, NameRule::text).empty()) continue;
    throw UsageError(
        fmt::format("{}: a control character, such as a tab, is in this name, which the column file in {} cannot hold: "
                    "rename the file, or choose the format csv",
                    name, noun_of(format)));
  }
}

}  // namespace

std::unique_ptr<Formatter> make_line_formatter(std::shared_ptr<const Rows> rows, OutputFormat format,
                                               const LineOptions& options) {
  const LineShape shape = rows->shape(format);
  std::string header;
  std::vector<LinePart> parts;
  if (is_table(format) && (shape.header.empty() || !options.columns.only.empty())) {
    const std::vector<const Column*> columns = choose_columns(*rows, options.columns);
    header = table_header(columns, format);
    parts = table_line(columns, format);
  } else if (format != OutputFormat::counts) {  // which have columns of their own, see count_rows()
    const std::vector<const Column*> added = added_columns(*rows, format, options.columns);
    header = shape.header;
    for (const Column* column : added) {
      if (!header.empty()) header.insert(header.size() - 1, "\t" + column->name);
    }
    parts = parse_shape(*rows, shape.line, format, added);
  }
  check_files(*rows, format, parts);
  return std::make_unique<LineFormatter>(std::move(rows), format, std::move(header), std::move(parts),
                                         options.circular);
}

std::unique_ptr<Formatter> make_hit_formatter(const PatternSet& patterns, OutputFormat format, HitRowOptions rows,
                                              const LineOptions& options) {
  return make_line_formatter(std::make_shared<HitRows>(patterns, std::move(rows)), format, options);
}

}  // namespace basesweep
