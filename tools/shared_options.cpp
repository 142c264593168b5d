#include "tools/shared_options.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

#include "tools/help.hpp"

namespace basesweep {

void keep_words(CLI::App& command, JobOptions& o) {
  o.words = [&command] { return given_words(command); };
  o.is_given = [&command](const std::string& option) { return is_given(command, option); };
}

OptionTable<EditOptions> edit_options(const std::string& noun, std::span<const EditLimit> limits) {
  TableMaker<EditOptions> table;
  for (const EditLimit& limit : limits) {
    const std::string help = fmt::format(fmt::runtime(limit.help), noun);
    std::visit(
        [&](auto member) {
          if constexpr (std::is_same_v<decltype(member), std::optional<double> EditOptions::*>) {
            table.rate(limit.names, member, help);
          } else {
            table.number(limit.names, member, {.min = limit.min, .max = limit.max}, help);
          }
        },
        limit.member);
    table.reported(limit.key).in_program();
  }
  return table.take();
}

void add_mismatches_option(CLI::App& command, std::optional<std::uint32_t>& mismatches) {
  add_number(command, "--mismatches", mismatches, {.max = kEditLimits.front().max},
             "Maximum number of mismatches, and no indels");
}

OptionTable<SamChoices> sam_options(const std::string& noun) {
  return TableMaker<SamChoices>()
      .begin(group::kSam)
      .flag("--eqx", &SamChoices::distinguish, "Write = and X instead of M in CIGAR strings", {.in_merge = ""})
      .in_program()
      .text("-R,--rg,--read-group", "LINE", &SamChoices::read_group,
            fmt::format("Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every {}",
                        noun),
            {.empty_value = true, .in_merge = "Write this @RG line and the tag RG"})
      .flag("--no-PG", &SamChoices::no_program, "Write no @PG line", {.in_merge = ""})
      .take();
}

}  // namespace basesweep
