#include "lib/report/guide_tables.hpp"

#include <fmt/format.h>

#include <iterator>

#include "lib/writer/escape.hpp"

namespace basesweep {
std::string guide_table(const GuideLibrary& library, const std::vector<SampleCounts>& samples, OutputFormat format) {
  const bool csv = format == OutputFormat::csv;
  const char separator = csv ? ',' : '\t';
  const bool mageck = format == OutputFormat::mageck;
  std::string text = mageck ? "sgRNA" : "guide";
  const auto add = [&](const std::string& cell) {
    text += separator;
    text += csv ? escaped(cell, Escape::csv) : cell;
  };
  if (library.has_genes) add(mageck ? "Gene" : "gene");
  for (const SampleCounts& sample : samples) add(sample.name);
  text += '\n';
  for (std::size_t i = 0; i < library.guides.size(); ++i) {
    const LibraryGuide& guide = library.guides[i];
    text += csv ? escaped(guide.name, Escape::csv) : guide.name;
    // MAGeCK splits lines at blanks and tabs, so that an empty cell would shift the others.
    if (library.has_genes) add(mageck && guide.gene.empty() ? guide.name : guide.gene);
    for (const SampleCounts& sample : samples) {
      fmt::format_to(std::back_inserter(text), "{}{}", separator, sample.guides[i]);
    }
    text += '\n';
  }
  return text;
}

std::string sample_table(const std::vector<SampleCounts>& samples, bool molecules) {
  std::string text = "sample\treads\tcounted\tedits_0\tedits_1\tambiguous\tunmatched\t";
  if (molecules) text += "unread_umis\tumis\t";
  text += "guides_without_reads\tgini\n";
  const auto out = std::back_inserter(text);
  for (const SampleCounts& sample : samples) {
    fmt::format_to(out, "{}\t{}\t{}\t{}\t{}\t{}\t{}\t", sample.name, sample.reads, sample.counted(), sample.exact,
                   sample.edited, sample.ambiguous, sample.unmatched());
    if (molecules) fmt::format_to(out, "{}\t{}\t", sample.unread_umis, sample.molecules());
    fmt::format_to(out, "{}\t{:.4f}\n", sample.guides_without_reads(), sample.gini());
  }
  return text;
}

std::string print_window(StartWindow window) {
  if (window == StartWindow()) return "any";
  if (window.last == StartWindow::kEnd) return fmt::format("{}-", window.first);
  return window.first == window.last ? fmt::format("{}", window.first)
                                     : fmt::format("{}-{}", window.first, window.last);
}

}  // namespace basesweep
