// Files of primer pairs in every form, the primers of their products, and sets compiled of them.
#include <vector>

#include "lib/compiled/compiled_set.hpp"
#include "lib/products/primer_set.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

class Text final : public ByteSink {
 public:
  void write(std::string_view text) override { bytes += text; }
  std::string bytes;
};

void check_primers(const PrimerSet& primers) {
  const auto patterns = static_cast<std::uint32_t>(primers.patterns().size());
  fuzz::require(patterns != 0, "pairs have primers");
  for (const PrimerSet::Primer& primer : primers.primers()) {
    fuzz::require(primer.pattern < patterns, "every primer is a pattern");
  }
  for (std::uint32_t left = 0; left < patterns; ++left) {
    for (const PrimerSet::Partner& partner : primers.partners(left)) {
      fuzz::require(partner.pattern < patterns && !primers.name(partner.join).empty(), "products have a pair");
      fuzz::require(partner.join.min_size <= partner.join.max_size && partner.join.max_size <= primers.max_size(),
                    "the sizes of products lie within the bounds");
    }
  }
}

std::vector<std::string> names(const PrimerSet& primers) {
  std::vector<std::string> all;
  for (const PrimerSet::Primer& primer : primers.primers()) all.push_back(primer.name + "\t" + primer.sequence);
  return all;
}

// A set that is compiled of pairs is read, and gives the same primers in the same order.
void check_compiled(const std::vector<PrimerPair>& pairs, const JoinOptions& options) {
  CompiledSet set;
  set.kind = SetKind::pairs;
  set.pairs = pairs;
  Text text;
  write_compiled_set(text, set, 1);
  const fuzz::MemoryFile file(text.bytes);
  std::vector<PrimerPair> again;
  fuzz::require(!fuzz::refuses([&] { again = read_compiled_set(file.path(), 1).pairs; }), "what is compiled is read");
  fuzz::refuses([&] {
    fuzz::require(names(PrimerSet(pairs, options)) == names(PrimerSet(again, options)),
                  "a compiled set has the primers of its file, in their order");
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Choice choice(data, size);
  const fuzz::MemoryFile file(choice.rest);
  const JoinOptions options{.single = choice.number % 2 != 0, .pool = choice.number % 4 >= 2};
  std::vector<PrimerPair> pairs;
  if (fuzz::refuses([&] { pairs = read_primer_pairs(file.path()); })) return 0;
  for (const PrimerPair& pair : pairs) {
    for (const std::string* primer : {&pair.forward, &pair.reverse}) {
      fuzz::require(!primer->empty() && primer->find_first_not_of("ACGTURYSWKMBDHVNI") == std::string::npos,
                    "primers are made of IUPAC codes in upper case, and I");
    }
    fuzz::require(!pair.name.empty() && pair.forward_name != pair.reverse_name, "primers have names of their own");
  }
  fuzz::refuses([&] { check_primers(PrimerSet(pairs, options)); });
  check_compiled(pairs, options);
  return 0;
}
