// Functions that all GFF3 output shares.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lib/base/circular_records.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// The name of a record as the first column holds it, and a value of an attribute: with %XX for what GFF3 does not allow
// there.
std::string gff3_seqid(std::string_view record);
std::string gff3_attribute(std::string_view value);
// The reverse of both: %XX is the byte with that hexadecimal number; other text stays as it is.
std::string gff3_unescaped(std::string_view text);

// The lines before all features: the version, the length of each record, and a feature for each circular record,
// which says that ends may exceed its length.
std::string gff3_header(std::span<const RecordInfo> records, const CircularRecords& circular);

}  // namespace basesweep
