"""networkx_test.py LOCKSTEP: compares the machines of the command with those of NetworkX.

Every family that has links is built a second time, by a generator of NetworkX where it has one, else from the
definition in docs/machines.md, and compared with the graph that `lockstep info` writes: the links, rank by rank, and
so, for small machines, that the two are isomorphic, which NetworkX decides without any rank; also
the degrees, the diameter, and the distances of every rank, which `info` prints and which a broadcast takes.

Exits with 77 where NetworkX (Debian's package python3-networkx) is missing.
"""

import inspect
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any

try:
    import networkx as nx
except ImportError:
    print("skipped: NetworkX is missing (Debian's package python3-networkx)")
    sys.exit(77)

Ranks = dict[Hashable, int]
Numbered = tuple[nx.Graph, Ranks]

LARGEST_SEARCHED = 64  # most processors for which NetworkX checks for an isomorphism, and finds the measures
MEASURES = ("girth", "link_connectivity", "processor_connectivity")


def command(*arguments: str) -> str:
    finished = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"lockstep {' '.join(arguments)}: {finished.stderr}"
    return finished.stdout


# The machines built a second time, each with the rank of every node.


def without_loops(graph: nx.Graph) -> nx.Graph:
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def in_order(graph: nx.Graph) -> Numbered:
    """Ranks are in the order of the nodes: first coordinates are the most significant."""
    return graph, {node: rank for rank, node in enumerate(sorted(graph))}


def cube(dimensions: int) -> nx.Graph:
    """Nodes are tuples of bits, also where NetworkX has no tuples or numbers."""
    if dimensions == 0:
        return nx.empty_graph([()])
    if dimensions == 1:
        return nx.path_graph([(0,), (1,)])
    return nx.hypercube_graph(dimensions)


def hypercube(text: str) -> Numbered:
    return in_order(cube(int(text)))


def incomplete_hypercube(text: str) -> Numbered:
    larger, smaller = map(int, text.split("+"))
    graph = nx.union(cube(larger), cube(smaller), rename=("large ", "small "))
    ranks: Ranks = {}
    for node in cube(larger):
        ranks[f"large {node}"] = binary(node)
    for node in cube(smaller):
        ranks[f"small {node}"] = 2**larger + binary(node)
        graph.add_edge(f"small {node}", f"large {(0,) * (larger - smaller) + node}")
    return graph, ranks


def binary(bits: tuple[int, ...]) -> int:
    return int("".join(map(str, bits)) or "0", 2)


def reduced_hypercube(text: str) -> Numbered:
    """Building blocks, which are K-cubes, in place of the nodes of a cube of 2^N dimensions."""
    k, n = map(int, text.split(","))
    blocks = cube(2**n)
    graph = nx.Graph()
    for block in blocks:
        graph.update(nx.relabel_nodes(cube(k), {node: (block, node) for node in cube(k)}))
    for block, node in list(graph):
        dimension = binary(node[:n])
        place = 2**n - 1 - dimension  # of the bit of that weight
        across = block[:place] + (1 - block[place],) + block[place + 1 :]
        graph.add_edge((block, node), (across, node))
    return in_order(graph)


def ring(text: str) -> Numbered:
    return in_order(without_loops(nx.cycle_graph(int(text))))


def path(text: str) -> Numbered:
    return in_order(nx.path_graph(int(text)))


def complete(text: str) -> Numbered:
    return in_order(nx.complete_graph(int(text)))


def sides(text: str) -> list[int]:
    return list(reversed([int(side) for side in text.split("x")]))  # NetworkX's nodes begin with the last one


def torus(text: str) -> Numbered:
    return in_order(without_loops(nx.grid_graph(sides(text), periodic=True)))


def mesh(text: str) -> Numbered:
    return in_order(nx.grid_graph(sides(text)))


def product(text: str) -> Numbered:
    graph, ranks = nx.empty_graph(1), {0: 0}
    for factor in text.split("*"):
        further, further_ranks = expected(factor)
        graph = nx.cartesian_product(graph, further)
        ranks = {
            (one, other): ranks[one] * len(further_ranks) + further_ranks[other]
            for one, other in itertools.product(ranks, further_ranks)
        }
    return graph, ranks


def cube_connected_cycles(text: str) -> Numbered:
    """A cycle at every corner of a cube; each of its nodes has one link of the corner."""
    dimensions = int(text)
    graph = nx.Graph()
    for corner in cube(dimensions):
        nx.add_cycle(graph, [(corner, position) for position in range(dimensions)])
        for position in range(dimensions):
            bit = dimensions - 1 - position
            graph.add_edge((corner, position), (corner[:bit] + (1 - corner[bit],) + corner[bit + 1 :], position))
    return in_order(graph)


def shuffle_exchange(text: str) -> Numbered:
    graph = nx.Graph()
    for bits in itertools.product((0, 1), repeat=int(text)):
        graph.add_edge(bits, bits[:-1] + (1 - bits[-1],))
        graph.add_edge(bits, bits[1:] + bits[:1])
    return in_order(without_loops(graph))


Permutation = tuple[int, ...]


def of_permutations(text: str, neighbours: Callable[[Permutation], Iterator[Permutation]]) -> Numbered:
    graph = nx.Graph()
    for permutation in itertools.permutations(range(int(text))):
        graph.add_edges_from((permutation, neighbour) for neighbour in neighbours(permutation))
    return in_order(graph)


def star(text: str) -> Numbered:
    def exchanged(symbols: Permutation) -> Iterator[Permutation]:
        for place in range(1, len(symbols)):
            changed = list(symbols)
            changed[0], changed[place] = changed[place], changed[0]
            yield tuple(changed)

    return of_permutations(text, exchanged)


def pancake(text: str) -> Numbered:
    def turned(symbols: Permutation) -> Iterator[Permutation]:
        for count in range(2, len(symbols) + 1):
            yield symbols[:count][::-1] + symbols[count:]

    return of_permutations(text, turned)


def circulant(text: str) -> Numbered:
    size, *strides = map(int, text.split(","))
    return in_order(nx.circulant_graph(size, strides))


FAMILIES: dict[str, Callable[[str], Numbered]] = {
    "hypercube": hypercube,
    "incomplete-hypercube": incomplete_hypercube,
    "rh": reduced_hypercube,
    "ring": ring,
    "path": path,
    "complete": complete,
    "torus": torus,
    "mesh": mesh,
    "product": product,
    "ccc": cube_connected_cycles,
    "shuffle-exchange": shuffle_exchange,
    "star": star,
    "pancake": pancake,
    "circulant": circulant,
}


def expected(machine: str) -> Numbered:
    family, text = machine.split(":", 1)
    return FAMILIES["incomplete-hypercube" if "+" in text else family](text)


# The machines compared.

SIZES: dict[str, list[str]] = {
    "hypercube": [str(n) for n in range(9)],
    "incomplete-hypercube": [f"{n}+{m}" for n in range(1, 8) for m in range(n)],
    "rh": [f"{k},{n}" for k in range(6) for n in range(min(k, 2) + 1) if k + 2**n <= 9],
    "ring": [*map(str, range(1, 13)), "97"],
    "path": [*map(str, range(1, 13)), "97"],
    "complete": [*map(str, range(1, 13)), "48"],
    "torus": ["1", "2", "5", "1x1", "1x2", "2x2", "2x3", "3x3", "4x4", "5x4", "1x7", "2x2x2", "2x3x4", "4x4x4", "3x1x5"]
    + ["2x2x2x2", "3x4x2x5", "8x9", "16x16"],
    "mesh": ["1", "2", "5", "1x1", "1x2", "2x2", "2x3", "3x3", "4x4", "5x4", "1x7", "2x2x2", "2x3x4", "4x4x4", "3x1x5"]
    + ["2x2x2x2", "3x4x2x5", "8x9", "16x16"],
    "product": ["ring:1*path:1", "ring:2*path:2", "ring:5*complete:4*hypercube:2", "star:3*path:3", "ccc:3*ring:3"]
    + ["rh:1,1*path:2", "pancake:4*complete:3", "circulant:8,1,4*shuffle-exchange:3", "hypercube:2+1*mesh:2x3"],
    "ccc": ["3", "4", "5", "6"],
    "shuffle-exchange": [str(n) for n in range(1, 9)],
    "star": ["2", "3", "4", "5", "6"],
    "pancake": ["2", "3", "4", "5", "6"],
    "circulant": ["2,1", "3,1", "4,1,2", "5,2", "8,1,4", "12,3,4", "13,1,5,6", "30,2,15,5", "64,1,8,27", "101,1,10"],
}


def drawn_circulants(count: int) -> Iterator[str]:
    """More of them, with any allowed strides: no S together with M-S, no factor common to M and all strides."""
    draw = random.Random(23)
    while count > 0:
        size = draw.randint(2, 40)
        strides = draw.sample(range(1, size), min(size - 1, draw.randint(1, 4)))
        graph = nx.circulant_graph(size, strides)
        if len({min(stride, size - stride) for stride in strides}) == len(strides) and nx.is_connected(graph):
            yield f"{size},{','.join(map(str, strides))}"
            count -= 1


# The comparisons.


def distances_of(graph: nx.Graph) -> dict[int, dict[int, int]]:
    return dict(nx.all_pairs_shortest_path_length(graph))


def renumbered(graph: nx.Graph) -> nx.Graph:
    numbers = list(graph)
    random.Random(7).shuffle(numbers)
    return nx.relabel_nodes(graph, dict(zip(graph, numbers)))


def girth(graph: nx.Graph) -> int:
    """A shortest cycle is a link and a shortest way around it; 0 if there is none."""
    shortest = 0
    for one, other in graph.edges:
        without = nx.restricted_view(graph, [], [(one, other)])
        if nx.has_path(without, one, other):
            cycle = nx.shortest_path_length(without, one, other) + 1
            shortest = min(shortest or cycle, cycle)
    return shortest


def connectivity(of: Callable[[nx.Graph], int], graph: nx.Graph) -> int:
    return 0 if graph.number_of_nodes() == 1 else of(graph)


def differences(described: dict[str, Any], written: nx.Graph, wanted: nx.Graph) -> list[str]:
    """Compares the command's facts and graph of a machine with the graph of NetworkX, which has ranks
    for nodes. Empty if all are equal."""
    found: list[str] = []

    def same(what: str, said: Any, right: Any) -> None:
        if said != right:
            found.append(f"{what}: {said}, in NetworkX {right}")

    same("processors", sorted(written), sorted(wanted))
    same("links", sorted(map(sorted, written.edges)), sorted(map(sorted, wanted.edges)))
    if wanted.number_of_nodes() <= LARGEST_SEARCHED:
        same("isomorphic", nx.is_isomorphic(written, renumbered(wanted)), True)
    distances = distances_of(wanted)
    sums = [sum(distances[rank].values()) for rank in sorted(wanted)]
    pairs = len(sums) * (len(sums) - 1)
    degrees = [degree for _, degree in wanted.degree]
    same("number of processors", described["processors"], wanted.number_of_nodes())
    same("number of links", described["links"], wanted.number_of_edges())
    if wanted.number_of_nodes() <= LARGEST_SEARCHED:
        same("girth", described["girth"], girth(wanted))
        same("connectivity of links", described["link_connectivity"], connectivity(nx.edge_connectivity, wanted))
        same("of processors", described["processor_connectivity"], connectivity(nx.node_connectivity, wanted))
    same("least degree", described["degree_min"], min(degrees))
    same("largest degree", described["degree_max"], max(degrees))
    same("diameter", described["diameter"], max(max(of_rank.values()) for of_rank in distances.values()))
    if pairs > 0:
        same("average distance", Fraction(described["average_distance"]["exact"]), Fraction(sum(sums), pairs))
    same("average status", Fraction(described["average_status"]["exact"]), Fraction(sum(sums), len(sums)))
    same("least status", described["status"]["minimum"], min(sums))
    same("largest status", described["status"]["maximum"], max(sums))
    of_all = len(sums) if described["status"]["alike"] else 1  # one number stands for all
    same("status", described["status"]["values"] * of_all, sums)
    return found


def node_link_graph(document: dict[str, Any]) -> nx.Graph:
    """Its list of links is "links", to NetworkX from 3.6 on only if it is told so."""
    takes_name = "edges" in inspect.signature(nx.node_link_graph).parameters
    return nx.node_link_graph(document, **({"edges": "links"} if takes_name else {}))


def written_graph(machine: str, *further: str) -> tuple[dict[str, Any], nx.Graph]:
    """The facts and the graph that `info` writes of the machine."""
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / "graph.json"
        described = json.loads(command("info", machine, "--json", "-", "--graph-json", str(file), *further))
        graph = json.loads(file.read_text())
    return described["machine"], node_link_graph(graph)


def with_ranks(numbered: Numbered) -> nx.Graph:
    graph, ranks = numbered
    return nx.relabel_nodes(graph, ranks)


def must_be_the_same(machine: str, wanted: nx.Graph) -> None:
    described, written = written_graph(machine, "--status")
    found = differences(described, written, wanted)
    assert not found, f"{machine}: " + "; ".join(found)


def compare_all_families() -> str:
    listed = {family["family"] for family in json.loads(command("list", "machines", "--json"))["machines"]}
    assert listed >= FAMILIES.keys(), listed
    without_links = {"bus", "shared", "switch", "omega", "inverse-omega", "indirect-cube", "data-manipulator"}
    assert listed - FAMILIES.keys() == without_links | {"graph"}, "a family is not compared"
    assert FAMILIES.keys() == SIZES.keys()
    count = 0
    for family, sizes in SIZES.items():
        for text in sizes:
            must_be_the_same(f"{family}:{text}", with_ranks(FAMILIES[family](text)))
            count += 1
    for text in drawn_circulants(25):
        must_be_the_same(f"circulant:{text}", with_ranks(circulant(text)))
        count += 1
    return f"{count} machines of {len(FAMILIES)} families"


LARGE = ["hypercube:10", "rh:3,3", "torus:12x12x12", "ccc:8", "star:7", "pancake:7", "circulant:2000,1,45,901"]


def compare_large_machines() -> str:
    """Machines with a symmetry from any processor to any other: the distances of one are those of all."""
    for machine in LARGE:
        wanted = with_ranks(expected(machine))
        described, written = written_graph(machine, "--status")
        links, right = (sorted(map(sorted, graph.edges)) for graph in (written, wanted))
        assert links == right, f"{machine}: links"
        distances = nx.single_source_shortest_path_length(wanted, 0)
        assert described["status"]["alike"] is True, machine
        assert described["status"]["values"] == [sum(distances.values())], machine
        assert described["diameter"] == max(distances.values()), machine
    return f"{len(LARGE)} large ones"


def compare_graphs_from_files() -> str:
    """NetworkX writes graphs in each of its forms, and the command reads them."""
    draw = random.Random(5)
    graphs = {
        "petersen": nx.petersen_graph(),
        "dodecahedron": nx.dodecahedral_graph(),
        "tutte": nx.tutte_graph(),
        "karate": nx.karate_club_graph(),
        "one link": nx.path_graph(2),
        "star": nx.star_graph(9),
        "tree": nx.balanced_tree(3, 3),
        "regular": nx.random_regular_graph(4, 30, seed=draw.randrange(100)),
        "drawn": nx.connected_watts_strogatz_graph(50, 5, 0.3, seed=draw.randrange(100)),
        "grid": nx.grid_graph([4, 3]),
    }
    writers: dict[str, Callable[[nx.Graph, pathlib.Path], Any]] = {
        "json": lambda graph, file: file.write_text(json.dumps(nx.node_link_data(graph))),
        "graphml": nx.write_graphml,
        "edgelist": nx.write_edgelist,
        "adjlist": nx.write_adjlist,
        "g6": nx.write_graph6,
        "gml": nx.write_gml,
        "net": nx.write_pajek,
        "csv": lambda graph, file: nx.write_edgelist(graph, file, delimiter=",", data=False),
        "txt": lambda graph, file: nx.write_edgelist(nx.DiGraph(graph), file, data=False),  # in both directions
        "edges": lambda graph, file: nx.write_weighted_edgelist(weighted(graph), file),
        "metis": write_metis,
        "dot": write_dot,
    }
    count = 0
    for name, graph in graphs.items():
        bare = nx.Graph(graph.edges)  # names that are not numbers get ranks in the order of the links of an edge list
        for form, write in writers.items():
            numbered = all(isinstance(node, int) for node in bare)
            if not numbered and form not in ("json", "graphml", "g6", "metis"):
                continue  # their readers of NetworkX do not know tuples either
            with tempfile.TemporaryDirectory() as directory:
                file = pathlib.Path(directory) / f"graph.{form}"
                write(bare, file)
                ordered = bare if numbered else nx.convert_node_labels_to_integers(bare)
                if form in ("g6", "metis", "gml", "net"):  # they number the nodes in order
                    ordered = nx.convert_node_labels_to_integers(bare)
                must_be_the_same(f"graph:{file}", ordered)
                count += 1
    return f"{count} files of {len(graphs)} graphs"


def weighted(graph: nx.Graph) -> nx.Graph:
    draw = random.Random(3)
    return nx.Graph((one, other, {"weight": draw.random()}) for one, other in graph.edges)


def write_metis(graph: nx.Graph, file: pathlib.Path) -> None:
    numbered = nx.convert_node_labels_to_integers(graph, first_label=1)
    lines = [" ".join(map(str, numbered[node])) for node in numbered]
    file.write_text(f"{graph.number_of_nodes()} {graph.number_of_edges()}\n" + "\n".join(lines) + "\n")


def write_dot(graph: nx.Graph, file: pathlib.Path) -> None:
    file.write_text("graph {\n" + "".join(f"  {one} -- {other};\n" for one, other in graph.edges) + "}\n")


def compare_multigraphs() -> str:
    """Parallel links are counted on request, and the command writes as many as it read."""
    draw = random.Random(29)
    for number in range(20):
        several = nx.MultiGraph(nx.connected_watts_strogatz_graph(12, 4, 0.5, seed=number).edges)
        several.add_edges_from(draw.choice(list(several.edges))[:2] for _ in range(8))
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "several.json"
            file.write_text(json.dumps(nx.node_link_data(several)))
            _, once = written_graph(f"graph:{file}?multigraph=merge")
            _, counted = written_graph(f"graph:{file}?multigraph=count")
        assert sorted(map(sorted, once.edges)) == sorted(map(sorted, nx.Graph(several).edges)), number
        for one, other in once.edges:
            assert counted[one][other].get("multiplicity", 1) == several.number_of_edges(one, other), (number, one, other)
    return "20 graphs with parallel links"


def compare_graphml() -> str:
    """NetworkX reads the command's GraphML."""
    machines = ["hypercube:4", "star:4", "torus:3x4", "ccc:3", "rh:2,1", "circulant:12,3,4"]
    for machine in machines:
        written = nx.parse_graphml(command("info", machine, "--graphml", "-"), node_type=int)
        assert nx.utils.graphs_equal(nx.Graph(written.edges), nx.Graph(with_ranks(expected(machine)).edges)), machine
    return f"{len(machines)} in GraphML"


def compare_broadcasts() -> str:
    """With all ports a broadcast over shortest paths reaches a processor in the cycle of its distance."""
    machines = ["rh:3,1", "ccc:4", "shuffle-exchange:6", "star:5", "pancake:5", "torus:5x4x3", "mesh:6x7"]
    machines += ["hypercube:5+2", "circulant:30,2,15,5", "product:ring:5*complete:4*hypercube:2"]
    count = 0
    for machine in machines:
        wanted = with_ranks(expected(machine))
        for root in (0, len(wanted) // 3, len(wanted) - 1):
            run = ["--machine", machine, "--algorithm", "broadcast/bfs-tree", "--ports", "all", "--root", str(root)]
            trace = json.loads(command("trace", *run, "--trace-json", "-"))
            reached = {message["to"]: message["cycle"] + 1 for message in trace["transfers"]}
            assert {root: 0, **reached} == dict(nx.single_source_shortest_path_length(wanted, root)), (machine, root)
            count += 1
    return f"{count} broadcasts"


def notice_planted_faults() -> str:
    """Graphs with the right degrees but other links, with one link too few or too many, or wrong numbers are found."""
    count = 0
    for machine in ("hypercube:4", "torus:4x4", "ccc:3", "star:4", "rh:2,1"):
        wanted = with_ranks(expected(machine))
        described, written = written_graph(machine, "--status")
        assert not differences(described, written, wanted), machine
        swapped = nx.double_edge_swap(written.copy(), seed=1)
        less, more = written.copy(), written.copy()
        less.remove_edge(*next(iter(less.edges)))
        more.add_edge(*next(nx.non_edges(more)))
        for wrong in (swapped, less, more):
            assert len(differences(described, wrong, wanted)) >= 2, machine  # its links, and that it is isomorphic
        turned = nx.relabel_nodes(written, {0: 1, 1: 0})
        assert [found.split(":")[0] for found in differences(described, turned, wanted)] == ["links"], machine
        for field in ("processors", "links", "degree_min", "degree_max", "diameter", *MEASURES):
            assert len(differences({**described, field: described[field] + 1}, written, wanted)) == 1, machine
        count += 9 + len(MEASURES)
    return f"{count} planted faults"


def main() -> None:
    print(f"NetworkX {nx.__version__}")
    for compare in (
        compare_all_families,
        compare_large_machines,
        compare_graphs_from_files,
        compare_multigraphs,
        compare_graphml,
        compare_broadcasts,
        notice_planted_faults,
    ):
        start = time.monotonic()
        print(f"{compare()}: {time.monotonic() - start:.1f} s", flush=True)


main()
