// Reads, single and in pairs, and read groups: batches of any size give the same reads, or refuse what comes after the
// same reads.
#include "lib/base/error.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reads/pair_reader.hpp"
#include "lib/reads/read_batch.hpp"
#include "lib/reads/read_source.hpp"
#include "lib/writer/read_group.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

// The reads and whether the rest was refused.
fuzz::Reading read(const std::string& path, std::size_t block_bytes, bool paired) {
  ReadSourceOptions source;
  source.paths = {path};
  source.interleaved = paired;
  source.block_bytes = block_bytes;
  ReadOptions options;
  options.edits = 1;
  options.paired = paired;
  std::string reads;
  const bool refused = fuzz::refuses([&] {
    ReadSource input(source);
    while (auto raw = input.next()) {
      const ReadBatch batch = parse_reads(std::move(*raw), options);
      for (const Read& read : batch.reads) {
        reads.append(read.name).append("\t").append(read.letters).append("\t").append(read.quality).append("\n");
      }
      if (batch.error) std::rethrow_exception(batch.error);
    }
  });
  return {reads, refused};
}

// The same of what the packer makes of pairs.
fuzz::Reading pack_pairs(const std::string& path, std::size_t block_bytes, bool /*paired*/) {
  ReadSourceOptions source;
  source.paths = {path};
  source.interleaved = true;
  source.block_bytes = block_bytes;
  std::string records;
  const bool refused = fuzz::refuses([&] {
    PairReader input(source);
    while (const auto raw = input.next()) {
      const PackedBlock block = pack(*raw, {});
      for (std::size_t i = 0; i < block.starts.size(); ++i) {
        const std::uint32_t end = i + 1 < block.starts.size() ? block.starts[i + 1].position : block.positions;
        records.append(block.name(i)).append("\t");
        for (std::uint32_t at = block.starts[i].position; at < end; ++at) {
          records +=
              static_cast<char>('0' + ((block.lo[at / 64] >> at % 64 & 1) | (block.hi[at / 64] >> at % 64 & 1) << 1));
        }
        records += '\n';
      }
      if (block.error) throw DataError(block.error->what);
    }
  });
  return {records, refused};
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Choice choice(data, size);
  fuzz::check_block_sizes(choice, read, "blocks of any size give the same reads");
  fuzz::check_block_sizes(choice, pack_pairs, "blocks of pairs of any size give the same records");
  fuzz::refuses([&] { parse_read_group(std::string(choice.rest)); });
  return 0;
}
