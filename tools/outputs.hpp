// The files of a run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/parts/part_set.hpp"
#include "lib/rows/output_format.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/compression_pool.hpp"
#include "lib/writer/text_index.hpp"

namespace basesweep {

class PartOutput;

// How a file is written.
struct OutputForm {
  OutputFormat format = OutputFormat::tsv;  // the format of the bytes; CRAM is made of those of BAM
  std::optional<HitFile> index{};           // made of the complete file
  std::string cram_reference{};
};

// Files are opened before any text is read, since the first block may be long in coming, and all appear together.
class Outputs {
 public:
  // `pool`: compresses all files that are BGZF.
  // `level`: of compression, 0 to 9; nothing: that of OutputFile.
  explicit Outputs(std::shared_ptr<CompressionPool> pool, std::optional<int> level = std::nullopt);
  ~Outputs();
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  // Adds a file. `option`: that names its path. The sink lives as long as this. Throws IoError and UsageError.
  ByteSink& add(const std::string& option, const std::string& path, const OutputForm& form = {});
  // Adds the part of a chunk.
  PartOutput& add_part(const std::string& path, const PartHead& head);

  // The part; null: there is none.
  PartOutput* part() { return part_.get(); }
  // The options and paths of all files.
  std::vector<std::pair<std::string, std::string>> names() const;
  // Gives all files their names, once they are complete. Throws IoError, and DataError for an index that cannot be
  // made.
  void commit();

 private:
  class File;

  const std::shared_ptr<CompressionPool> pool_;
  const std::optional<int> level_;
  std::vector<std::unique_ptr<File>> files_;
  std::unique_ptr<PartOutput> part_;
};

}  // namespace basesweep
