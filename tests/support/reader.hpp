// Shared by the tests of the reader: compressed text, random text, and checks of the blocks that the reader cuts.
#pragma once

#include <htslib/bgzf.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/compressors.hpp"

namespace basesweep::reader_test {

namespace fs = std::filesystem;

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "basesweep-reader-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  fs::path folder_;
};

// BGZF without the end-of-file block, which is bgzf_block("").
inline std::string bgzf_block(const std::string& text) {
  std::string out(BGZF_MAX_BLOCK_SIZE, '\0');
  std::size_t size = out.size();
  REQUIRE(bgzf_compress(out.data(), &size, text.data(), text.size(), 1) == 0);
  out.resize(size);
  return out;
}

inline std::string in_parts(const std::string& text, std::size_t part,
                            const std::function<std::string(std::string)>& pack) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += part) out += pack(text.substr(at, part));
  return out;
}

inline std::string bgzf(const std::string& text, std::size_t part = 70) {
  return in_parts(text, part, bgzf_block) + bgzf_block("");
}

struct Packing {
  std::string name;
  std::function<std::string(const std::string&)> pack;
  int threads;
};

inline const std::vector<Packing>& packings() {
  static const std::vector<Packing> all = {
      {"plain", [](const std::string& text) { return text; }, 1},
      {"gzip", [](const std::string& text) { return gzip(text); }, 1},
      {"gzip, many members", [](const std::string& text) { return in_parts(text, 50, gzip); }, 1},
      {"BGZF", [](const std::string& text) { return bgzf(text); }, 1},
      {"BGZF, threads", [](const std::string& text) { return bgzf(text); }, 3},
      {"zstd", [](const std::string& text) { return zstd(text); }, 1},
      {"bzip2", [](const std::string& text) { return bzip2(text); }, 1},
      {"xz", [](const std::string& text) { return xz(text); }, 1},
      {"zstd, many members", [](const std::string& text) { return in_parts(text, 50, [](auto t) { return zstd(t); }); },
       1},
  };
  return all;
}

inline std::vector<RawBlock> read_all(const ReaderOptions& options) {
  Reader reader(options);
  std::vector<RawBlock> blocks;
  while (auto block = reader.next()) blocks.push_back(std::move(*block));
  return blocks;
}

inline std::string text_of(const RawBlock& block) {
  std::vector<char> scratch;
  const auto text = block.text(scratch);
  return {text.begin(), text.end()};
}

inline std::string without_breaks(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  return text;
}

// Returns the first fault of the blocks of a FASTA text, or "".
inline std::string fasta_fault(const std::vector<RawBlock>& blocks, const std::string& text) {
  std::size_t at = std::min(text.find('>'), text.size());
  std::uint64_t number = 0;
  for (const RawBlock& block : blocks) {
    const std::string where = "block " + std::to_string(number) + " at " + std::to_string(at) + ": ";
    if (block.number != number++) return where + "number";
    if (block.format != Format::fasta) return where + "format";
    if (block.size == 0) return where + "empty";
    if (block.file_offset != static_cast<std::int64_t>(at)) return where + "offset";
    if (text_of(block) != text.substr(at, block.size)) return where + "text";
    const bool first = number == 1;
    if (block.inside_line == (first || is_line_end(text[at - 1]))) return where + "inside_line";
    if (block.inside_line && text[text.find_last_of("\r\n", at - 1) + 1] == '>') return where + "begins in a title";
    at += block.size;
  }
  return at == text.size() ? "" : "ends at " + std::to_string(at);
}

struct FastqRead {
  std::string name, sequence;
  bool operator==(const FastqRead&) const = default;
};

inline std::string fastq_fault(const std::vector<RawBlock>& blocks, const std::string& text,
                               const std::vector<FastqRead>& truth) {
  std::vector<FastqRead> found;
  for (const RawBlock& block : blocks) {
    const std::string own = text_of(block);
    if (block.format != Format::fastq || block.inside_line || block.file != nullptr) return "kind";
    if (block.records.empty()) return "no records";
    if (own.front() != '@' && own.front() != '\n' && own.front() != '\r') return "begin";
    if (own != text.substr(static_cast<std::size_t>(block.file_offset), block.size)) return "text or offset";
    for (const RecordText& r : block.records) {
      found.push_back({own.substr(r.name_begin, r.name_end - r.name_begin),
                       without_breaks(own.substr(r.sequence_begin, r.sequence_end - r.sequence_begin))});
      if (own[r.title_begin] != '@') return "name";
    }
  }
  return found == truth ? "" : "records differ";
}

struct WholeRecord {
  std::string name, sequence, quality;  // without line breaks
  bool operator==(const WholeRecord&) const = default;
};

// Returns the records of a correct FASTA or FASTQ text, read line by line.
inline std::vector<WholeRecord> naive_records(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find_first_of("\r\n", at), text.size()) + 1) {
    lines.push_back(text.substr(at, text.find_first_of("\r\n", at) - at));
    if (text.compare(at + lines.back().size(), 2, "\r\n") == 0) ++at;
  }
  std::vector<WholeRecord> records;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const char mark = first == std::string::npos ? '>' : text[first];
  for (std::size_t l = 0; l < lines.size();) {
    if (lines[l].empty() || lines[l].front() != mark) {
      ++l;  // a blank line before a record
      continue;
    }
    WholeRecord record{lines[l].substr(std::min(lines[l].find_first_not_of(" \t", 1), lines[l].size())), "", ""};
    record.name.erase(std::min(record.name.find_first_of(" \t"), record.name.size()));
    const char end = mark == '>' ? '>' : '+';
    for (++l; l < lines.size() && (lines[l].empty() || lines[l].front() != end); ++l)
      record.sequence += without_breaks(lines[l]);
    if (mark == '@') {
      ++l;
      do {
        if (l < lines.size()) record.quality += lines[l];
      } while (++l < lines.size() && record.quality.size() < record.sequence.size());
    }
    records.push_back(record);
  }
  return records;
}

// Returns the first fault of blocks of whole records, or "". `records`: the records that the blocks must hold.
inline std::string whole_fault(const std::vector<RawBlock>& blocks, const std::string& text,
                               const std::vector<WholeRecord>& records) {
  std::vector<WholeRecord> found;
  std::int64_t at = 0;
  for (const RawBlock& block : blocks) {
    if (block.number != static_cast<std::uint64_t>(&block - blocks.data())) return "number";
    if (block.inside_line || block.file != nullptr) return "kind";
    if (block.records.empty()) return "no records";
    if (block.file_offset < at) return "offset or size";
    at = block.file_offset + static_cast<std::int64_t>(block.size);
    const std::string own = text_of(block);
    if (own != text.substr(static_cast<std::size_t>(block.file_offset), block.size)) return "text";
    for (const RecordText& r : block.records) {
      const auto part = [&own](std::uint32_t begin, std::uint32_t end) { return own.substr(begin, end - begin); };
      const std::string sequence = part(r.sequence_begin, r.sequence_end),
                        quality = part(r.quality_begin, r.quality_end);
      if (own[r.title_begin] != (block.format == Format::fasta ? '>' : '@')) return "name";
      for (const std::string& lines : {sequence, quality})
        if (!lines.empty() && (lines.back() == '\n' || lines.back() == '\r')) return "a line break at the end";
      found.push_back({part(r.name_begin, r.name_end), without_breaks(sequence), without_breaks(quality)});
    }
  }
  return found == records ? "" : "records differ";
}

// Returns the message of the error that `read_all` throws, or "".
inline std::string error_of(const ReaderOptions& options) {
  try {
    read_all(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline void check_error(const std::string& what, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    INFO("message: " << what << "\nexpected: " << part);
    CHECK(what.find(part) != std::string::npos);
  }
}

inline std::string random_dna(std::size_t size, std::mt19937& random) {
  std::string out(size, 'A');
  for (char& c : out) c = "ACGTN"[random() % 5];
  return out;
}

// Returns a random mixture of titles, lines and line breaks. It begins with '>' and no title is longer than
// `max_title_bytes`.
inline std::string random_fasta(std::size_t size, std::size_t max_title_bytes, std::mt19937& random) {
  std::string text = ">";
  std::size_t line = 0;
  while (text.size() < size) {
    text += "ACGTacgtn>>\n\n\r "[random() % (random() % 8 == 0 ? 15 : 10)];
    if (text.size() - line >= max_title_bytes && text[line] == '>') text += '\n';
    if (is_line_end(text.back())) line = text.size();
  }
  return text;
}

inline std::string wrapped(const std::string& text, std::size_t width, const std::string& end) {
  std::string out;
  for (std::size_t at = 0; at == 0 || at < text.size(); at += width) out += text.substr(at, width) + end;
  return out;
}

inline std::string random_fastq(std::size_t records, bool multi_line, std::vector<FastqRead>& truth,
                                std::mt19937& random) {
  const std::string end = random() % 2 == 0 ? "\n" : "\r\n";
  std::string text;
  for (std::size_t i = 0; i < records; ++i) {
    const FastqRead read{"r" + std::to_string(i), random_dna(random() % 40, random)};
    std::string quality(read.sequence.size(), 'I');
    for (char& c : quality) c = "@+I!>"[random() % 5];
    const std::size_t width = multi_line ? 1 + random() % 20 : 1000;
    text += "@" + read.name +
            (random() % 2 == 0   ? ""
             : random() % 2 == 0 ? " @more"
                                 : "\tmore") +
            end + wrapped(read.sequence, width, end) + "+" + (random() % 2 == 0 ? "" : read.name) + end +
            wrapped(quality, multi_line && random() % 2 == 0 ? 1 + random() % 20 : width, end);
    if (random() % 10 == 0) text += end;
    truth.push_back(read);
  }
  if (random() % 2 == 0) text.erase(text.find_last_not_of("\r\n") + 1);
  // At the end of a file an empty quality may have no line, and the '+' line no line break.
  return text;
}

// FASTA with lines, titles and records of many lengths, up to some blocks of text.
inline std::string long_fasta(std::size_t size, std::mt19937& random) {
  std::string text;
  while (text.size() < size) {
    const std::size_t kind = random() % 8;
    text += ">r" + std::to_string(text.size()) + " " + std::string(kind == 0 ? random() % 60000 : random() % 90, '>');
    const std::size_t most = kind == 1 ? 900'000 : kind < 4 ? 40'000 : 300;
    const std::size_t width = random() % 3 == 0 ? 1'000'000 : 1 + random() % 200;
    text += "\n" + wrapped(random_dna(random() % most, random), width, random() % 5 == 0 ? "\r\n" : "\n");
  }
  return text;
}

// FASTQ of which some records are longer than a piece of text.
inline std::string long_fastq(std::size_t size, bool multi_line, std::mt19937& random) {
  std::vector<FastqRead> ignored;
  std::string text;
  while (text.size() < size) {
    if (random() % 200 == 0) {
      const std::size_t length = random() % 300'000;
      text += "@long\n" + random_dna(length, random) + "\n+\n" + std::string(length, '@') + "\n";
    }
    text += random_fastq(1 + random() % 500, multi_line, ignored, random) + "\n\n";
  }
  return text;
}

}  // namespace basesweep::reader_test
