#include "lib/reader/alignment_file.hpp"

#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <htslib/cram.h>
#include <htslib/hfile.h>
#include <htslib/sam.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/reader/bam_record.hpp"
#include "lib/reader/cram_check.hpp"
#include "lib/reader/cram_reference_check.hpp"
#include "lib/reader/read_text.hpp"
#include "lib/reader/url_wait.hpp"

namespace basesweep {
namespace {

struct CloseFile {
  void operator()(htsFile* file) const noexcept {
    const UrlWait wait;
    hts_close(file);
  }
};
struct DestroyHeader {
  void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
};
struct DestroyRecord {
  void operator()(bam1_t* record) const noexcept { bam_destroy1(record); }
};
using Record = std::unique_ptr<bam1_t, DestroyRecord>;

Record new_record() {
  Record record(bam_init1());
  if (record == nullptr) throw std::bad_alloc();
  return record;
}

std::string_view name_of(const bam1_t& record) { return bam_get_qname(&record); }
unsigned mate_of(const bam1_t& record) { return record.core.flag & (BAM_FREAD1 | BAM_FREAD2); }

// HTSlib looks for the reference of a CRAM file on the network unless REF_PATH says otherwise.
void stay_off_the_network() {
  const char* const path = std::getenv("REF_PATH");
  if (path == nullptr || *path == '\0') setenv("REF_PATH", "/dev/null", 1);
}

class AlignmentFile final : public AlignmentRecords {
 public:
  // `records`: it reads as records, not as text.
  AlignmentFile(const std::string& path, Stream stream, bool seekable, Compression compression, AlignmentFormat format,
                AlignmentOptions options, int threads, bool records)
      : AlignmentRecords(path),
        stream_(std::move(stream)),
        seekable_(seekable),
        compression_(compression),
        options_(std::move(options)),
        info_{format},
        threads_(threads),
        records_(records) {}

  std::size_t read(char* to, std::size_t size) override {
    while (left_.empty() && !ended_) decode_some();
    if (left_.empty() && fault_) std::rethrow_exception(fault_);
    const std::size_t got = std::min(size, left_.size());
    std::copy_n(left_.data(), got, to);
    left_.remove_prefix(got);
    return got;
  }
  Compression compression() const override { return compression_; }
  std::optional<AlignmentInfo> alignments() override {
    const bool wants_groups =
        options_.all_tags || std::find(options_.tags.begin(), options_.tags.end(), "RG") != options_.tags.end();
    if (wants_groups && info_.read_groups.empty() && info_.header.empty()) {
      const UrlWait wait(path());
      if (file_ == nullptr) open();
      find_read_groups();
    }
    return info_;
  }

  const AlignmentHeader& header() override {
    const UrlWait wait(path());
    if (file_ == nullptr) open();
    return header_content_;
  }
  AlignmentFormat format() const override { return info_.format; }

 private:
  static constexpr std::size_t kTextBytes = std::size_t{1} << 18;    // decoded at a time
  static constexpr std::size_t kMaxTagBytes = std::size_t{1} << 28;  // of a read; up to five times as many as text
  static constexpr std::uint32_t kMaxHeader = std::uint32_t{1} << 30U;

  const char* format_name() const { return alignment_format_name(info_.format); }

  void decode_some() {
    const UrlWait wait(path());
    text_.clear();
    try {
      if (file_ == nullptr) open();
      while (text_.size() < kTextBytes && !ended_) ended_ = !add_next();
    } catch (const Error&) {
      fault_ = std::current_exception();
      ended_ = true;
    }
    left_ = text_;
  }

  void open() {
    if (info_.format == AlignmentFormat::cram) prepare_cram();
    hts_stream_ = stream_.get();
    file_.reset(hts_hopen(stream_.get(), path().c_str(), "r"));
    if (file_ == nullptr) fail("cannot be opened");
    static_cast<void>(stream_.release());  // file_ owns it now
    if (info_.format == AlignmentFormat::cram) set_cram_options();
    if (info_.format == AlignmentFormat::bam) check_header_size();
    header_.reset(sam_hdr_read(file_.get()));
    if (header_ == nullptr) fail("its header is damaged or ends early");
    if (info_.format == AlignmentFormat::cram) {
      cram_reference_.emplace(header_.get(), options_.cram_reference);
      cram_reference_->settle(cram_fd_get_header(file_->fp.cram));
    }
    if (records_) take_header();
    // Threads start here and not before: HTSlib 1.16 waits for ever when it looks for the end-of-file block of a BAM
    // file, as it does to read the header, and its threads have met an error.
    // With threads, HTSlib does not say which record of SAM is damaged.
    if (threads_ > 1 && info_.format != AlignmentFormat::sam && hts_set_threads(file_.get(), threads_) != 0)
      throw Error(kExitFailure, "HTSlib cannot start threads");
  }

  // HTSlib takes as much memory as the header says that its text is long, before it reads that. One longer than
  // kMaxHeader is not believed.
  void check_header_size() {
    BGZF* const bgzf = file_->fp.bgzf;
    if (bgzf_peek(bgzf) < 0) return;      // reading the header fails, too
    std::array<unsigned char, 8> head{};  // "BAM\1", then the size
    if (bgzf->block_length - bgzf->block_offset < static_cast<int>(head.size())) return;
    std::memcpy(head.data(), static_cast<const char*>(bgzf->uncompressed_block) + bgzf->block_offset, head.size());
    const std::uint32_t size = std::uint32_t{head[4]} | std::uint32_t{head[5]} << 8U | std::uint32_t{head[6]} << 16U |
                               std::uint32_t{head[7]} << 24U;
    if (size > kMaxHeader)
      fail(fmt::format("its header says that it has {} bytes of text; at most {} are read", size, kMaxHeader));
  }

  void prepare_cram() {
    if (!seekable_) {
      throw DataError(
          fmt::format("{}: CRAM must be in a file, because its checksums are compared first; 'samtools view -u' makes "
                      "BAM, which may "
                      "come through a pipe",
                      path()));
    }
    check_cram(stream_.get(), path());
    stay_off_the_network();
  }

  void set_cram_options() {
    int fields = SAM_QNAME | SAM_FLAG | SAM_RNAME | SAM_SEQ | SAM_QUAL;
    if (records_) fields = INT_MAX;
    if (options_.all_tags || !options_.tags.empty()) fields |= SAM_AUX | SAM_RGAUX;
    if (hts_set_opt(file_.get(), CRAM_OPT_REQUIRED_FIELDS, fields) != 0 ||
        hts_set_opt(file_.get(), CRAM_OPT_DECODE_MD, 0) != 0)
      fail("HTSlib does not take the options of CRAM");
    if (options_.cram_reference.empty()) return;
    if (hts_set_opt(file_.get(), CRAM_OPT_REFERENCE, options_.cram_reference.data()) != 0)
      throw IoError(options_.cram_reference, "cannot read the reference of CRAM", errno);
  }

  void take_header() {
    header_content_.text.assign(sam_hdr_str(header_.get()), sam_hdr_length(header_.get()));
    for (int i = 0; i < sam_hdr_nref(header_.get()); ++i)
      header_content_.references.push_back({sam_hdr_tid2name(header_.get(), i), sam_hdr_tid2len(header_.get(), i)});
  }

  void find_read_groups() {
    std::string_view lines(sam_hdr_str(header_.get()), sam_hdr_length(header_.get()));
    while (!lines.empty()) {
      const std::string_view line = take_to(lines, '\n');
      if (line.starts_with("@RG\t")) info_.read_groups.emplace_back(line);
      if (options_.all_tags && !line.starts_with("@HD\t") && !line.starts_with("@SQ\t"))
        info_.header.emplace_back(line);
    }
  }

  // Appends the text of the next read, or of the next pair; false at the end of the file.
  bool add_next() {
    do {
      if (!next(*record_)) return false;
    } while (options_.mates && info_.paired.value_or(false) && is_only_counted(*record_));
    if (records_) {
      append(*record_);
      return true;
    }
    const bool paired = (record_->core.flag & BAM_FPAIRED) != 0;
    const bool only_counted = is_only_counted(*record_);
    if (!info_.paired && !only_counted) info_.paired = paired;
    if (!options_.mates || only_counted) {
      append(*record_);
      return true;
    }
    if (paired != *info_.paired) {
      fail_at(*record_,
              fmt::format("{}: 'samtools view -u -f 1 {} | basesweep ...' gives those of pairs only, and -F 1 "
                          "the others",
                          paired ? "is one of a pair (FLAG 1), but the reads before it are not"
                                 : "is not one of a pair (FLAG 1), but the reads before it are",
                          shown_path()));
    }
    paired ? add_pair() : append(*record_);
    return true;
  }

  // Whether the read is handed out for its number alone.
  bool is_only_counted(const bam1_t& record) const {
    const bool of_pair = options_.mates && (record.core.flag & BAM_FPAIRED) != 0;
    return record.core.l_qseq == 0 && !options_.keep_empty && !of_pair && !records_;
  }

  void add_pair() {
    const bool more = next(*mate_);
    const unsigned both = BAM_FREAD1 | BAM_FREAD2;
    if (!more || name_of(*record_) != name_of(*mate_) || (mate_of(*record_) ^ mate_of(*mate_)) != both ||
        mate_of(*record_) == both || mate_of(*mate_) == both) {
      fail_at(*record_, fmt::format("is one of a pair (FLAG 1), but its mate does not follow; 'samtools collate -u -O "
                                    "{} | basesweep ...' puts mates next to each other, if both are there",
                                    shown_path()));
    }
    const bool in_order = mate_of(*record_) == BAM_FREAD1;
    append(in_order ? *record_ : *mate_);
    append(in_order ? *mate_ : *record_);
  }

  // The file in a command that a message shows.
  std::string shown_path() const { return path() == "<stdin>" ? "FILE" : path(); }

  // Decodes the next read; false at the end of the file. Passes over reads without a sequence as the options say.
  bool next(bam1_t& record) {
    while (true) {
      errno = 0;
      const int got = sam_read1(file_.get(), header_.get(), &record);
      if (got == -1) {
        check_end();
        return false;
      }
      if (got < 0) fail_decoding();
      ++decoded_;
      if (cram_reference_ && record.core.tid >= 0) check_reference(record.core.tid);
      if (records_) return true;
      if ((record.core.flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) != 0) continue;
      const bool needed =
          options_.keep_empty || options_.count_empty || (options_.mates && (record.core.flag & BAM_FPAIRED) != 0);
      if (record.core.l_qseq > 0 || needed) return true;
    }
  }

  void check_reference(std::int32_t reference) {
    if (const std::string fault = cram_reference_->fault_of(reference); !fault.empty()) fail(fault);
  }

  void append(const bam1_t& record) {
    if (!records_ && options_.unaligned_only && (record.core.flag & BAM_FUNMAP) == 0) {
      fail_at(record, options_.all_tags
                          ? "is aligned, and reads are written without alignments: --drop-alignment takes it as it "
                            "came from the sequencer"
                          : "is aligned: drop_alignment takes it as it came from the sequencer");
    }
    if (!records_ && options_.all_tags && std::cmp_greater(bam_get_l_aux(&record), kMaxTagBytes))
      fail_at(record, fmt::format("has {} bytes of tags; at most {} are read", bam_get_l_aux(&record), kMaxTagBytes));
    const std::size_t before = text_.size();
    try {
      if (records_) {
        append_bam_record(record, text_);
      } else {
        options_.all_tags ? append_read_with_tags(record, text_) : append_read(record, options_.tags, text_);
      }
    } catch (const std::runtime_error& fault) {
      text_.resize(before);
      throw DataError(fmt::format("{}: record {} is damaged: {}", path(), decoded_, fault.what()));
    }
  }

  // Throws if the file ends without the mark of its end, or by damage: HTSlib hands out a line of SAM whose end is in a
  // damaged block, and then says that this was all.
  void check_end() {
    if (herrno(hts_stream_) != 0) throw IoError(path(), "cannot read", herrno(hts_stream_));
    if (file_->is_bgzf != 0 && file_->fp.bgzf->errcode != 0) fail_decoding();
    if (compression_ != Compression::bgzf || file_->fp.bgzf->no_eof_block == 0) return;
    const std::string after = decoded_ == 0 ? "" : fmt::format(" after {} records", decoded_);
    throw DataError(fmt::format("{}: truncated {}: no end-of-file block{}", path(), format_name(), after));
  }

  // HTSlib does not say what is wrong with the line.
  [[noreturn]] void fail_line() const {
    constexpr std::size_t kShownName = 60;
    const kstring_t& line = file_->line;
    // The line still begins with its name, after which HTSlib has put a 0.
    std::string_view name(line.s == nullptr ? "" : line.s);
    name = name.substr(0, std::min(name.find('\t'), kShownName));
    throw DataError(
        fmt::format("{}: line {}: record {}{} is not a line of SAM: expected 11 columns or more, a name of at most 254 "
                    "letters, numbers "
                    "for FLAG, POS, MAPQ, PNEXT and TLEN, CIGAR and QUAL fit the bases of SEQ, and tags follow",
                    path(), file_->lineno, decoded_ + 1, name.empty() ? "" : fmt::format(" ('{}')", printable(name))));
  }

  [[noreturn]] void fail_decoding() const {
    if (errno == ENOMEM) throw std::bad_alloc();
    // Damage in compressed text may have cut off a line that was right.
    const bool damaged = herrno(hts_stream_) != 0 || (file_->is_bgzf != 0 && file_->fp.bgzf->errcode != 0);
    if (info_.format == AlignmentFormat::sam && !damaged) fail_line();
    // Threads of HTSlib meet damage before the records in front of it are handed out.
    const char* const first = threads_ > 1 ? "a record" : "its first record";
    const std::string after = decoded_ == 0 ? first : fmt::format("what follows record {}", decoded_);
    if (info_.format == AlignmentFormat::cram) {
      fail(options_.cram_reference.empty()
               ? fmt::format("{} cannot be decoded: CRAM may need the reference that it was written with "
                             "(--cram-reference FILE){}; else the data are damaged or end early",
                             after, cram_reference_->absent_file())
               : fmt::format("{} cannot be decoded: the data are damaged or end early, or {} is not the reference "
                             "that they were written with{}",
                             after, "--cram-reference", cram_reference_->absent_record()));
    }
    fail(after + " is damaged or ends early");
  }

  [[noreturn]] void fail(std::string_view what) const {
    if (const int code = hts_stream_ == nullptr ? 0 : herrno(hts_stream_); code != 0)
      throw IoError(path(), "cannot read", code);
    throw DataError(fmt::format("{}: {}: {}", path(), format_name(), what));
  }
  [[noreturn]] void fail_at(const bam1_t& record, std::string_view what) const {
    throw DataError(fmt::format("{}: read '{}' {}", path(), name_of(record), what));
  }

  Stream stream_;  // until file_ has it
  bool seekable_;
  hFILE* hts_stream_ = nullptr;
  Compression compression_;
  AlignmentOptions options_;
  AlignmentInfo info_;
  int threads_;
  bool records_;
  AlignmentHeader header_content_;  // of records
  std::unique_ptr<htsFile, CloseFile> file_;
  std::unique_ptr<sam_hdr_t, DestroyHeader> header_;
  std::optional<CramReferenceCheck> cram_reference_;
  Record record_ = new_record();
  Record mate_ = new_record();
  std::int64_t decoded_ = 0;  // records so far, of any kind
  std::string text_;
  std::string_view left_;     // of text_, not handed out yet
  std::exception_ptr fault_;  // comes after the text
  bool ended_ = false;
};

}  // namespace

std::shared_ptr<InputFile> make_alignment_file(const std::string& path, Stream stream, bool seekable,
                                               Compression compression, AlignmentFormat format,
                                               const AlignmentOptions& options, int threads) {
  return std::make_shared<AlignmentFile>(path, std::move(stream), seekable, compression, format, options, threads,
                                         false);
}

std::shared_ptr<AlignmentRecords> make_alignment_records(const std::string& path, Stream stream, bool seekable,
                                                         Compression compression, AlignmentFormat format,
                                                         const AlignmentOptions& options, int threads) {
  return std::make_shared<AlignmentFile>(path, std::move(stream), seekable, compression, format, options, threads,
                                         true);
}

}  // namespace basesweep
