// Compiled sets: patterns or primer pairs, how they are searched for, and the tables that this takes, in one file.
// `basesweep compile` writes them, and -f of `motif`, `match` and `pcr` takes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/compiled/section_file.hpp"
#include "lib/products/primer_pairs.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/pattern.hpp"
#include "lib/search/stored_tables.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

enum class SetKind : std::uint8_t {
  exact,        // patterns for `motif`
  approximate,  // patterns for `match`
  pairs         // for `pcr`
};

// The options that a set keeps.
struct SetOptions {
  EditOptions edits{};  // without overhang, which the search chooses
  StrandChoice strand = StrandChoice::both;
  PalindromeChoice palindromes = PalindromeChoice::once;
};

struct CompiledSet {
  SetKind kind = SetKind::exact;
  SetOptions options{};
  std::vector<Pattern> patterns{};  // of a set for `motif` or `match`; as of a file with the path of the set
  std::vector<PrimerPair> pairs{};  // of a set for `pcr`; those of one file have one path that tells files apart
  StoredTables tables{};            // of the queries of the PatternSet that the command makes of them
  std::shared_ptr<const SectionFile> file{};  // where the tables lie; null: elsewhere
};

// `threads`: that compute checksums.
void write_compiled_set(ByteSink& to, const CompiledSet& set, int threads);

// Whether the path is that of a compiled set, whole or not.
bool is_compiled_set(const std::string& path);
// Throws IoError, and DataError for a file that is not complete, was changed, or is of another version.
// `heap_stays`: the process keeps what it frees (mallopt), so that memory for a large set is worth being made ready.
CompiledSet read_compiled_set(const std::string& path, int threads, bool heap_stays = false);
// The same for the bytes of such a file. `name`: of what holds them, for messages.
CompiledSet parse_compiled_set(const std::string& name, std::string_view bytes);

}  // namespace basesweep
