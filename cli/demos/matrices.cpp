// Transpositions of Johnsson & Ho.
#include "lists.hpp"

namespace lockstep::cli {
namespace {

Demo multiple_paths() {
  return {
      .name = "mpt",
      .title = "Transposing over many paths",
      .summary = "the multiple paths transpose (MPT) keeps all links of the 4-cube busy without a collision",
      .introduction =
          "A matrix lies on 16 processors as a grid of 4 by 4 blocks of eight words: processor 4r + c has block (r,c) "
          "and shall get block (c,r). The grid in the picture is that one, with rows and columns in the order 0, 1, 3, "
          "2; blocks are to be reflected at its diagonal. Every processor may use its four links at once. Processors "
          "3, 6, 9 and 12 have four links to go, 0, 5, 10 and 15 none, all others two.",
      .exhibits = {{.title = "transpose/2d-mpt",
                    .arguments = {"--machine", "hypercube:4", "--algorithm", "transpose/2d-mpt", "--matrix", "4x32"}}},
      .sentences = {{1,
                     "Blocks are cut into packets of a word. Where r and c differ in one bit, there are two disjoint "
                     "paths to the target, by way of a processor on the diagonal each; where they differ in both, "
                     "four. A first packet leaves on each: 8 times 2 and 4 times 4 messages."},
                    {2,
                     "Second packets follow on the same paths, and first ones go on: each of the 64 directed links has "
                     "a packet. The diagonal, which has nothing to send itself, passes packets on. What had two "
                     "links to go arrives."},
                    {3,
                     "Third packets leave for the near targets, just when the second ones come in there. The far ones "
                     "are on their way: first packets on the third link, second ones on the second."},
                    {4,
                     "The first packets for the far targets arrive, and the second ones are on the third link: an odd "
                     "one while the others are on an even one. Odd and even links of the paths are different ones, so "
                     "that nothing collides."},
                    {5, "The last packets arrive, near and far ones in the same step."}},
      .ending =
          "5 steps = n + 1: four links, and a step more for the second packet on each path. 256 messages of a word. "
          "All links were busy in three steps, half of them in the first and in the last. The time is 5 * (1 + 1) = "
          "10. For this matrix one path in packets takes 21 (transpose/2d-spt-pipelined), two paths 14 "
          "(transpose/2d-dpt), and the bounds are 4 steps, the distance, and 4 words.",
      .question =
          "The near blocks could go in one round: two packets of two words on each of two paths, in 3 steps. Why do "
          "they go in two rounds of shorter packets?",
      .answer =
          "All wait for the longest packet of a step. The far blocks need 5 steps anyway, with packets of one word; "
          "packets of two words would make the first three steps longer, 2 + 2 + 2 + 1 + 1 = 8 words instead of 5. Two "
          "rounds of near packets, floor(h/H) in the formula, fill the same 5 steps.",
      .notes = {"10 minutes. Begin with one block: let the class find the four paths from 3 = (0,3) to 12 = (3,0) that "
                "share no link.",
                "In step 2 point at a diagonal processor, 5: it receives on four links and sends on four.",
                "The other methods: `lockstep compare --operation transpose --machine hypercube:4 --matrix 4x32 "
                "--ports all`.",
                "Rounds by hand: `lockstep run --machine hypercube:4 --algorithm transpose/2d-mpt --matrix 4x32 "
                "--rounds 1`."}};
}

Demo gray_code() {
  return {
      .name = "gray-transposition",
      .title = "Transposing between codes",
      .summary = "rows in binary code, columns in Gray code: change codes and places at once, or part by part",
      .introduction =
          "A matrix of 4 by 4 blocks lies on the 4-cube: block (u,v) is in row u and in column G(v), where G is the "
          "Gray code 00, 01, 11, 10 of 0, 1, 2, 3. So neighbouring columns of the matrix are neighbours in the cube, "
          "as the picture shows from left to right. After the transposition block (u,v) shall be in row v and in "
          "column G(u): rows in binary, columns in Gray code again. In a step everybody sends over one link at most.",
      .exhibits = {{.title = "all at once",
                    .arguments = {"--machine", "hypercube:4", "--algorithm", "transpose/gray-mixed"}},
                   {.title = "part by part",
                    .arguments = {"--machine", "hypercube:4", "--algorithm", "transpose/gray-mixed-naive"}}},
      .sentences =
          {{1,
            "All at once: the high bits of the row and of the column change places. Where they differ, the block "
            "crosses the row's dimension first. Part by part: rows change from binary to Gray code, that is 2 and 3 "
            "change places, the processors 8 to 11 and 12 to 15."},
           {2,
            "All at once: now over the column's dimension. The high bits are right. Part by part: columns change from "
            "Gray code to binary; only now are both codes exchanged, and nothing is transposed yet."},
           {3,
            "All at once: the low bits. Whether a block has to cross depends on the high bits too, because of the "
            "code; the processor knows them, they are in its own number. Part by part: the transposition begins, with "
            "the high bits, over the row's dimension."},
           {4,
            "All at once: over the column's dimension, and every block is where it belongs. Part by part: two bits "
            "more to go."},
           {5, "Part by part: the low bits, over the row's dimension. The other run has ended."},
           {6, "Part by part: over the column's dimension, and both have the same result."}},
      .ending =
          "4 steps = n, two for each bit, against 6 = 2n - 2: one to convert the rows, one to convert the columns, "
          "four to transpose. In each step 8 of the 16 processors send: 32 messages against 48, time 8 against 12. To "
          "change the code costs nothing if it is done in passing. The farthest block has 3 links to go, so the bound "
          "is 3.",
      .question = "On the 2-cube both methods take 2 steps. Why does the one part by part lose nothing there?",
      .answer =
          "With one bit for the row and one for the column Gray code and binary code are the same, as are the highest "
          "bits of both codes always. There is nothing to convert: h - 1 = 0 steps, where each half of the number has "
          "h bits.",
      .notes = {"10 minutes. Write G on the board first: 0, 1, 2, 3 become 00, 01, 11, 10. Where is block (0,3)? In "
                "row 00, column 10: processor 2. It goes to row 11, column 00: processor 12.",
                "Follow that block through the first run: 2, 10, 8, 12.",
                "For large cubes the ratio of the steps, 2n - 2 to n, comes near two: `lockstep compare --operation "
                "transpose --machine hypercube:8 --matrix 256x256 --ports one`.",
                "What the Gray code is: `lockstep explain Gray`."}};
}

}  // namespace

std::vector<Demo> matrix_demos() { return {multiple_paths(), gray_code()}; }

}  // namespace lockstep::cli
