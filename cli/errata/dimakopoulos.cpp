#include "errata.hpp"

namespace lockstep::cli {

PaperErrata dimakopoulos_errata() {
  return {
      .paper = "dimakopoulos",
      .title = "Dimakopoulos & Dimopoulos",
      .errata =
          {

              {"D1",
               "Fig. 2 (A1), line 3",
               "k != i",
               "k != j: the own copy is skipped; as printed transfers are missing (9 of them on 3x4)",
               {{"run --machine torus:3x4 --algorithm alltoall/product", "all data is right"}}},
              {"D2",
               "Fig. 2, lines 1 to 4",
               "\"for every j\" looks sequential, and how messages are transferred is left open",
               "all j at once, one k after the other, over trees of shortest paths (dimakopoulos.md, Columns): n_1 "
               "(n_2 - 1) steps a column",
               {{"run --machine torus:4x3 --algorithm alltoall/product-columns", "steps 36"}}},
              {"D3", "Table 1", "entries m_(v_i,v_j)", "m_(v_i,u_j)", {}},
              {"D4", "section 4", "(v_i', u_i) and v_i' != i v_i", "(v_i', u_j), v_i' != v_i", {}},
              {"D5", "section 4", "copies of V_A", "copies of the graph A", {}},
              {"D6", "section 3", "sum up to epsilon(v)", "up to the eccentricity e(v)", {}},
              {"D7",
               "Fig. 3, line 6",
               "includes messages that are where they belong",
               "they were delivered in phase 1 and are skipped",
               {{"run --machine torus:4x3 --algorithm alltoall/product", "messages 240"}}},
              {"D8",
               "(1)",
               "the bound may be a fraction",
               "ceil(AS); only vertex-transitive graphs are sure to have a whole s(v) = AS",
               {{"info mesh:3x2", "average status 25/3"}, {"info mesh:3x2", "at least 9 single-port steps"}}},
              {"D9",
               "Theorem 3",
               "reads as if optimal factors made an optimal product",
               "they need T_i = AS(G_i): 3x2 mesh",
               {{"run --machine mesh:3x2 --algorithm alltoall/product", "steps 11"},
                {"run --machine mesh:3x2 --algorithm alltoall/search", "steps 9"},
                {"reproduce dimakopoulos --quick", "wrong (D9)"}}},
              {"D10",
               "Fig. 1",
               "called 4x3, drawn as a 3-ring by a 4-ring",
               "the order changes nothing",
               {{"run --machine torus:4x3 --algorithm alltoall/product", "steps 20"},
                {"run --machine torus:3x4 --algorithm alltoall/product", "steps 20"}}},
              {"D11",
               "section 5",
               "Cayley graphs only cited",
               "construction of dimakopoulos.md, Cayley graphs, run on 15 graphs",
               {{"run --machine ccc:3 --algorithm alltoall/cayley", "optimal"}}},
              {"D12",
               "section 6",
               "multiport exchanges only cited",
               "dimakopoulos.md, All ports: optimal on tori of any sides and meshes; the average of all links is no "
               "sharp bound, as those of one dimension may need more (6 and not 5 on 4x3)",
               {{"run --machine torus:4x3 --algorithm alltoall/multiport", "steps 6"},
                {"run --machine mesh:5x4 --algorithm alltoall/multiport", "steps 24"}}}},
      .open =
          "the least steps on meshes with a side of three or more, and on vertex-transitive graphs that are not "
          "Cayley graphs."};
}

}  // namespace lockstep::cli
