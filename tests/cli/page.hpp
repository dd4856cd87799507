#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "command_line.hpp"

// Shared by the tests of pages.
namespace lockstep::test {

using Json = nlohmann::json;

/// The parts of a page.
struct Page {
  std::string title;
  std::string data;  ///< as in the page
  Json document = Json::object();
  std::string rest;  ///< the page without title and data

  const Json& run(std::size_t index = 0) const { return document["runs"].at(index); }
};

/// Splits a page into its parts.
Page page_of(std::string html);

}  // namespace lockstep::test
