#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

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

using GraphReader = Graph (*)(const std::string& text);

Graph refuse_sparse6(const std::string&) { refuse_graph("it is sparse6, which is not read; graph6 is"); }

Graph refuse_dot(const std::string&) { refuse_graph("it is DOT, which is written but not read"); }

struct GraphFileForm {
  std::string_view extension;
  GraphReader read;
};

constexpr std::array<GraphFileForm, 12> forms{{{".json", read_node_link},
                                               {".graphml", read_xml},
                                               {".xml", read_xml},
                                               {".edges", read_edge_list},
                                               {".edgelist", read_edge_list},
                                               {".txt", read_edge_list},
                                               {".anynet", read_anynet},
                                               {".adjlist", read_adjacency_list},
                                               {".g6", read_graph6},
                                               {".s6", refuse_sparse6},
                                               {".dot", refuse_dot},
                                               {".gv", refuse_dot}}};

GraphReader reader_of_content(std::string_view text) {
  const auto is_space = [](unsigned char letter) { return std::isspace(letter) != 0; };
  const std::string_view begin(std::ranges::find_if_not(text, is_space), text.end());
  if (begin.starts_with('{')) return read_node_link;
  if (begin.starts_with('<')) return read_xml;
  if (begin.starts_with(">>sparse6<<") || begin.starts_with(':')) return refuse_sparse6;
  const auto word_end = std::ranges::find_if(begin, is_space);
  const bool is_word = word_end != begin.begin() && std::all_of(word_end, begin.end(), is_space);
  return is_word ? read_graph6 : read_edge_list;
}

/// Extensions are compared in small letters.
GraphReader reader_of(const std::string& path, std::string_view text) {
  std::string extension = is_standard_input(path) ? "" : fs::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const auto* const form = std::ranges::find(forms, std::string_view(extension), &GraphFileForm::extension);
  const GraphReader read = form == forms.end() ? reader_of_content(text) : form->read;
  return read == read_edge_list && is_anynet(text) ? read_anynet : read;
}

}  // namespace

Graph read_graph(const std::string& path) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string text = contents(path);
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return reader_of(path, text)(text);
}

}  // namespace lockstep
