#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Room for some eight million links. It bounds what reading takes, whatever is in the file.
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

[[noreturn]] void refuse_to_read(const std::string& reason) { refuse("cannot read the file: " + reason); }

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
  if (!fs::is_regular_file(status)) refuse_to_read("it is no regular file");
  const auto refuse_size = [] { refuse_to_read("it has more than " + std::to_string(most_bytes) + " bytes"); };
  if (fs::file_size(path, error) > most_bytes && !error) refuse_size();
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_to_read(std::strerror(errno));
  std::string text;
  for (std::array<char, 1 << 16> part{}; file;) {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes) refuse_size();  // it has grown meanwhile
  }
  if (file.bad()) refuse_to_read(std::strerror(errno));
  return text;
}

constexpr std::string_view large_integer = "an integer too large for 64 bits";

/// Of a number as JSON writes it.
bool is_integer(const std::string& digits) { return digits.find_first_of(".eE") == std::string::npos; }

/// Takes the labels out of a node-link document while it is parsed, and nothing else: no tree of values is built, and
/// however deep the document nests, only a depth is counted.
class NodeLinkReader final : public nlohmann::json_sax<Json> {
 public:
  explicit NodeLinkReader(const std::string& text) : text_(text) {}

  /// The graph, after the whole document has been parsed.
  Graph graph() const {
    if (!has_nodes_) refuse("\"nodes\" is missing");
    if (links_key_.empty()) refuse("\"links\" (or \"edges\") is missing");
    if (ids_.empty()) refuse("there are no nodes");
    check_ids();
    return Graph(static_cast<Rank>(ids_.size()), links_);
  }

  bool null() override { return take({.text = "null"}); }
  bool boolean(bool truth) override {
    return take({.kind = Kind::truth, .truth = truth, .text = truth ? "true" : "false"});
  }
  bool number_unsigned(std::uint64_t number) override { return take({.kind = Kind::label, .label = number}); }
  bool number_integer(std::int64_t number) override {  // with a minus sign
    const std::string text = number == 0 ? "-0" : std::to_string(number);
    return take({.text = text});
  }
  bool number_float(double, const std::string& digits) override {
    return take(is_integer(digits) ? Value{.kind = Kind::too_large, .text = large_integer} : Value{.text = digits});
  }
  bool string(std::string&) override { return take({.text = "a string"}); }
  bool binary(Json::binary_t&) override { return true; }  // not in JSON

  bool start_object(std::size_t) override { return begin({.kind = Kind::object, .text = "an object"}); }
  bool start_array(std::size_t) override { return begin({.kind = Kind::array, .text = "an array"}); }
  bool end_array() override { return end(); }
  bool end_object() override {
    end();
    if (depth_ == element_depth) end_element();
    return true;
  }

  bool key(std::string& name) override {
    if (depth_ == member_depth) begin_member(name);
    if (depth_ == field_depth && list_ != List::none) field_ = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    const std::size_t place = std::min(position == 0 ? 0 : position - 1, text_.size());
    const std::string_view before(text_.data(), place);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = place - (before.find_last_of('\n') + 1) + 1;  // npos + 1 is 0
    constexpr int number_overflow = 406;  // of a double, as which the parser reads what 64 bits cannot hold
    const std::string what = error.id != number_overflow ? "it is not JSON"
                             : is_integer(token)         ? "it has " + std::string(large_integer)
                                                         : "it has a number too large";
    refuse(what + " at line " + std::to_string(line) + ", column " + std::to_string(column));
  }

 private:
  enum class List { none, nodes, links };
  enum class Kind { label, too_large, truth, array, object, other };
  struct Value {
    Kind kind = Kind::other;
    std::uint64_t label = 0;
    bool truth = false;
    std::string_view text = {};  ///< what to call it in a complaint, unless it is a label
  };

  // {"nodes": [{"id": 0}]}: how many brackets are open before the members, the elements of a list, and their fields.
  static constexpr std::uint64_t member_depth = 1;
  static constexpr std::uint64_t element_depth = 2;
  static constexpr std::uint64_t field_depth = 3;

  bool take(const Value& value) {
    if (depth_ == 0 && value.kind != Kind::object) {
      refuse("it holds " + said(value) + ", not an object with \"nodes\" and \"links\"");
    }
    if (depth_ == member_depth) take_member(value);
    if (list_ == List::none) return true;
    if (depth_ == element_depth && value.kind != Kind::object) {
      refuse(element() + " is " + said(value) + ", not an object");
    }
    if (depth_ == field_depth) take_field(value);
    return true;
  }

  bool begin(const Value& value) {
    take(value);
    ++depth_;
    return true;
  }

  bool end() {
    --depth_;
    return true;
  }

  void begin_member(const std::string& name) {
    member_ = name;
    list_ = List::none;
    if (name == "nodes") {
      if (has_nodes_) refuse("\"nodes\" is there twice");
      has_nodes_ = true;
      list_ = List::nodes;
    } else if (name == "links" || name == "edges") {
      if (!links_key_.empty()) refuse("it has \"" + links_key_ + "\" and \"" + name + "\"; one list of links is read");
      links_key_ = name;
      list_ = List::links;
    }
  }

  void take_member(const Value& value) const {
    if (list_ != List::none && value.kind != Kind::array) {
      refuse("\"" + member_ + "\" is " + said(value) + ", not an array");
    }
    if (member_ != "directed" && member_ != "multigraph") return;
    if (value.kind != Kind::truth) refuse("\"" + member_ + "\" is " + said(value) + ", not false");
    if (value.truth) refuse("\"" + member_ + "\" is true; only undirected simple graphs are machines");
  }

  void take_field(const Value& value) {
    const bool is_first = field_ == (list_ == List::nodes ? "id" : "source");
    if (!is_first && (list_ == List::nodes || field_ != "target")) return;
    std::optional<Rank>& place = is_first ? first_ : second_;
    const auto refuse_field = [&](const std::string& why) { refuse(element() + "." + field_ + " is " + why); };
    if (value.kind == Kind::too_large) refuse_field(said(value));
    if (value.kind != Kind::label) refuse_field(said(value) + ", not a whole number from 0 up");
    if (value.label > most_processors) refuse_field(said(value) + ", more than any node's number");
    if (place) refuse_field("there twice");
    place = static_cast<Rank>(value.label);
  }

  void end_element() {
    if (list_ == List::nodes) {
      if (!first_) refuse(element() + " has no \"id\"");
      ids_.push_back(*first_);
    } else if (list_ == List::links) {
      if (!first_) refuse(element() + " has no \"source\"");
      if (!second_) refuse(element() + " has no \"target\"");
      links_.emplace_back(*first_, *second_);
    }
    first_.reset();
    second_.reset();
  }

  /// As many different ids as nodes, all below their number, are 0 to the number less 1.
  void check_ids() const {
    std::vector<bool> seen(ids_.size());
    for (std::size_t index = 0; index < ids_.size(); ++index) {
      const Rank id = ids_[index];
      if (id < ids_.size() && !seen[id]) {
        seen[id] = true;
        continue;
      }
      refuse("nodes[" + std::to_string(index) + "].id is " + std::to_string(id) +
             (id < ids_.size() ? ", as that of another node is"
                               : ", but the " + std::to_string(ids_.size()) + " nodes are to be 0 to " +
                                     std::to_string(ids_.size() - 1)));
    }
  }

  /// "links[3]" while the element with that index is read.
  std::string element() const {
    return list_ == List::nodes ? "nodes[" + std::to_string(ids_.size()) + "]"
                                : links_key_ + "[" + std::to_string(links_.size()) + "]";
  }

  static std::string said(const Value& value) {
    return value.kind == Kind::label ? std::to_string(value.label) : printable(value.text);
  }

  const std::string& text_;
  std::uint64_t depth_ = 0;
  List list_ = List::none;  // of the member that is read
  std::string member_;
  std::string field_;
  std::optional<Rank> first_;   // the id, or the source
  std::optional<Rank> second_;  // the target
  bool has_nodes_ = false;
  std::string links_key_;
  std::vector<Rank> ids_;
  std::vector<Graph::Link> links_;
};

}  // namespace

Graph read_graph(const std::string& path) {
  const std::string text = contents(path);
  NodeLinkReader reader(text);
  Json::sax_parse(text.data(), text.data() + text.size(), &reader);
  return reader.graph();
}

}  // namespace lockstep
