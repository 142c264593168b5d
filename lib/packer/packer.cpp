#include "lib/packer/packer.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>
#include <type_traits>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/mate_names.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/packer/code_packer.hpp"
#include "lib/packer/pack_kernel.hpp"
#include "lib/reader/record_slices.hpp"

namespace basesweep {

BASESWEEP_PER_ISA(std::remove_pointer_t<PackFunction>, pack)

PackFunction pack_function(Isa isa) { return pack_for(isa); }

namespace {

// Joins marked positions into intervals.
class IntervalMarks final : public PositionMarks {
 public:
  explicit IntervalMarks(std::vector<Interval>& intervals) : intervals_(intervals) {}

  void add(std::uint32_t position, std::uint64_t bits) override {
    while (bits != 0) {
      const auto begin = static_cast<unsigned>(__builtin_ctzll(bits));
      const std::uint64_t from = bits >> begin;
      const unsigned run = from == ~std::uint64_t{0} ? 64U : static_cast<unsigned>(__builtin_ctzll(~from));
      if (!intervals_.empty() && intervals_.back().end == position + begin) {
        intervals_.back().end += run;
      } else {
        intervals_.push_back({position + begin, position + begin + run});
      }
      if (begin + run >= 64) return;
      bits &= ~std::uint64_t{0} << (begin + run);
    }
  }

 private:
  std::vector<Interval>& intervals_;
};

// Lists the letters of sequence lines [text, end) that are not A, C, G or T. The first letter there is position
// `position` of the block.
void list_letters(const char* text, const char* end, std::uint32_t position, std::vector<LetterRun>& runs) {
  for (; text != end; ++text) {
    if (!is_sequence_byte(*text)) continue;
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(*text)));
    if (!is_single_base(iupac_set(letter))) {
      if (!runs.empty() && runs.back().end == position && runs.back().letter == letter) {
        ++runs.back().end;
      } else {
        runs.push_back({position, position + 1, letter});
      }
    }
    ++position;
  }
}

// Packs one block. `text` is its text, except of pairs.
class BlockPacker {
 public:
  BlockPacker(const RawBlock& raw, std::span<const char> text, const PackerOptions& options, PackedBlock& block)
      : raw_(raw),
        text_(&raw),
        begin_(text.data()),
        end_(text.data() + text.size()),
        options_(options),
        block_(block),
        not_acgt_(block.not_acgt),
        soft_masked_(block.soft_masked),
        pack_(pack_function(options.isa)) {
    block.number = raw.number;
    block.source = raw.source;
    block.resume = raw.resume;
    block.format = raw.format;
    block.lo.resize(raw.size / 64 + 2);
    block.hi.resize(raw.size / 64 + 2);
    target_ = {block.lo.data(), block.hi.data(), 0, 0, 0, &not_acgt_, looks_at_case(options) ? &soft_masked_ : nullptr};
  }

  void run() {
    if (raw_.has_pairs()) {
      for_each_pair(raw_, [this](const HeldRecord& one, const HeldRecord& two) { return pack_pair(one, two); });
    } else if (raw_.format == Format::fasta) {
      pack_fasta();
    } else {
      for (const RecordText& record : raw_.records) {
        if (!pack_record(record)) break;
      }
    }
    block_.lo[target_.positions / 64] = target_.lo_partial;
    block_.hi[target_.positions / 64] = target_.hi_partial;
    block_.positions = target_.positions;
    block_.nucleotides = target_.positions + target_.n_letters;
    for (const Interval& interval : block_.not_acgt) block_.nucleotides -= interval.end - interval.begin;
  }

 private:
  // The next three return whether there was no fault.
  bool pack_record(const RecordText& record) {
    start_record(begin_ + record.title_begin, {begin_ + record.name_begin, begin_ + record.name_end});
    const char* end = begin_ + record.sequence_end;
    const char* stopped = pack_lines(begin_ + record.sequence_begin, end);
    if (stopped == end) return true;
    illegal_byte(stopped);
    return false;
  }

  bool pack_pair(const HeldRecord& first, const HeldRecord& second) {
    if (pair_name(first.name(), second.name())) return pack_mate(first) && pack_mate(second);
    enter(first.block);
    letters_of(first.block.source);
    start_record(begin_ + first.record.title_begin, first.name());
    block_.error = TextError{std::nullopt, std::string(second.name()), second.block.source};
    return false;
  }

  bool pack_mate(const HeldRecord& mate) {
    enter(mate.block);
    const std::uint32_t positions = target_.positions, n_letters = target_.n_letters;
    const std::size_t intervals = block_.not_acgt.size();
    const std::uint32_t last = intervals == 0 ? 0 : block_.not_acgt.back().end;
    const bool sound = pack_record(mate.record);
    FileLetters& letters = letters_of(mate.block.source);
    letters.positions += target_.positions - positions;
    letters.nucleotides += target_.positions - positions + (target_.n_letters - n_letters);
    if (intervals != 0) letters.nucleotides -= block_.not_acgt[intervals - 1].end - last;
    for (std::size_t i = intervals; i < block_.not_acgt.size(); ++i) {
      letters.nucleotides -= block_.not_acgt[i].end - block_.not_acgt[i].begin;
    }
    return sound;
  }

  // Packs text of this block from here on.
  void enter(const RawBlock& text) {
    text_ = &text;
    begin_ = text.held();
    end_ = begin_ + text.size;
  }

  FileLetters& letters_of(std::uint32_t source) {
    for (FileLetters& file : block_.files) {
      if (file.source == source) return file;
    }
    return block_.files.emplace_back(FileLetters{source, 0, 0});
  }

  void pack_fasta() {
    const char* at = begin_;
    while (at != end_) {
      at = pack_lines(at, end_);
      if (at == end_) break;
      const bool line_start = at == begin_ ? !raw_.inside_line : is_line_end(at[-1]);
      if (*at != '>' || !line_start) return illegal_byte(at);
      const char* const line_end = find_line_end(at, end_);
      if (static_cast<std::size_t>(line_end - at) > options_.max_title_bytes) {
        return fail(at, fmt::format("header line longer than {} bytes", options_.max_title_bytes));
      }
      start_record(at, name_in_title({at + 1, line_end}));
      at = line_end;
    }
  }

  // Calls pack_, then lists the letters that are not A, C, G or T. These are rare, so a second pass over the text costs
  // little.
  const char* pack_lines(const char* at, const char* end) {
    const std::size_t intervals = block_.not_acgt.size();
    const std::uint32_t last = intervals == 0 ? 0 : block_.not_acgt.back().end;
    const std::uint32_t position = target_.positions;
    const char* stopped = pack_(at, end, end_, target_);
    const bool any = block_.not_acgt.size() != intervals || (intervals != 0 && block_.not_acgt.back().end != last);
    if (options_.letters && any) list_letters(at, stopped, position, block_.letters);
    return stopped;
  }

  void start_record(const char* title, std::string_view name) {
    block_.add_start(target_.positions, name, static_cast<std::uint32_t>(title - begin_), text_->source);
  }

  void illegal_byte(const char* at) { fail(at, not_sequence(*at)); }

  void fail(const char* at, std::string what) {
    std::optional<std::int64_t> offset;
    if (text_->file_offset != RawBlock::kNoFile) offset = text_->file_offset + (at - begin_);
    block_.error = TextError{offset, std::move(what)};
  }

  const RawBlock& raw_;
  const RawBlock* text_;  // the block that holds the text from begin_ to end_
  const char* begin_;
  const char* end_;
  const PackerOptions& options_;
  PackedBlock& block_;
  IntervalMarks not_acgt_;
  IntervalMarks soft_masked_;
  PackFunction pack_;
  PackTarget target_{};
};

// Memory that a thread keeps from one block to the next.
struct Scratch {
  std::vector<char> text;
};

}  // namespace

PackedBlock pack(const RawBlock& raw, const PackerOptions& options) {
  PackedBlock block;
  if (raw.format == Format::twobit) {
    block = pack_stretches(raw, options);
  } else {
    BlockPacker(raw, raw.text(per_thread<Scratch>().text), options, block).run();
  }
  if (!options.soft_masked) block.lower_case.swap(block.soft_masked);
  return block;
}

}  // namespace basesweep
