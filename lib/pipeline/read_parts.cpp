#include "lib/pipeline/read_parts.hpp"

#include <string>
#include <utility>

#include "lib/parts/part.hpp"
#include "lib/pipeline/part_blocks.hpp"

namespace basesweep {
namespace {

// Stands for a file of the run, which a chunk does not write.
class NoFile final : public ByteSink {
 public:
  void write(std::string_view) override {}
};

bool can_be(const ReadPiece& piece, const ReadFiles& files) {
  if (piece.file == ReadPiece::kTable) return files.table && piece.mate == 0;
  return piece.file < files.mates_apart.size() && piece.mate <= (files.mates_apart[piece.file] ? 1U : 0U);
}

void write(const ReadPiece& piece, const ReadTargets& targets) {
  ByteSink* sink = nullptr;
  if (piece.file == ReadPiece::kTable) {
    sink = targets.rows;
  } else if (piece.file < targets.files.size()) {
    sink = targets.files[piece.file][piece.mate];
  }
  if (sink != nullptr) sink->write(piece.text);
}

}  // namespace

void ReadPieces::add(std::uint32_t file, std::uint32_t mate, std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, kBlockBytes);
    text.remove_prefix(piece.size());
    block_.add(ReadPiece{file, mate, piece});
    if (block_.full()) close();
  }
}

std::vector<CompressedBlock> ReadPieces::take() {
  if (!block_.empty()) close();
  return std::exchange(blocks_, {});
}

void ReadPieces::close() { blocks_.push_back(compress(block_.take())); }

ReadTargets part_targets(const ReadFiles& files, PartWriter& part) {
  static NoFile first;
  static NoFile second;
  ReadTargets targets;
  for (const bool apart : files.mates_apart) targets.files.push_back({&first, apart ? &second : &first});
  if (files.table) targets.rows = &first;
  targets.part = &part;
  return targets;
}

void write_read_parts(PartSet& parts, const ReadFiles& files, const ReadTargets& targets, int threads) {
  for_each_block<ReadPiece>(parts, threads, [&](const std::vector<ReadPiece>& pieces, const std::string& path) {
    for (const ReadPiece& piece : pieces) {
      if (!can_be(piece, files)) throw damaged_part(path, "it has a row that cannot be");
      write(piece, targets);
    }
  });
}

}  // namespace basesweep
