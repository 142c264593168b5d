// Files of weight matrices: every format, errors in them, and files that are damaged at random.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "lib/base/error.hpp"
#include "lib/reader/matrix_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_matrix_file {

namespace {

const support::ScratchFolder& folder() {
  static const support::ScratchFolder folder;
  return folder;
}

std::string file(const std::string& text) {
  support::write_file(folder().path("matrices"), text, support::Packing::plain);
  return folder().path("matrices");
}

// The matrices as "id name: A/C/G/T A/C/G/T; ...".
std::string printed(const std::vector<FileMatrix>& matrices) {
  std::string all;
  for (const FileMatrix& matrix : matrices) {
    all += (all.empty() ? "" : "; ") + matrix.id + (matrix.name.empty() ? "" : " " + matrix.name) + ":";
    for (const PerBase& column : matrix.columns) {
      all += fmt::format(" {:g}/{:g}/{:g}/{:g}", column[0], column[1], column[3], column[2]);
    }
  }
  return all;
}

std::string matrices_of(const std::string& text, std::optional<MatrixFormat> format = std::nullopt) {
  return printed(read_matrices(file(text), format));
}

// The error message without the path at its start.
std::string refusal(const std::string& text) {
  const std::string path = file(text);
  try {
    read_matrices(path);
  } catch (const DataError& error) {
    const std::string message = error.what();
    REQUIRE(message.substr(0, path.size() + 2) == path + ": ");
    return message.substr(path.size() + 2);
  }
  return "(read)";
}

const std::string kJaspar =
    ">MA0004.1\tArnt\n"
    "A  [ 4 19 0 ]\n"
    "C  [ 16 0 20 ]\n"
    "G  [ 0 1 0 ]\n"
    "T  [ 0 0 0 ]\n"
    ">MA0006.1 Ahr::Arnt\r\n"
    "A [3 0]\r\n"
    "C [8 0]\r\n"
    "G [2 23]\r\n"
    "T [11 1]\r\n";

const std::string kMeme =
    "MEME version 4\n\nALPHABET= ACGT\n\nstrands: + -\n\n"
    "Background letter frequencies (from somewhere)\nA 0.3 C 0.2\nG 0.2 T 0.3\n\n"
    "MOTIF crp CRP\n"
    "letter-probability matrix: alength= 4 w= 2 nsites= 17 E= 4.1e-009\n"
    " 0.5 0.1 0.1 0.3\n 0.25 0.25 0.25 0.25\n"
    "URL http://example.org\n\n"
    "MOTIF lexA\n"
    "log-odds matrix: alength= 4 w= 1 E= 0\n -9 8 -7 6\n"
    "letter-probability matrix:\n"
    "1 0 0 0\n0 0.99 0 0\n";

const std::string kHomer =
    ">ATGACTCATC\tAP-1(bZIP)/ThioMac-PU.1\t6.049537\t-1.782996e+03\t0\tT:9805.3\n"
    "0.419\t0.275\t0.277\t0.028\n"
    "0.001\t0.001\t0.001\t0.997\n"
    ">GG\tSecond\t-1.5\n"
    "0.25\t0.25\t0.25\t0.25\n";

const std::string kTransfac =
    "VV  a database\nXX\n//\n"
    "AC  M00001\nXX\nID  V$MYOD_01\nXX\nNA  MyoD\nXX\n"
    "P0      A      C      G      T\n"
    "01      1      2      2      0      S\n"
    "02      2      1      2      0      R\n"
    "XX\nBA  5 sequences\n//\n"
    "ID  second\nPO\tT\tG\tC\tA\n1\t10\t20\t30\t40\n//\n";

const std::string kCisBp =
    "TF\tT1_2.00\nTF Name\tone\nGene\tg\nMotif\tM1_2.00\nFamily\tZf\nSpecies\tS_p\n"
    "Pos\tA\tC\tG\tT\n1\t0\t0\t1\t0\n2\t0.25\t0.25\t0.25\t0.25\n\n"
    "TF\tT2_2.00\nTF Name\ttwo\nMotif\tM2_2.00\nPos\tT\tG\tC\tA\r\n1\t1\t0\t0\t0\r\n";

const std::string kClusterBuster = "# a comment\n>one first one\n1 2 3 4\n5 6 7 8.5\n>two\n0\t0\t0\t1\n";

}  // namespace

TEST_CASE("matrices of every format are read") {
  CHECK(matrices_of(kJaspar) == "MA0004.1 Arnt: 4/16/0/0 19/0/1/0 0/20/0/0; MA0006.1 Ahr::Arnt: 3/8/2/11 0/0/23/1");
  CHECK(matrices_of(">one\n1 2 3\n4 5 6\n7 8 9\n10 11 12\n") == "one: 1/4/7/10 2/5/8/11 3/6/9/12");
  CHECK(matrices_of(kMeme) == "crp CRP: 0.5/0.1/0.1/0.3 0.25/0.25/0.25/0.25; lexA: 1/0/0/0 0/0.99/0/0");
  CHECK(matrices_of(kHomer) ==
        "AP-1(bZIP)/ThioMac-PU.1 ATGACTCATC: 0.419/0.275/0.277/0.028 0.001/0.001/0.001/0.997; "
        "Second GG: 0.25/0.25/0.25/0.25");
  CHECK(matrices_of(kTransfac) == "M00001 MyoD: 1/2/2/0 2/1/2/0; second: 40/30/20/10");
  CHECK(matrices_of(kClusterBuster) == "one first one: 1/2/3/4 5/6/7/8.5; two: 0/0/0/1");
  CHECK(matrices_of(kCisBp) == "M1_2.00 one: 0/0/1/0 0.25/0.25/0.25/0.25; M2_2.00 two: 0/0/0/1");
  CHECK(matrices_of("\xef\xbb\xbf" + kJaspar.substr(0, kJaspar.find(">MA0006"))) ==
        "MA0004.1 Arnt: 4/16/0/0 19/0/1/0 0/20/0/0");
  const std::string square = ">one\n1 2 3 4\n5 6 7 8\n1 2 3 4\n5 6 7 9\n";
  CHECK(matrices_of(square, MatrixFormat::jaspar) == "one: 1/5/1/5 2/6/2/6 3/7/3/7 4/8/4/9");
  CHECK(matrices_of(square, MatrixFormat::cluster_buster) == "one: 1/2/3/4 5/6/7/8 1/2/3/4 5/6/7/9");
}

TEST_CASE("what HOMER's own files have is read") {
  const std::string twice = ">AA\tx/Homer\t1\n1 0 0 0\n>CC\tx/Homer\t1\n0 1 0 0\n>GG\ty\t1\n0 0 1 0\n";
  CHECK(matrices_of(twice) == "x/Homer/AA AA: 1/0/0/0; x/Homer/CC CC: 0/1/0/0; y GG: 0/0/1/0");
  const std::string mixed = ">MM\tbias\t0\n0.45\t0.45\t0.025\t0.025\n>AC\tof JASPAR\t0\n10561\t18956\t9777\t31500\n";
  const std::vector<FileMatrix> matrices = read_matrices(file(mixed));
  CHECK(matrices[0].probabilities);
  CHECK_FALSE(matrices[1].probabilities);
  CHECK(matrices[1].columns == std::vector<PerBase>{{10561, 18956, 31500, 9777}});
  CHECK(refusal(">MM\tx\t0\n0.45\t0.4\t0.02\t0.02\n") ==
        "line 2: matrix 'x': the probabilities of position 1 sum to 0.89, not to 1");
}

TEST_CASE("matrix files say what their numbers are") {
  const std::vector<FileMatrix> meme = read_matrices(file(kMeme));
  CHECK(meme[0].probabilities);
  CHECK(meme[0].sites == 17);
  CHECK(meme[1].sites == 20);
  CHECK(meme[1].background == PerBase{0.3, 0.2, 0.3, 0.2});
  CHECK(meme[1].line == 17);
  const std::vector<FileMatrix> homer = read_matrices(file(kHomer));
  CHECK(homer[0].threshold == 6.049537);
  CHECK(homer[1].threshold == -1.5);
  CHECK(homer[0].probabilities);
  CHECK_FALSE(read_matrices(file(kJaspar))[0].probabilities);
  CHECK_FALSE(read_matrices(file(kClusterBuster.substr(0, kClusterBuster.find(">two"))))[0].probabilities);
  CHECK(read_matrices(file(">two\n0 0 0 1\n0.5 0.5 0 0.01\n"))[0].probabilities);
}

TEST_CASE("bad matrix files are refused with the file, the matrix and the line") {
  CHECK(refusal("") == "no matrices in this file");
  CHECK(refusal("hello\n") == "line 1: expected a file of JASPAR, MEME, HOMER, TRANSFAC, CIS-BP or cluster-buster");
  CHECK(refusal(">one\nACGTACGT\n") == "line 2: expected numbers, found sequence (is this FASTA?)");
  CHECK(refusal(">one\nA [ 1 2 ]\nC [ 1 2 ]\nG [ 1 2 ]\n") ==
        "line 1: matrix 'one': expected 4 rows, for A, C, G and T, found 3");
  CHECK(refusal(">one\nA [ 1 2 ]\nC [ 1 2 ]\nG [ 1 ]\nT [ 1 2 ]\n") ==
        "line 4: matrix 'one': the row has 1 numbers, the first one has 2");
  CHECK(refusal(">one\nA [ 1 2 ]\nG [ 1 2 ]\nC [ 1 2 ]\nT [ 1 2 ]\n") ==
        "line 3: matrix 'one': expected the row of C, found 'G'");
  CHECK(refusal(">one\nA [ 1 0 ]\nC [ 1 0 ]\nG [ 1 0 ]\nT [ 1 0 ]\n") ==
        "line 2: matrix 'one': position 2 has no counts");
  CHECK(refusal(">one\nA [ ]\nC [ ]\nG [ ]\nT [ ]\n") == "line 5: matrix 'one': the matrix has no positions");
  CHECK(refusal(">one\nA [ 1 -2 ]\nC [ 1 2 ]\nG [ 1 2 ]\nT [ 1 2 ]\n") == "line 2: matrix 'one': '-2' is negative");
  CHECK(refusal(">one\nA [ 1 nan ]\nC [ 1 2 ]\nG [ 1 2 ]\nT [ 1 2 ]\n") ==
        "line 2: matrix 'one': 'nan' is not a number");
  CHECK(refusal(">\n1 2 3\n1 2 3\n1 2 3\n1 2 3\n") == "line 1: the matrix has no name");
  CHECK(refusal(">one\n1 2 3\n1 2 3 4\n") == "line 2: matrix 'one': expected 4 numbers, for A, C, G and T, found 3");
  CHECK(refusal(">one\n0.5 0.1 0.1 0.1\n") ==
        "line 2: matrix 'one': the probabilities of position 1 sum to 0.8, not to 1");
  CHECK(matrices_of(">one\n0 0 0 1\n3 4 5 6\n") == "one: 0/0/0/1 3/4/5/6");
  CHECK(refusal(">A\tone\t5\n0.5 0.5 0 0\n3 4 5 6\n") ==
        "line 3: matrix 'one': the probabilities of position 2 sum to 18, not to 1");
  CHECK(refusal(">one\n1 2 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 4\n") ==
        "rows may stand for bases (JASPAR) or for positions (cluster-buster): choose with --matrix-format");
  CHECK(refusal("MEME version 4\nALPHABET= ACDEFGHIKLMNPQRSTVWY\n") ==
        "line 2: the alphabet is ACDEFGHIKLMNPQRSTVWY: only matrices of DNA (ACGT) or RNA (ACGU) can be searched");
  CHECK(refusal("MEME version 4\nMOTIF a\nletter-probability matrix: alength= 4 w= 2\n1 0 0 0\nMOTIF b\n") ==
        "line 4: matrix 'a': expected 2 rows (w=), found 1");
  CHECK(refusal("MEME version 4\nMOTIF a\nMOTIF b\n") ==
        "line 2: matrix 'a': the matrix has no letter-probability matrix");
  CHECK(refusal("MEME version 4\nBackground letter frequencies\nA 0.5 C 0.5 G 0.5 T 0.5\n") ==
        "line 2: background: the rates sum to 2, not to 1");
  CHECK(refusal("AC  one\nP0  A C G\n") == "line 2: matrix 'one': expected the letters A, C, G and T behind P0");
  CHECK(refusal("AC  one\n01 1 2 3 4\n") == "line 2: a row of numbers before the line P0");
  CHECK(refusal("AC  one\nP0 A C G T\n01 1 2 3\n//\n") ==
        "line 3: matrix 'one': expected 4 numbers, for A, C, G and T, found 3");
  CHECK(refusal("AC  one\nXX\n//\n") == "no matrices in this file");
  std::string wide = ">one\n";
  for (int i = 0; i < 65; ++i) wide += "1 2 3 4\n";
  CHECK(refusal(wide) == "line 66: matrix 'one': a matrix has at most 64 positions");
}

TEST_CASE("matrices over ACGU are those over ACGT") {
  const std::string rows = ">one\nA [1 2]\nC [3 4]\nG [5 6]\n";
  CHECK(matrices_of(rows + "U [7 8]\n") == matrices_of(rows + "T [7 8]\n"));
  CHECK(matrices_of(rows + "u [7 8]\n") == "one: 1/3/5/7 2/4/6/8");
  CHECK(matrices_of("ID one\nP0 A C G U\n01 1 2 3 4\n//\n") == "one: 1/2/3/4");
  CHECK(matrices_of("Pos\tA\tC\tG\tU\n1\t0\t0\t0\t1\n") == "matrices: 0/0/0/1");
  const auto meme = [](const std::string& alphabet) {
    return "MEME version 4\n" + alphabet +
           "\nBackground letter frequencies\nA 0.3 C 0.2 G 0.2 U 0.3\n"
           "MOTIF one\nletter-probability matrix: alength= 4 w= 1\n0.1 0.2 0.3 0.4\n";
  };
  CHECK(matrices_of(meme("ALPHABET= ACGU")) == "one: 0.1/0.2/0.3/0.4");
  CHECK(matrices_of(meme("ALPHABET \"RNA\" RNA-LIKE\nA \"Adenine\"\nC\nG\nU\nN = ACGU\nEND ALPHABET")) ==
        "one: 0.1/0.2/0.3/0.4");
  CHECK(read_background(file("A 0.3\nC 0.2\nG 0.2\nU 0.3\n")) == PerBase{0.3, 0.2, 0.3, 0.2});
  CHECK(refusal(rows + "V [7 8]\n") == "line 5: matrix 'one': expected the row of T, found 'V'");
}

TEST_CASE("rows behind a matrix of TRANSFAC are passed over, but none of the matrix") {
  const std::string matrix = "AC M1\nP0 A C G T\n01 1 2 96 1 G\n02 98 1 1 0 A\nXX\n";
  const std::string read = "M1: 1/2/96/1 98/1/1/0";
  CHECK(matrices_of(matrix + "XL\n00 36\n01 2\nXX\n//\n") == read);
  CHECK(matrices_of(matrix + "CC 12 sites\n15 elements\nBS GA; s; 1;\n//\n") == read);
  CHECK(matrices_of(matrix + "XL\n00\t36\n//\nAC M2\nP0 A C G T\n01 1 1 1 2\n//\n") == read + "; M2: 1/1/1/2");
  const std::string apart = "a row of numbers that is apart from those behind the line P0";
  CHECK(refusal(matrix + "03 1 1 1 2 T\n//\n") == "line 6: " + apart);
  CHECK(refusal(matrix + "1 2\n//\n") == "line 6: " + apart);
  CHECK(refusal(matrix + "CC x\n03 1 1 1 2 T\n//\n") == "line 7: " + apart);
  CHECK(refusal("AC M1\nCC x\n01 1 2\n//\n" + matrix) == "line 3: a row of numbers before the line P0");
  CHECK(refusal(matrix + "//\nDE x\n01 1 2 3 4\n//\n") == "line 8: a row of numbers before the line P0");
}

TEST_CASE("files of CIS-BP are read, and refused where rows are missing") {
  const std::string head = "Pos\tA\tC\tG\tT\n";
  CHECK(matrices_of(head + "1\t0\t0\t1\t0\n") == "matrices: 0/0/1/0");
  CHECK(matrices_of("RBP\tT1\nRBP Name\tx y\nMotif\tM1\nPos\tA\tC\tG\tU\n1\t0\t0\t1\t0\n") == "M1 x y: 0/0/1/0");
  const std::string twice = "TF\tT1\nTF Name\ta\nMotif\tM1\n" + head + "1\t0\t0\t1\t0\n";
  CHECK(matrices_of(twice + "TF\tT2\nTF Name\tb\nMotif\tM1\n" + head + "1\t0\t0\t1\t0\n") ==
        "M1/a a: 0/0/1/0; M1/b b: 0/0/1/0");
  CHECK(read_matrices(file(head + "1\t0\t0\t1\t0\n"))[0].probabilities);
  CHECK(refusal(head) == "line 1: matrix 'matrices': the matrix has no positions");
  CHECK(refusal(head + "1\t0\t0\t1\t0\n3\t0\t0\t1\t0\n") ==
        "line 3: matrix 'matrices': expected the row of position 2, found '3'");
  CHECK(refusal(head + "1\t0\t0\t1\n") == "line 2: matrix 'matrices': expected 4 numbers, for A, C, G and T, found 3");
  CHECK(refusal(head + "1\t0\t0\t1\t0.5\n") ==
        "line 2: matrix 'matrices': the probabilities of position 1 sum to 1.5, not to 1");
  CHECK(refusal("Pos\tA\tC\tG\tG\n1\t0\t0\t1\t0\n") ==
        "line 1: matrix 'matrices': expected the letters A, C, G and T behind Pos");
  CHECK(refusal("TF\tT1\n1\t0\t0\t1\t0\n" + head) == "line 2: a row of numbers before the line 'Pos A C G T'");
}

TEST_CASE("the file of a background is read and checked") {
  CHECK(read_background(file("# order 0\nA 0.3\nC 0.2\nG 2e-1\nT 0.3\n# order 1\nAA 0.1\n")) ==
        PerBase{0.3, 0.2, 0.3, 0.2});
  for (const char* text :
       {"A 0.3\n", "A 0.3\nA 0.3\nC 0.2\nG 0.2\n", "A 0.9\nC 0.9\nG 0.9\nT 0.9\n", "A 0\n", "x 1\n", "A\n", "A -1\n"}) {
    CHECK_THROWS_AS(read_background(file(text)), DataError);
  }
}

// A damaged file is either refused, or what is read is sound.
TEST_CASE("damaged matrix files are refused or read, but never wrong numbers") {
  std::mt19937_64 random(support::test_seed());
  const std::vector<std::string> texts = {kJaspar, kMeme, kHomer, kTransfac, kClusterBuster, kCisBp};
  const std::string spare = "0123456789.-+eE \t\n>[]ACGTacgt#/=wnaif";
  const std::uint64_t cases = support::test_cases(4'000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    std::string text = texts[i % texts.size()];
    for (std::uint64_t changes = 1 + random() % 4; changes != 0; --changes) {
      const std::size_t place = random() % (text.size() + 1);
      switch (random() % 4) {
        case 0: text.insert(place, 1, spare[random() % spare.size()]); break;
        case 1: text.erase(place, 1 + random() % 8); break;
        case 2:
          if (place < text.size()) text[place] = spare[random() % spare.size()];
          break;
        default: text.insert(place, text.substr(random() % (text.size() + 1), random() % 30)); break;
      }
    }
    const std::string path = file(text);
    try {
      for (const FileMatrix& matrix : read_matrices(path)) {
        INFO(text);
        REQUIRE_FALSE(matrix.id.empty());
        REQUIRE(matrix.columns.size() >= 1);
        REQUIRE(matrix.columns.size() <= kMaxMatrixWidth);
        REQUIRE(matrix.sites > 0);
        for (const PerBase& column : matrix.columns) {
          const double sum = column[0] + column[1] + column[2] + column[3];
          for (const double number : column) REQUIRE(number >= 0);
          REQUIRE(sum > 0);
          const double margin = matrix.format == MatrixFormat::homer ? 0.101 : 0.021;
          if (matrix.probabilities) REQUIRE(std::abs(sum - 1) < margin);
        }
      }
    } catch (const DataError& error) {
      const std::string message = error.what();
      REQUIRE(message.substr(0, path.size() + 2) == path + ": ");
    }
  }
}

TEST_CASE("a matrix of JASPAR without a title has the name of its file", "[matrices]") {
  const auto named = [](const std::string& name, const std::string& text) {
    support::write_file(folder().path(name), text, support::Packing::plain);
    return printed(read_matrices(folder().path(name), std::nullopt));
  };
  CHECK(named("SRF.pfm", " 2  9  0\n 1 33 45\n39  2  1\n 4  2  0\n") == "SRF: 2/1/39/4 9/33/2/2 0/45/1/0");
  CHECK(named("MA0083.1.jaspar", "A [2 9]\nC [1 33]\nG [39 2]\nT [4 2]\n") == "MA0083.1: 2/1/39/4 9/33/2/2");
  CHECK_THROWS_WITH(named("a.pfm", "1 2 3 4\n5 6 7 8\n1 2 3 4\n5 6 7 9\n"),
                    Catch::Contains("choose with --matrix-format"));
  CHECK_THROWS_WITH(named("b.pfm", "1 2\n5 6\n1 2\n"), Catch::Contains("line 1: expected a file of JASPAR"));
  CHECK_THROWS_WITH(named("c.pfm", "1 2\n5 6\n1 2\n5 x\n"), Catch::Contains("'x' is not a number"));
}

}  // namespace basesweep::test_matrix_file
