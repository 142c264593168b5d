// Sequences as people write them: what is left out, and the place of faults.
#include <string>
#include <tuple>
#include <utility>

#include "lib/reader/modifications.hpp"
#include "lib/reader/written_sequence.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_written_sequence {

using Catch::Matchers::StartsWith;

TEST_CASE("sequences are read as they are written") {
  for (const auto& [written, letters] : {std::pair<std::string, std::string>{"acgtRYN", "ACGTRYN"},
                                         {"", ""},
                                         {" AC GT ", "ACGT"},
                                         {"5'-ACGT-3'", "ACGT"},
                                         {"5'ACGT", "ACGT"},
                                         {"ACGT3'", "ACGT"},
                                         {"5-ACGT-3", "ACGT"},
                                         {"5' - ACGT - 3'", "ACGT"},
                                         {"AC/iBiodT/GT", "ACTGT"},
                                         {"/52AmPr/CGT", "ACGT"},
                                         {"ACG/3ddC/", "ACGC"},
                                         {"ACG/3InvdT/", "ACG"},
                                         {"AC/iSp18/GT", "ACGT"},
                                         {"rArCrGrU", "ACGU"},
                                         {"+A+CrG", "ACG"},
                                         {"ACmGT", "ACMGT"},
                                         {"acmgt", "ACMGT"},
                                         {"A^C|G^T", "AC|GT"},
                                         {"5'-AC-3'|5'-GT-3'", "AC|GT"},
                                         {"(10/12)CGA(12/10)", "CGA"},
                                         {"{FAM}ACGT(BHQ1)", "ACGT"},
                                         {"AsGsA", "AGA"},
                                         {"AsGsAs", "AGA"},
                                         {"AsGsAsGTTC", "AGAGTTC"},
                                         {"GTTCsAsG", "GTTCAG"},
                                         {"dAsdGsdA", "AGA"},
                                         {"mAsmGsACGTTC", "AGACGTTC"},
                                         {"/5Phos/AGsA", "AGA"},
                                         {"dAdGdA", "AGA"},
                                         {"GTdAC", "GTDAC"},
                                         {"gtdac", "GTDAC"},
                                         {"acgtSAsac", "ACGTSASAC"},
                                         {"d(AGAGTT)", "AGAGTT"},
                                         {"5'-d(AGA GTT)-3'", "AGAGTT"},
                                         {"d(5'-AGAGTT-3')", "AGAGTT"},
                                         {"r(AGAGUU)", "AGAGUU"},
                                         {"GG|CC", "GG|CC"},
                                         {"AGA|GTT", "AGA|GTT"}}) {
    INFO(written);
    const WrittenSequence read = read_written(written);
    CHECK(read.fault == "");
    CHECK(read.letters == letters);
    // The letters that were read give the same letters when they are read again.
    CHECK(read_written(read.letters).letters == letters);
    CHECK(!read_written(read.letters).left_out.any());
  }
}

TEST_CASE("the fault of a written sequence and its place") {
  for (const auto& [written, at, fault] :
       {std::tuple<std::string, std::size_t, std::string>{"AC GX", 4, "position 5: 'X' is not"},
        {"5\xe2\x80\x99-ACX", 7, "position 6: 'X'"},
        {"AC|G!", 4, "position 5: '!'"},
        {"AC\xff", 2, "position 3: byte 0xff"},
        {"ACGT/5Phos/A", 4, "position 5: the modification /5Phos/ is for the 5' end"},
        {"AC/iFoo/GT", 2, "position 3: the modification /iFoo/ may stand for a base"},
        {"G(A|T)C|A", 1, "position 2: '(A|T)' is not a code: write W for it, GWC"},
        {"3'-AC-5'", 0, "position 1: the sequence is written from 3' to 5'"},
        {"A**C", 1, "position 2: '*'"},
        {"AC/5Phos", 3, "position 4: '5'"},
        {"[AC", 0, "position 1: '['"},
        {"GAsTTC", 2,
         "position 3: 's' behind a capital may mark a phosphorothioate, or be the code S (C or G): write "
         "GATTC, or GASTTC"},
        {"T|TAA", 1,
         "position 2: '|' separates the sequences of one pattern, and T is one of them: where '|' marks a "
         "cut, write T^TAA"},
        {"G*A*ATT|C", 7,
         "position 8: '|' separates the sequences of one pattern, and C is one of them: where '|' marks "
         "a cut, write GAATT^C"},
        {"GAT|C|GATC", 3,
         "position 4: '|' separates the sequences of one pattern, and C is one of them: where '|' "
         "marks a cut, write '^'"},
        {"A{G}A", 1, "position 2: '{G}' is not a code: write G for it, AGA"},
        {"C(N)5G", 1, "position 2: '(' is not a nucleotide or IUPAC code: write CNNNNNG"},
        {"GAAGAC(N)2^", 6, "position 7: '(' is not a nucleotide or IUPAC code: write GAAGACNN^"},
        {"5'-GAAN4TTCN-3'", 7, "position 8: '4' is not a nucleotide or IUPAC code: write 5'-GAANNNNTTCN-3'"},
        {"(CAG)3A", 0, "position 1: '(' is not a nucleotide or IUPAC code: write CAGCAGCAGA"},
        {"A{3}[AT]{2}", 1, "position 2: '{' is not a nucleotide or IUPAC code: write AAAWW"},
        {"FAM-AGAGTT", 0, "position 1: 'FAM' is not sequence: write AGAGTT, or /56-FAM/AGAGTT"},
        {"5'-6-FAM-AGAGTT-3'", 3, "position 4: '6-FAM' is not sequence: write AGAGTT, or /56-FAM/AGAGTT"},
        {"Phos-AGA GTT", 0, "position 1: 'Phos' is not sequence: write AGAGTT, or /5Phos/AGAGTT"},
        {"TAMRA-AGAGTT-BHQ1", 0,
         "position 1: 'TAMRA' and 'BHQ1' are not sequence: write AGAGTT, or "
         "/5TAMRA/AGAGTT/3BHQ1/"},
        {"AGAGTT-3'-MGB", 10, "position 11: 'MGB' is not sequence: write AGAGTT, or AGAGTT/3MGB/"},
        {"AGAGTT-AGAX", 6, "position 7: '-' is not a nucleotide"},
        {"A" + std::string(300000, '['), 1, "position 2: '['"},
        {"A{2}{2}", 1, "position 2: '{' is not a nucleotide or IUPAC code"},
        {"AGAGTT-AGA", 6, "position 7: '-' is not a nucleotide"}}) {
    INFO(written);
    const WrittenSequence read = read_written(written);
    CHECK_THAT(read.fault, StartsWith(fault));
    CHECK(read.fault_at == at);
  }
}

TEST_CASE("every text of a few characters is read or refused") {
  const std::string marks = "Ar5'3/*+^([)] -|m";
  std::string text(5, ' ');
  std::size_t read = 0;
  for (std::size_t number = 0; number < 17 * 17 * 17 * 17 * 17; number += 7) {
    std::size_t rest = number;
    for (char& c : text) {
      c = marks[rest % marks.size()];
      rest /= marks.size();
    }
    const WrittenSequence found = read_written(text);
    if (!found.fault.empty()) {
      CHECK(found.fault_at < text.size());
      continue;
    }
    ++read;
    for (const char c : found.letters) CHECK(std::string("ARM|").find(c) != std::string::npos);
  }
  CHECK(read > 1000);
}

TEST_CASE("lines of a sequence in blocks") {
  for (const char* line : {"AGA GTT TGA", "AGA GTT TGA T", "ACGTA ACGTA ACG", "5' AGAGTT 3'"}) {
    INFO(line);
    CHECK(is_sequence_with_blanks(line));
  }
  for (const char* line : {"AGAGTT", "AGA GTT", "AGA\tGTT\tTGA", "x AGA GTT", "AGA GTTT TGA", "AGA GTT TGAA",
                           "AGA, GTT, TGA", "AG TT TT", "ACGTACGTACG ACGTACGTACG A"}) {
    INFO(line);
    CHECK(!is_sequence_with_blanks(line));
  }
}

TEST_CASE("what modifications mean") {
  CHECK(modification_of("5Phos").kind == Modification::Kind::unknown);
  CHECK(modification_of("5Phos").place == '5');
  CHECK(modification_of("ideoxyI").base == 'N');
  CHECK(modification_of("iMe-dC").base == 'C');
  CHECK(modification_of("iiso-dC").kind == Modification::Kind::unknown);
  CHECK(modification_of("ZEN").kind == Modification::Kind::no_base);
}

TEST_CASE("the sentence of what was left out") {
  CHECK(LeftOut{}.sentence() == "");
  CHECK(LeftOut{.modifications = 1}.sentence() == "1 modification was left out");
  CHECK(LeftOut{.blanks = 1, .cut_marks = 1}.sentence() == "1 blank and 1 cut mark were left out");
  CHECK(LeftOut{.blanks = 2, .ends = 2, .modifications = 3}.sentence() ==
        "2 blanks, 2 marks of ends (5', 3') and 3 modifications were left out");
}

}  // namespace basesweep::test_written_sequence
