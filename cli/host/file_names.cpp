#include "file_names.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "lockstep/core/printable.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/input_error.hpp"
#include "output_file.hpp"

namespace lockstep::cli::host {

namespace fs = std::filesystem;

bool is_one_file(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty() || is_stream(one) || is_stream(other)) return false;
  std::error_code error;
  if (fs::equivalent(one, other, error)) return fs::is_regular_file(one, error);
  const auto place_of = [&](const std::string& name) { return fs::weakly_canonical(fs::absolute(name), error); };
  const fs::path place = place_of(one);
  return !error && place == place_of(other) && !error && !fs::is_directory(place, error);
}

void refuse_shared_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  for (const NamedFile& output : outputs) {
    for (const NamedFile& other : outputs) {
      if (&output == &other) break;
      if (output.path != other.path || output.path != "-") {
        if (!is_one_file(output.path, other.path)) continue;
      }
      throw InputError(other.what + " and " + output.what + " cannot both go to " + quoted(other.path));
    }
    for (const NamedFile& input : inputs) {
      if (output.what == "--output" && (input.what == "--input" || input.what == "--resume")) continue;
      if (!is_one_file(output.path, input.path == "-" ? "/dev/stdin" : input.path)) continue;
      throw InputError(output.what + " cannot go to " + quoted(output.path) + ", which is " + input.what);
    }
    if (output.path != "-" && is_one_file(output.path, "/dev/stdout")) {
      throw InputError(output.what + " cannot go to " + quoted(output.path) + ", which is standard output");
    }
  }
}

namespace {

/// Where a machine's specification names the file of a graph.
struct NamePlace {
  std::size_t begin;
  std::size_t size;
};

std::vector<NamePlace> graph_places(const std::string& machine) {
  constexpr std::string_view product = "product:";
  constexpr std::string_view graph = "graph:";
  std::vector<NamePlace> places;
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (machine.compare(begin, graph.size(), graph) != 0) return;
    begin += graph.size();
    places.push_back({begin, graph_file_name(machine.substr(begin, end - begin)).size()});
  };
  if (!machine.starts_with(product)) {
    add(0, machine.size());
    return places;
  }
  for (std::size_t begin = product.size(); begin <= machine.size();) {
    const std::size_t end = std::min(machine.find('*', begin), machine.size());
    add(begin, end);
    begin = end + 1;
  }
  return places;
}

/// The specification with other names for its graphs' files.
template <class Renamed>
std::string with_graph_files(std::string machine, const Renamed& renamed) {
  const std::vector<NamePlace> places = graph_places(machine);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    machine.replace(place->begin, place->size, renamed(machine.substr(place->begin, place->size)));
  }
  return machine;
}

bool is_relative(const std::string& file) { return file != "-" && fs::path(file).is_relative(); }

}  // namespace

std::vector<std::string> graph_files(const std::string& machine) {
  std::vector<std::string> files;
  for (const NamePlace& place : graph_places(machine)) files.push_back(machine.substr(place.begin, place.size));
  return files;
}

std::string machine_beside(const std::string& machine, const std::string& file) {
  if (file == "-" || is_stream(file)) return machine;
  return with_graph_files(machine, [&](const std::string& graph) {
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(fs::absolute(fs::path(graph)).parent_path(), error);
    if (!is_relative(graph) || error) return graph;
    const fs::path from = fs::weakly_canonical(fs::absolute(fs::path(file)).parent_path(), error);
    return error ? graph : (folder / fs::path(graph).filename()).lexically_relative(from).string();
  });
}

std::string machine_of_file(const std::string& machine, const std::string& file, bool must_be_beside) {
  if (file == "-" || is_stream(file)) return machine;
  return with_graph_files(machine, [&](const std::string& graph) {
    std::error_code error;
    const fs::path beside = fs::path(file).parent_path() / graph;
    return is_relative(graph) && (must_be_beside || fs::exists(beside, error)) ? beside.string() : graph;
  });
}

std::string machine_from_root(const std::string& machine) {
  return with_graph_files(machine, [](const std::string& graph) {
    return is_relative(graph) ? fs::absolute(graph).lexically_normal().string() : graph;
  });
}

std::string digests_of(const std::vector<NamedFile>& inputs) {
  std::string text;
  for (const NamedFile& input : inputs) {
    std::error_code none;
    if (!fs::is_regular_file(input.path, none)) continue;  // not a file, or a pipe, which can be read only once
    std::ifstream in(input.path, std::ios::binary);
    Digest digest;
    std::string piece(std::size_t{1} << 20, ' ');
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
      digest.add(std::string_view(piece).substr(0, static_cast<std::size_t>(in.gcount())));
    }
    text += (text.empty() ? "" : ", ") + input.path + " of digest " + digest.text();
  }
  return text;
}

}  // namespace lockstep::cli::host
