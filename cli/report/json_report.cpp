#include "json_report.hpp"

#include <nlohmann/json.hpp>

#include "field_values.hpp"
#include "fields.hpp"
#include "host/version.hpp"

namespace lockstep::cli::report {
namespace {

using Json = nlohmann::ordered_json;

/// "counted" of "counted.steps".
std::string object_of(const ReportField& field) { return field.path.substr(0, field.path.find('.')); }

void set(Json& document, const ReportField& field, Json value) {
  const std::string object = object_of(field);
  if (object == field.path) {
    document[object] = std::move(value);
  } else {
    document[object][field.path.substr(object.size() + 1)] = std::move(value);
  }
}

/// All fields, null if they are not known yet.
Json document_of(const run::RunRecord& record, Known known) {
  Json document;
  for (const ReportField& field : fields()) {
    if (field.path.empty() || !field.value) continue;
    set(document, field, field.known <= known ? field.value(record) : Json());
  }
  return document;
}

}  // namespace

Json json_rules(const Model& model) {
  return {{"ports", name(model.ports)}, {"duplex", name(model.duplex)}, {"multicast", model.multicast}};
}

Json json_report(const run::RunRecord& record, bool with_cycles) {
  return document_of(record, with_cycles ? Known::listed : Known::ended);
}

Json json_failure(const run::RunRecord& record, const run::CommandFailure& failure) {
  Json json = document_of(record, record.has_counts() ? Known::counted : Known::planned);
  json["error"] = json_error(failure);
  return json;
}

Json json_refusal(const run::RunRecord& record, const run::CommandFailure& failure) {
  Json json;
  for (const ReportField& field : fields()) {
    const std::string object = object_of(field);
    // Documents of refusals have always been without these two; that stays within a version of the fields.
    if (object.empty() || object == "carried" || object == "faults" || !field.value) continue;
    if (field.known == Known::refused) {
      set(json, field, field.value(record));
    } else if (!json.contains(object)) {
      json[object] = nullptr;
    }
  }
  json["error"] = json_error(failure);
  return json;
}

Json json_refusal(run::Status status, const run::CommandFailure& failure) {
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"status", name(status)},
          {"error", {{"kind", failure.kind}, {"text", failure.text}}}};
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::cli::report
