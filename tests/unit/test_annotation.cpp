// Annotations: GFF3 and BED, and the features that an interval overlaps, compared with a look at each.
#include <random>

#include "lib/base/error.hpp"
#include "lib/guides/annotation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_annotation {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using Names = std::vector<std::string>;

namespace {

class TextFile {
 public:
  explicit TextFile(const std::string& text, support::Packing packing = support::Packing::plain) {
    support::write_file(path(), text, packing);
  }
  std::string path() const { return folder_.path("features"); }

 private:
  support::ScratchFolder folder_;
};

std::string names_at(const Annotation& annotation, std::string_view record, std::int64_t begin, std::int64_t end) {
  std::vector<Feature> found;
  if (const RecordFeatures* features = annotation.of(record)) features->overlapping(begin, end, found);
  std::string names;
  annotation.append_names(found, names);
  return names;
}

Names kinds_at(const Annotation& annotation, std::string_view record, std::int64_t begin, std::int64_t end) {
  std::vector<Feature> found;
  if (const RecordFeatures* features = annotation.of(record)) features->overlapping(begin, end, found);
  std::vector<std::uint32_t> kinds;
  annotation.kinds_of(found, kinds);
  Names names;
  for (const std::uint32_t kind : kinds) names.push_back(annotation.kinds()[kind]);
  return names;
}

const std::string kGff3 =
    "##gff-version 3\n"
    "# a comment\n"
    "\n"
    "chr1\tx\tgene\t11\t40\t.\t+\t.\tID=gene:1;Name=TP53\n"
    "chr1\tx\tmRNA\t11\t40\t.\t+\t.\tID=m1;Parent=gene:1\n"
    "chr1\tx\texon\t11\t20\t.\t+\t.\tParent=m1,m2;gene_name=TP%2C53\r\n"
    "chr1\tx\texon\t11\t20\t.\t+\t.\tParent=m3;gene_name=TP%2C53\n"
    "chr1\tx\texon\t31\t40\t.\t+\t.\tParent=m1; gene=g\n"
    "chr2\tx\tgene\t1\t1\t.\t-\t.\t.\n"
    "##FASTA\n"
    ">chr1\n"
    "ACGT\n";

}  // namespace

TEST_CASE("an annotation of GFF3", "[guides]") {
  const TextFile file(kGff3);
  const Annotation annotation = Annotation::read(file.path());
  CHECK(annotation.kinds() == Names{"gene", "mRNA", "exon"});
  CHECK(annotation.records() == Names{"chr1", "chr2"});
  CHECK(names_at(annotation, "chr1", 0, 10) == ".");
  CHECK(names_at(annotation, "chr1", 0, 11) == "gene:TP53,mRNA:m1,exon:TP%2C53");
  CHECK(names_at(annotation, "chr1", 20, 30) == "gene:TP53,mRNA:m1");
  CHECK(names_at(annotation, "chr1", 19, 31) == "gene:TP53,mRNA:m1,exon:TP%2C53,exon:g");
  CHECK(names_at(annotation, "chr1", 39, 40) == "gene:TP53,mRNA:m1,exon:g");
  CHECK(names_at(annotation, "chr1", 40, 50) == ".");
  CHECK(names_at(annotation, "chr2", 0, 5) == "gene:.");
  CHECK(names_at(annotation, "chr3", 0, 5) == ".");
  CHECK(kinds_at(annotation, "chr1", 19, 31) == Names{"gene", "mRNA", "exon"});
  CHECK(kinds_at(annotation, "chr1", 40, 50).empty());
}

TEST_CASE("a compressed annotation", "[guides]") {
  for (const support::Packing packing : {support::Packing::gzip, support::Packing::bgzf}) {
    const TextFile file(kGff3, packing);
    CHECK(names_at(Annotation::read(file.path()), "chr1", 39, 40) == "gene:TP53,mRNA:m1,exon:g");
  }
}

TEST_CASE("an annotation of some kinds only", "[guides]") {
  const TextFile file(kGff3);
  const Names exons = {"exon"};
  const Annotation annotation = Annotation::read(file.path(), exons);
  CHECK(annotation.kinds() == exons);
  CHECK(names_at(annotation, "chr1", 0, 100) == "exon:TP%2C53,exon:g");
  const Names wrong = {"exons"};
  CHECK_THROWS_WITH(Annotation::read(file.path(), wrong),
                    ContainsSubstring("no feature is of kind 'exons'; did you mean 'exon'?"));
}

TEST_CASE("an annotation of BED", "[guides]") {
  const TextFile file(
      "track x\n#c\nchr1\t10\t20\ta,b\nchr1\t15\t30\nchr1\t18\t19\t.\nchr1\t40\t40\tempty\nchr 2\t0\t1\tx y\r\n");
  const Annotation annotation = Annotation::read(file.path());
  CHECK(annotation.kinds() == Names{"region"});
  CHECK(names_at(annotation, "chr1", 0, 15) == "region:a%2Cb");
  CHECK(names_at(annotation, "chr1", 18, 19) == "region:a%2Cb,region:.");
  CHECK(names_at(annotation, "chr1", 30, 50) == ".");
  CHECK(names_at(annotation, "chr 2", 0, 5) == "region:x y");
  CHECK(kinds_at(annotation, "chr1", 15, 16) == Names{"region"});
}

TEST_CASE("an annotation of GTF", "[guides]") {
  const TextFile file(
      "c\tx\tgene\t1\t2\t.\t.\t.\tgene_id \"a\"; gene_name \"b;c\";\nc\tx\texon\t5\t6\t.\t.\t.\tgene_id \"a\";\n");
  const Annotation annotation = Annotation::read(file.path());
  CHECK(names_at(annotation, "c", 0, 1) == "gene:b%3Bc");
  CHECK(names_at(annotation, "c", 4, 5) == "exon:a");
}

TEST_CASE("attributes of GTF and GFF3 as people have them", "[guides]") {
  const auto name = [](const std::string& attributes) {
    const TextFile file("c\tx\tgene\t1\t2\t.\t.\t.\t" + attributes + "\n");
    return names_at(Annotation::read(file.path()), "c", 0, 1);
  };
  CHECK(name(" gene_id \"A\"") == "gene:A");
  CHECK(name("gene_id A1; seqedit \"false\"; gene_name ORF1;") == "gene:ORF1");
  CHECK(name("gene_id a;") == "gene:a");
  CHECK(name("level 2; gene_id \"A\"; gene_name \"B\"") == "gene:B");
  CHECK(name("gene_id \"A\" ; gene_name \"B\" ;") == "gene:B");
  CHECK(name("gene_id  \"A\";gene_name\"B\"") == "gene:B");
  CHECK(name("; gene_id \"A\"") == "gene:A");
  CHECK(name("gene_id \"A\"; note \"say \\\"hi; there\\\"\"; gene_name \"B\"") == "gene:B");
  CHECK(name("gene_id \"A\"; note \"x=y\"") == "gene:A");
  CHECK(name("gene_id \"A=1;2\"") == "gene:A%3D1%3B2");
  CHECK(name("gene_id \"\"; gene_name \"\"") == "gene:.");
  CHECK(name("gene_id \"A\"\tcomment") == "gene:A");
  CHECK(name("level 2; tag basic") == "gene:.");
  CHECK(name("gene_id=A;Name=zz;") == "gene:zz");
  CHECK(name("ID=a;Name=;Note=x y") == "gene:a");
  CHECK(name("ID=a; Name=b") == "gene:b");
  CHECK(name(" ID=a;Name=b") == "gene:b");
  CHECK(name("ID=a;Note=say \"x\"") == "gene:a");
  CHECK(name("  ") == "gene:.");
  CHECK(name(". ") == "gene:.");
  const TextFile blank("  \n\t\t\t\nc\tx\tgene\t1\t2\t.\t.\t.\tgene_id \"A\"\n \t\r\n");
  CHECK(names_at(Annotation::read(blank.path()), "c", 0, 1) == "gene:A");
  const TextFile bed("  \nc\t0\t5\tx\n\t\t\t\n");
  CHECK(names_at(Annotation::read(bed.path()), "c", 0, 1) == "region:x");
}

TEST_CASE("annotations that are refused", "[guides]") {
  const auto refused = [](const std::string& text, const std::string& message) {
    const TextFile file(text);
    CHECK_THROWS_AS(Annotation::read(file.path()), DataError);
    CHECK_THROWS_WITH(Annotation::read(file.path()), Equals(file.path() + ": " + message));
  };
  const std::string columns =
      "expected the nine columns of GFF3 or GTF, or record, start and end of BED, separated by tabs";
  refused("##gff-version 3\nchr1\tx\n", "line 2: " + columns);
  refused("chr1\tx\tgene\t1\t2\t.\t.\t.\n", "line 1: " + columns);
  const std::string start = "start and end, columns 4 and 5, must be whole numbers from 1";
  refused("c\tx\tgene\t0\t2\t.\t.\t.\tID=1\n", "line 1: " + start);
  refused("c\tx\tgene\t1\tb\t.\t.\t.\tID=1\n", "line 1: " + start);
  refused("c\tx\tgene\t1\t99999999999999999999\t.\t.\t.\tID=1\n", "line 1: " + start);
  refused("#\nc\tx\tgene\t3\t2\t.\t.\t.\tID=1\n", "line 2: the feature ends before it begins");
  refused("c\tx\t\t1\t2\t.\t.\t.\tID=1\n", "line 1: expected a record in column 1 and a type in column 3");
  refused("c\tx\tgene\t1\t2\t.\t.\t.\tgene1\n", "line 1: expected tag=value (GFF3) or tag \"value\" (GTF) in column 9");
  refused("c\t5\t2\tx\n", "line 1: the region ends before it begins");
}

TEST_CASE("the features that an interval overlaps are those that a look at each finds", "[guides]") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Feature> features(random() % 40);
    const unsigned longest = 1 + random() % 30;
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::int64_t begin = random() % 60;
      const auto length = static_cast<std::int64_t>(random() % longest);
      features[i] = {begin, begin + length, 0, static_cast<std::uint32_t>(i)};
    }
    const RecordFeatures record(features);
    std::stable_sort(features.begin(), features.end(), [](const Feature& a, const Feature& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    for (int begin = 0; begin < 92; begin += 3) {
      const int end = begin + 1 + static_cast<int>(random() % 25);
      std::vector<std::uint32_t> expected, names;
      for (const Feature& f : features) {
        if (std::max<std::int64_t>(f.begin, begin) < std::min<std::int64_t>(f.end, end)) expected.push_back(f.name);
      }
      std::vector<Feature> found;
      record.overlapping(begin, end, found);
      for (const Feature& f : found) names.push_back(f.name);
      CHECK(names == expected);
    }
  }
}

}  // namespace basesweep::test_annotation
