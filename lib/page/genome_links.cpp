#include "lib/page/genome_links.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "lib/page/text.hpp"

namespace basesweep {
namespace {

struct EnsemblSite {
  std::string_view genome;
  std::string_view site;
};
// Assemblies that Ensembl shows, by their names at UCSC and their own.
constexpr std::array<EnsemblSite, 16> kEnsembl{{{"hg38", "www.ensembl.org/Homo_sapiens"},
                                                {"GRCh38", "www.ensembl.org/Homo_sapiens"},
                                                {"hg19", "grch37.ensembl.org/Homo_sapiens"},
                                                {"GRCh37", "grch37.ensembl.org/Homo_sapiens"},
                                                {"mm39", "www.ensembl.org/Mus_musculus"},
                                                {"GRCm39", "www.ensembl.org/Mus_musculus"},
                                                {"mm10", "nov2020.archive.ensembl.org/Mus_musculus"},
                                                {"GRCm38", "nov2020.archive.ensembl.org/Mus_musculus"},
                                                {"danRer11", "www.ensembl.org/Danio_rerio"},
                                                {"GRCz11", "www.ensembl.org/Danio_rerio"},
                                                {"dm6", "www.ensembl.org/Drosophila_melanogaster"},
                                                {"BDGP6", "www.ensembl.org/Drosophila_melanogaster"},
                                                {"ce11", "www.ensembl.org/Caenorhabditis_elegans"},
                                                {"WBcel235", "www.ensembl.org/Caenorhabditis_elegans"},
                                                {"sacCer3", "www.ensembl.org/Saccharomyces_cerevisiae"},
                                                {"R64-1-1", "www.ensembl.org/Saccharomyces_cerevisiae"}}};

// Bytes that have a meaning in addresses, as %20.
std::string for_address(std::string_view text) {
  std::string address;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

std::string link(const std::string& address, const char* name) {
  return fmt::format("<a href=\"{}\" rel=\"noopener noreferrer\" target=_blank>{}</a>", escaped(address), name);
}

}  // namespace

std::string genome_links(const std::string& genome, const std::string& record, std::uint64_t start, std::uint64_t end) {
  if (genome.empty()) return "";
  const std::string range = fmt::format("{}-{}", start + 1, end);
  const std::string name = for_address(record.substr(0, 200));
  std::string html = link(fmt::format("http://localhost:60151/goto?locus={}:{}", name, range), "IGV");
  html += " " + link(fmt::format("https://genome.ucsc.edu/cgi-bin/hgTracks?db={}&position={}:{}", genome, name, range),
                     "UCSC");
  for (const EnsemblSite& one : kEnsembl) {
    if (one.genome != genome) continue;
    const std::string own = name.starts_with("chr") ? name.substr(3) : name;  // Ensembl's names of chromosomes
    html += " " +
            link(fmt::format("https://{}/Location/View?r={}:{}", one.site, own == "M" ? "MT" : own, range), "Ensembl");
  }
  return html;
}

}  // namespace basesweep
