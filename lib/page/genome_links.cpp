#include "lib/page/genome_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "lib/page/text.hpp"

namespace basesweep {
namespace {

// An assembly that UCSC and Ensembl show.
struct Assembly {
  std::string_view ucsc;           // its name there
  std::string_view ensembl;        // its name there
  std::string_view site;           // of Ensembl
  std::string_view mitochondrion;  // Ensembl's name; at UCSC it is chrM
};
constexpr std::array<Assembly, 8> kAssemblies{
    {{"hg38", "GRCh38", "www.ensembl.org/Homo_sapiens", "MT"},
     {"hg19", "GRCh37", "grch37.ensembl.org/Homo_sapiens", "MT"},
     {"mm39", "GRCm39", "www.ensembl.org/Mus_musculus", "MT"},
     {"mm10", "GRCm38", "nov2020.archive.ensembl.org/Mus_musculus", "MT"},
     {"danRer11", "GRCz11", "www.ensembl.org/Danio_rerio", "MT"},
     {"dm6", "BDGP6", "www.ensembl.org/Drosophila_melanogaster", "mitochondrion_genome"},
     {"ce11", "WBcel235", "www.ensembl.org/Caenorhabditis_elegans", "MtDNA"},
     {"sacCer3", "R64-1-1", "www.ensembl.org/Saccharomyces_cerevisiae", "Mito"}}};

const Assembly* assembly_of(std::string_view genome) {
  const auto* const found = std::find_if(kAssemblies.begin(), kAssemblies.end(), [genome](const Assembly& one) {
    return genome == one.ucsc || genome == one.ensembl;
  });
  return found == kAssemblies.end() ? nullptr : found;
}

bool is_mitochondrion(const Assembly& assembly, std::string_view record) {
  return record == assembly.mitochondrion || record == "chrM" || record == "chrMT" || record == "M" || record == "MT";
}

// chr7 of 7, as UCSC calls chromosomes. UCSC knows accessions such as KI270706.1 by themselves.
std::string name_at_ucsc(const Assembly& assembly, const std::string& record) {
  constexpr std::size_t kLongest = 5;  // XVIII
  if (is_mitochondrion(assembly, record)) return "chrM";
  return record.starts_with("chr") || record.size() > kLongest ? record : "chr" + record;
}

// 7 of chr7, and KI270706.1 of chr1_KI270706v1_random; "" where Ensembl may have no such name.
std::string name_at_ensembl(const Assembly& assembly, const std::string& record) {
  if (is_mitochondrion(assembly, record)) return std::string(assembly.mitochondrion);
  if (!record.starts_with("chr")) return record;
  const std::size_t begin = record.find('_');
  if (begin == std::string::npos) return record.substr(3);
  if (assembly.ucsc == "dm6" || record.ends_with("_alt") || record.ends_with("_fix")) return "";
  std::string accession = record.substr(begin + 1, record.find('_', begin + 1) - begin - 1);
  const std::size_t version = accession.rfind('v');
  if (version == std::string::npos) return "";
  accession[version] = '.';
  return accession;
}

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
  return fmt::format("<a href=\"{}\" rel=noreferrer target=_blank>{}</a>", escaped(address), name);
}

}  // namespace

std::string genome_links(const std::string& genome, const std::string& record, std::uint64_t start, std::uint64_t end) {
  if (genome.empty()) return "";
  const Assembly* const known = assembly_of(genome);
  const std::string range = fmt::format("{}-{}", start + 1, end);
  const std::string name = record.substr(0, 200);
  std::string html =
      link(fmt::format("http://localhost:60151/goto?locus={}:{}", for_address(name), range), "IGV") + " " +
      link(fmt::format("https://genome.ucsc.edu/cgi-bin/hgTracks?db={}&position={}:{}", known ? known->ucsc : genome,
                       for_address(known ? name_at_ucsc(*known, name) : name), range),
           "UCSC");
  const std::string own = known ? name_at_ensembl(*known, name) : "";
  if (own.empty()) return html;
  return html + " " +
         link(fmt::format("https://{}/Location/View?r={}:{}", known->site, for_address(own), range), "Ensembl");
}

}  // namespace basesweep
