// Makes the indices of complete files with HTSlib.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace basesweep {

// Why HTSlib does not index this FASTA, with the line. Reads it.
std::string why_not_indexed(const std::string& path);

// Writes PATH.fai for a FASTA file, and PATH.gzi too if the file is BGZF. Each appears only when it is complete. Throws
// IoError, and DataError for a file that cannot be indexed: gzip and the like, a record with lines of different
// lengths, or two records of one name.
void write_fasta_index(const std::string& path);

// Formats of hits that can be indexed.
enum class HitFile { bed, tsv, guide_tsv, gff3, sam, bam, cram };

class NewFile;

// The index of a BGZF file of hits: .tbi for BED, TSV and GFF3, .bai for SAM and BAM, .csi when a record is too long
// for these; of CRAM: .crai. That of the TSV of guides knows only the first base of each hit.
class HitIndex {
 public:
  // Makes the index of the file at `path`, which will be called `target`. Throws IoError, and DataError when the hits
  // are not sorted by record and start.
  HitIndex(const std::string& path, const std::string& target, HitFile kind);
  ~HitIndex();
  HitIndex(const HitIndex&) = delete;
  HitIndex& operator=(const HitIndex&) = delete;

  // Removes indices of either kind beside `target`. To be called before the new file gets its name, so that an index of
  // an earlier file never stands beside it, not even after a crash. Throws IoError.
  void remove_outdated() const;
  // Gives the index its name, `target` with the ending of its kind. Throws IoError.
  void place();

 private:
  std::unique_ptr<NewFile> file_;
  std::vector<std::string> outdated_;
};

}  // namespace basesweep
