#define ZLIB_CONST  // zlib does not write to its input
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "graphs/graph_readers.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep {

namespace {

namespace fs = std::filesystem;

/// Bounds the time and memory of reading any file.
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;

[[noreturn]] void refuse_to_read(const std::string& reason) { refuse_graph("cannot read the file: " + reason); }

std::string contents(const std::string& named) {
  const std::string path = [&named] {
    try {
      return input_place(named);
    } catch (const std::invalid_argument& problem) {
      refuse_to_read(problem.what());
    }
  }();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse_to_read(error ? error.message() : std::strerror(ENOENT));
  if (fs::is_directory(status)) refuse_to_read("it is a directory");
  if (!fs::is_regular_file(status)) refuse_to_read("it is not a regular file");
  const auto refuse_size = [] { refuse_to_read("it has more than " + std::to_string(most_bytes) + " bytes"); };
  if (fs::file_size(path, error) > most_bytes && !error) refuse_size();
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_to_read(std::strerror(errno));
  std::string text;
  for (std::array<char, 1 << 16> part{}; file;) {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes) refuse_size();  // it has grown since
  }
  if (file.bad()) refuse_to_read(std::strerror(errno));
  return text;
}

using GraphReader = Graph (*)(const std::string& text, const GraphReading& reading);

struct GraphFileForm {
  GraphReader read;
  std::string_view name;
};

Graph refuse_sparse6(const std::string&, const GraphReading&) {
  refuse_graph("it is sparse6, which is not read; graph6 is");
}

constexpr GraphFileForm node_link{read_node_link, "node-link JSON"};
constexpr GraphFileForm xml{read_xml, "XML"};
constexpr GraphFileForm edge_list{read_edge_list, "an edge list"};
constexpr GraphFileForm adjacency_list{read_adjacency_list, "an adjacency list"};
constexpr GraphFileForm anynet{read_anynet, "an anynet file of BookSim"};
constexpr GraphFileForm graph6{read_graph6, "graph6"};
constexpr GraphFileForm sparse6{refuse_sparse6, "sparse6"};
constexpr GraphFileForm metis{read_metis, "METIS"};
constexpr GraphFileForm gml{read_gml, "GML"};
constexpr GraphFileForm pajek{read_pajek, "Pajek"};
constexpr GraphFileForm matrix_market{read_matrix_market, "Matrix Market"};
constexpr GraphFileForm dimacs{read_dimacs, "DIMACS"};
constexpr GraphFileForm dot{read_dot, "DOT"};

struct GraphFileExtension {
  std::string_view extension;
  const GraphFileForm* form;
};

constexpr std::array extensions{GraphFileExtension{".json", &node_link},
                                GraphFileExtension{".graphml", &xml},
                                GraphFileExtension{".xml", &xml},
                                GraphFileExtension{".edges", &edge_list},
                                GraphFileExtension{".edgelist", &edge_list},
                                GraphFileExtension{".anynet", &anynet},
                                GraphFileExtension{".adjlist", &adjacency_list},
                                GraphFileExtension{".g6", &graph6},
                                GraphFileExtension{".s6", &sparse6},
                                GraphFileExtension{".metis", &metis},
                                GraphFileExtension{".gml", &gml},
                                GraphFileExtension{".net", &pajek},
                                GraphFileExtension{".mtx", &matrix_market},
                                GraphFileExtension{".col", &dimacs},
                                GraphFileExtension{".dot", &dot},
                                GraphFileExtension{".gv", &dot}};

/// What other files begin with that are no graphs, though their lines may look like links.
struct GraphFileLookalike {
  std::string_view begin;
  std::string_view what;
};
constexpr std::array lookalikes{GraphFileLookalike{"SwitchName=", "Slurm's topology.conf"},
                                GraphFileLookalike{"- ", "YAML"},
                                GraphFileLookalike{"---", "YAML"},
                                GraphFileLookalike{"vendid=", "the output of ibnetdiscover"},
                                GraphFileLookalike{"GPU0", "the output of nvidia-smi topo"},
                                GraphFileLookalike{"[", "a list of JSON, or an INI file"}};

bool is_space(unsigned char letter) { return std::isspace(letter) != 0; }

/// From the first line on that is no comment of an edge list.
std::string_view without_comments(std::string_view text) {
  while (true) {
    text = std::string_view(std::ranges::find_if_not(text, is_space), text.end());
    const bool is_comment = text.starts_with('#') || (text.starts_with('%') && !text.starts_with("%%MatrixMarket"));
    if (!is_comment) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

/// Whether the text begins with these words, in any letters and with blanks of any length between them.
bool begins_with(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    text = std::string_view(std::ranges::find_if_not(text, is_space), text.end());
    if (in_small_letters(std::string(text.substr(0, word.size()))) != word) return false;
    text.remove_prefix(word.size());
  }
  return true;
}

const GraphFileForm& form_of_content(const std::string& text) {
  const std::string_view begin = without_comments(text);
  if (begin.starts_with('{')) return node_link;
  if (begin.starts_with('<')) return xml;
  if (begin.starts_with(">>sparse6<<") || begin.starts_with(':')) return sparse6;
  if (begin.starts_with("%%MatrixMarket")) return matrix_market;
  if (begins_with(begin, {"*vertices"})) return pajek;
  if (begins_with(begin, {"creator"}) || begins_with(begin, {"graph", "["})) return gml;
  if (begins_with(begin, {"p", "edge"}) || begins_with(begin, {"p", "col"}) || begin.starts_with("c ")) return dimacs;
  const std::string_view brace = begin.substr(0, begin.find('{'));
  const bool is_dot =
      brace.size() < begin.size() && brace.find('\n') == std::string_view::npos &&
      (begins_with(begin, {"graph"}) || begins_with(begin, {"digraph"}) || begins_with(begin, {"strict"}));
  if (is_dot) return dot;
  const auto* const other =
      std::ranges::find_if(lookalikes, [&](const GraphFileLookalike& one) { return begin.starts_with(one.begin); });
  if (other != lookalikes.end()) {
    refuse_graph("it looks like " + std::string(other->what) + ", which is not read as a graph");
  }
  if (is_anynet(text)) return anynet;
  const auto word_end = std::ranges::find_if(begin, is_space);
  const bool is_word = word_end != begin.begin() && std::all_of(word_end, begin.end(), is_space) &&
                       begin.find_first_of(",;") == std::string_view::npos;  // "0,1" is a link
  if (is_word) return graph6;
  if (is_metis(text)) return metis;
  return edge_list;
}

/// Extensions are compared in small letters; that of a compressed file is the one before .gz.
const GraphFileForm& form_of(const std::string& path, const std::string& text) {
  fs::path name = is_standard_input(path) ? fs::path() : fs::path(path);
  if (in_small_letters(name.extension().string()) == ".gz") name = name.stem();
  const std::string extension = in_small_letters(name.extension().string());
  const auto* const known = std::ranges::find(extensions, std::string_view(extension), &GraphFileExtension::extension);
  return known == extensions.end() ? form_of_content(text) : *known->form;
}

/// The text that gzip has compressed.
std::string uncompressed(const std::string& text) {
  z_stream stream{};
  constexpr int gzip = 16;
  if (inflateInit2(&stream, MAX_WBITS + gzip) != Z_OK) refuse_to_read("it cannot be uncompressed");
  std::string all;
  std::array<char, 1 << 16> part{};
  stream.next_in = reinterpret_cast<const Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  int state = Z_OK;
  while (state == Z_OK && all.size() <= most_bytes) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = inflate(&stream, Z_NO_FLUSH);
    all.append(part.data(), part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (all.size() > most_bytes) refuse_to_read("uncompressed it has more than " + std::to_string(most_bytes) + " bytes");
  if (state != Z_STREAM_END) refuse_to_read("it begins as a file of gzip, and does not end as one");
  return all;
}

}  // namespace

std::string graph_file_name(const std::string& text) {
  std::error_code name_is_too_long;
  return fs::exists(text, name_is_too_long) ? text : text.substr(0, text.rfind('?'));
}

Graph read_graph(const std::string& path, const GraphReading& reading) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  constexpr std::string_view gzip_mark = "\x1f\x8b";
  std::string text = contents(path);
  if (text.starts_with(gzip_mark)) text = uncompressed(text);
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  const GraphFileForm& form = form_of(path, text);
  Graph graph = form.read(text, reading);
  std::vector<std::string> notes{std::string(form.name)};
  notes.insert(notes.end(), graph.notes().begin(), graph.notes().end());
  graph.set_notes(std::move(notes));
  return graph;
}

}  // namespace lockstep
