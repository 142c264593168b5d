// Adapters as cutadapt's users write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// The letter of an adapter's option.
enum class AdapterKind : std::uint8_t {
  three_prime,  // -a: the adapter and all that comes after it is cut
  five_prime,   // -g: the adapter and all that comes before it is cut
  either,       // -b: five_prime if it begins with the read's first base, else three_prime
};

// Where in a read an adapter may be.
enum class AdapterPlacement : std::uint8_t {
  anywhere,      // whole in the read, or over the end of the read that it belongs to
  anchored,      // whole, at that end: ^ADAPTER and ADAPTER$
  non_internal,  // at that end, whole or over it: XADAPTER and ADAPTERX
};

// One sequence that is looked for.
struct AdapterPart {
  std::string sequence;  // IUPAC letters in upper case, T for U, N for I
  AdapterKind kind = AdapterKind::three_prime;
  AdapterPlacement placement = AdapterPlacement::anywhere;
  bool rightmost = false;       // of several places the last one counts
  bool over_both_ends = false;  // the parameter `anywhere`: it may hang over either end of the read
  bool indels = true;
  double max_error_rate = 0.1;    // of the aligned bases of the adapter that are not N
  std::uint32_t min_overlap = 3;  // aligned bases of the adapter, at most all

  bool operator==(const AdapterPart&) const = default;
};

// An adapter: one part, or two that are linked, of which the first is a 5' and the second a 3' adapter.
struct Adapter {
  std::string name;  // "": it has none
  std::vector<AdapterPart> parts;
  bool required[2] = {true, true};  // of linked parts

  bool is_linked() const { return parts.size() == 2; }
};

// The options that hold for adapters without parameters of their own.
struct AdapterDefaults {
  double max_errors = 0.1;  // below 1: a rate; else a number of errors of a whole adapter
  std::uint32_t min_overlap = 3;
  bool indels = true;
};

// A word such as "file:adapters.fa;o=5", which stands for the adapters of a FASTA file.
struct AdapterFile {
  std::string path;
  bool anchored_front = false;  // ^file:
  bool anchored_back = false;   // file$:
  std::string parameters;       // after ';'

  // The word of the adapter that a record of the file is.
  std::string word_of(std::string_view sequence) const;
};

// Nothing if the word is no file.
std::optional<AdapterFile> adapter_file_of(std::string_view word);

// Parses "name=ADAPTER;parameter;parameter=value" and "FRONT...BACK". Throws UsageError that quotes the word.
Adapter parse_adapter(std::string_view word, AdapterKind kind, const AdapterDefaults& defaults);

}  // namespace basesweep
