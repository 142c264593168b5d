#include "lib/demux/barcode_kits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <stdexcept>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/nearest.hpp"
#include "lib/demux/kits.hpp"

namespace basesweep {
namespace {

// The number of a barcode in its name, as text without zeros before it; "" if the name is not a number after one of the
// usual words.
std::string number_in(std::string_view name) {
  const std::string plain = lower_case(std::string(name));
  const std::size_t digits = plain.find_first_of("0123456789");
  if (digits == std::string::npos || plain.find_first_not_of("0123456789", digits) != std::string::npos) return "";
  constexpr std::array<std::string_view, 8> kWords{"barcode", "bc", "nb", "rb", "bp", "barcode_", "bc_", ""};
  if (std::find(kWords.begin(), kWords.end(), plain.substr(0, digits)) == kWords.end()) return "";
  const std::size_t first = plain.find_first_not_of('0', digits);
  return first == std::string::npos ? "" : plain.substr(first);
}

std::vector<BarcodeKit> read_kits() {
  constexpr std::size_t kFields = 10;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>, std::less<>> sets;
  std::vector<BarcodeKit> kits;
  for (std::string_view text = kBarcodeKits; !text.empty();) {
    const std::string_view line = take_to(text, '\n');
    if (line.empty() || line.front() == '#') continue;
    std::array<std::string_view, kFields> fields{};
    split_at_tabs(line, fields);
    const auto letters = [](std::string_view field) { return std::string(field == "." ? "" : field); };
    const auto number = [](std::string_view field) {
      std::uint32_t value = 0;
      return parse_number(field, value) ? std::optional(value) : std::nullopt;
    };
    if (fields[0] == "barcode") {
      sets[std::string(fields[1])].emplace_back(fields[2], fields[3]);
    } else if (fields[0] == "kit") {
      BarcodeKit kit{std::string(fields[1]), std::string(fields[2]), letters(fields[3]), letters(fields[4]),
                     letters(fields[5]),     letters(fields[6]),     number(fields[7]),  number(fields[8])};
      if (const auto set = sets.find(fields[9]); set != sets.end()) kit.barcodes = set->second;
      kits.push_back(std::move(kit));
    } else if (fields[0] == "structure") {
      BarcodeKit& kit = kits.emplace_back();
      kit.name = fields[1];
      kit.about = fields[2];
      kit.structures = {std::string(fields[3]), std::string(fields[4])};
    } else {
      throw std::logic_error(fmt::format("lib/demux/kits.tsv: '{}'", line));
    }
  }
  return kits;
}

// "; did you mean ...?": the kits that begin with the given name, else the one that is most like it.
std::string kits_like(const std::string& plain, const std::vector<std::string>& names) {
  std::vector<std::string> longer;
  for (const std::string& name : names) {
    if (!plain.empty() && lower_case(std::string(name)).starts_with(plain)) longer.push_back(fmt::format("'{}'", name));
  }
  if (longer.empty()) return did_you_mean(plain, names);
  return fmt::format("; did you mean {}?", fmt::join(longer, " or "));
}

}  // namespace

std::string_view BarcodeKit::find(std::string_view barcode) const {
  const std::string number = number_in(barcode);
  for (const auto& [known, letters] : barcodes) {
    if (lower_case(std::string(known)) == lower_case(std::string(barcode)) ||
        (!number.empty() && number_in(known) == number))
      return letters;
  }
  return "";
}

std::string BarcodeKit::names() const {
  if (barcodes.empty()) return "";
  return fmt::format("{} to {}", barcodes.front().first, barcodes.back().first);
}

const std::vector<BarcodeKit>& barcode_kits() {
  static const std::vector<BarcodeKit> kits = read_kits();
  return kits;
}

const BarcodeKit& barcode_kit(const std::string& name) {
  std::string plain = lower_case(std::string(name));
  for (const std::string_view maker : {"sqk-", "exp-"}) {
    if (plain.starts_with(maker)) plain.erase(0, maker.size());
  }
  std::vector<std::string> names;
  for (const BarcodeKit& kit : barcode_kits()) {
    if (lower_case(kit.name) == plain) return kit;
    names.push_back(kit.name);
  }
  throw UsageError(fmt::format("--kit {}: there is no such kit; expected one of {} ('--kit help' describes them){}",
                               name, fmt::join(names, ", "), kits_like(plain, names)));
}

std::string list_barcode_kits() {
  std::string list = "kit\tbarcodes\tleft\tright\tleft2\tright2\tabout\tstructure\n";
  const auto shown = [](const std::string& text) { return text.empty() ? "." : text.c_str(); };
  for (const BarcodeKit& kit : barcode_kits()) {
    fmt::format_to(std::back_inserter(list), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", kit.name, kit.barcodes.size(),
                   shown(kit.left), shown(kit.right), shown(kit.left2), shown(kit.right2), kit.about,
                   shown(fmt::format("{}", fmt::join(kit.structures, " "))));
  }
  return list;
}

}  // namespace basesweep
