#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::json;

constexpr std::string_view large_integer = "an integer too large for 64 bits";

/// The text of a number as JSON writes it.
bool is_integer(const std::string& digits) { return digits.find_first_of(".eE") == std::string::npos; }

/// A name that is a list, as it is read.
class ListName {
 public:
  void open() {
    part();
    key_ += '[';
    label_ += '(';
  }
  void close() {
    key_ += ']';
    label_ += ')';
  }
  void add(const std::string& key, std::string_view label) {
    part();
    key_ += key;
    label_ += label;
  }

  /// Lists have the same key only if they are the same.
  const std::string& key() const { return key_; }
  const std::string& label() const { return label_; }

 private:
  void part() {
    if (key_.empty() || key_.back() == '[') return;
    key_ += ',';
    label_ += ',';
  }

  std::string key_;
  std::string label_;
};

/// Takes only the nodes and links out of a node-link document while it is parsed: no tree of values is built, and
/// nesting of any depth is only counted.
class NodeLinkReader final : public nlohmann::json_sax<Json> {
 public:
  NodeLinkReader(const std::string& text, const GraphReading& reading) : text_(text), draft_(reading) {}

  /// The graph, after the whole document has been parsed.
  Graph graph() {
    if (!has_nodes_) refuse_graph("\"nodes\" is missing");
    if (links_key_.empty()) refuse_graph("\"links\" (or \"edges\") is missing");
    return draft_.graph([this](std::size_t index) { return links_key_ + "[" + std::to_string(index) + "]"; });
  }

  bool null() override { return take({.text = "null"}); }
  bool boolean(bool truth) override {
    return take({.kind = Kind::truth, .truth = truth, .text = truth ? "true" : "false"});
  }
  bool number_unsigned(std::uint64_t number) override {
    const std::string text = std::to_string(number);
    return take({.kind = Kind::whole, .whole = number, .number = static_cast<double>(number), .text = text});
  }
  bool number_integer(std::int64_t number) override {  // with a minus sign
    const std::string text = number == 0 ? "-0" : std::to_string(number);
    return take({.kind = Kind::number, .number = static_cast<double>(number), .text = text});
  }
  bool number_float(double number, const std::string& digits) override {
    return take(is_integer(digits) ? Value{.kind = Kind::too_large, .number = number, .text = large_integer}
                                   : Value{.kind = Kind::number, .number = number, .text = digits});
  }
  bool string(std::string& text) override { return take({.kind = Kind::string, .string = &text, .text = "a string"}); }
  bool binary(Json::binary_t&) override { return true; }  // not in JSON

  bool start_object(std::size_t) override { return begin({.kind = Kind::object, .text = "an object"}); }
  bool start_array(std::size_t) override { return begin({.kind = Kind::array, .text = "an array"}); }
  bool end_array() override {
    --depth_;
    if (!list_name_) return true;
    list_name_->close();
    if (depth_ == field_depth) take_name(draft_.word(list_name_->key(), list_name_->label()));
    if (depth_ == field_depth) list_name_.reset();
    return true;
  }
  bool end_object() override {
    --depth_;
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
    constexpr int number_overflow = 406;  // of a double, as which the parser reads numbers beyond 64 bits
    const std::string what = error.id != number_overflow ? "it is not JSON"
                             : is_integer(token)         ? "it has " + std::string(large_integer)
                                                         : "it has a number too large";
    refuse_graph(what + " at line " + std::to_string(line) + ", column " + std::to_string(column));
  }

 private:
  enum class List { none, nodes, links };
  enum class Kind { whole, number, too_large, truth, string, array, object, other };
  struct Value {
    Kind kind = Kind::other;
    std::uint64_t whole = 0;
    std::optional<double> number = {};
    bool truth = false;
    const std::string* string = nullptr;
    std::string_view text = {};  ///< its text in errors
  };

  // {"nodes": [{"id": 0}]}: how many brackets are open before the members, the elements of a list, and their fields.
  static constexpr std::uint64_t member_depth = 1;
  static constexpr std::uint64_t element_depth = 2;
  static constexpr std::uint64_t field_depth = 3;

  bool take(const Value& value) {
    if (depth_ == 0 && value.kind != Kind::object) {
      refuse_graph("it holds " + printable(value.text) + ", not an object with \"nodes\" and \"links\"");
    }
    if (depth_ == member_depth) take_member(value);
    if (list_ == List::none) return true;
    if (depth_ == element_depth && value.kind != Kind::object) {
      refuse_graph(element() + " is " + printable(value.text) + ", not an object");
    }
    if (depth_ == field_depth) take_field(value);
    if (list_name_) take_part_of_name(value);
    if (depth_ == field_depth + 1 && field_ == "pos" && value.number) place_.push_back(*value.number);
    return true;
  }

  bool begin(const Value& value) {
    take(value);
    ++depth_;
    return true;
  }

  void begin_member(const std::string& name) {
    member_ = name;
    list_ = List::none;
    if (name == "nodes") {
      if (has_nodes_) refuse_graph("\"nodes\" occurs twice");
      has_nodes_ = true;
      list_ = List::nodes;
    } else if (name == "links" || name == "edges") {
      if (!links_key_.empty())
        refuse_graph("it has \"" + links_key_ + "\" and \"" + name + "\"; only one list of links is read");
      links_key_ = name;
      list_ = List::links;
    }
  }

  void take_member(const Value& value) {
    if (list_ != List::none && value.kind != Kind::array) {
      refuse_graph("\"" + member_ + "\" is " + printable(value.text) + ", not an array");
    }
    if (member_ != "directed" && member_ != "multigraph") return;
    if (value.kind != Kind::truth) {
      refuse_graph("\"" + member_ + "\" is " + printable(value.text) + ", neither true nor false");
    }
    if (value.truth && member_ == "directed") draft_.set_directed();
  }

  void take_field(const Value& value) {
    const bool is_node = list_ == List::nodes;
    if (is_node ? field_ == "id" : field_ == "source" || field_ == "target") {
      take_name_field(value);
    } else if (!is_node && field_ == "multiplicity") {
      constexpr std::uint64_t most = GraphDraft::most_cables;
      if (value.kind != Kind::whole || value.whole == 0 || value.whole > most) {
        refuse_graph(element() + ".multiplicity is " + printable(value.text) + ", not a whole number from 1 to " +
                     std::to_string(most));
      }
      multiplicity_ = static_cast<std::uint32_t>(value.whole);
    } else if (is_node && field_ == "label" && value.string != nullptr) {
      node_.label = printable(*value.string);
    } else if (is_node && field_ == "x") {
      node_.x = value.number;
    } else if (is_node && field_ == "y") {
      node_.y = value.number;
    }
  }

  void take_name_field(const Value& value) {
    switch (value.kind) {
      case Kind::whole:
        if (value.whole > most_processors) refuse_name(printable(value.text) + ", more than any node's number");
        return take_name(value.whole);
      case Kind::string:
        return take_name(draft_.word(Json(*value.string).dump(), *value.string));
      case Kind::array:
        list_name_.emplace();
        return;  // take_part_of_name() opens it
      case Kind::too_large:
        refuse_name(printable(value.text));
      default:
        refuse_name(printable(value.text) + ", not a whole number from 0 up, a text or a list");
    }
  }

  void take_part_of_name(const Value& value) {
    if (value.kind == Kind::array) return list_name_->open();
    if (value.kind == Kind::object) refuse_name("a list with an object in it");
    if (value.string == nullptr) return list_name_->add(std::string(value.text), value.text);
    list_name_->add(Json(*value.string).dump(), *value.string);
  }

  void take_name(GraphDraft::Name name) {
    std::optional<GraphDraft::Name>& place = field_ == "target" ? second_ : first_;
    if (place) refuse_name("given twice");
    place = name;
  }

  [[noreturn]] void refuse_name(const std::string& why) const { refuse_graph(element() + "." + field_ + " is " + why); }

  void end_element() {
    if (list_ == List::nodes) {
      if (!first_) refuse_graph(element() + " has no \"id\"");
      node_.name = *first_;
      if (place_.size() == 2) {
        node_.x = place_[0];
        node_.y = place_[1];
      }
      if (!draft_.add(node_)) refuse_graph(element() + ".id is also that of another node");
    } else if (list_ == List::links) {
      if (!first_) refuse_graph(element() + " has no \"source\"");
      if (!second_) refuse_graph(element() + " has no \"target\"");
      draft_.link(*first_, *second_, multiplicity_);
      multiplicity_ = 1;
    }
    first_.reset();
    second_.reset();
    node_ = {};
    place_.clear();
  }

  /// "links[3]" while the element with that index is read.
  std::string element() const {
    return list_ == List::nodes ? "nodes[" + std::to_string(draft_.nodes()) + "]"
                                : links_key_ + "[" + std::to_string(draft_.links()) + "]";
  }

  const std::string& text_;
  std::uint64_t depth_ = 0;
  List list_ = List::none;  // of the member that is read
  std::string member_;
  std::string field_;
  std::optional<ListName> list_name_;       // that is read
  std::optional<GraphDraft::Name> first_;   // the id, or the source
  std::optional<GraphDraft::Name> second_;  // the target
  std::uint32_t multiplicity_ = 1;          // of the link
  GraphDraft::Node node_;                   // its other fields
  std::vector<double> place_;               // the numbers of its "pos"
  bool has_nodes_ = false;
  std::string links_key_;
  GraphDraft draft_;
};

}  // namespace

Graph read_node_link(const std::string& text, const GraphReading& reading) {
  NodeLinkReader reader(text, reading);
  Json::sax_parse(text.data(), text.data() + text.size(), &reader);
  return reader.graph();
}

}  // namespace lockstep
