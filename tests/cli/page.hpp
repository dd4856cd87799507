#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "command_line.hpp"

// What the tests of pages share.
namespace lockstep::test {

using Json = nlohmann::json;

/// What a page is made of.
struct Page {
  std::string title;
  std::string data;  ///< as it stands there
  Json document = Json::object();
  std::string rest;  ///< the page without title and data

  const Json& run(std::size_t index = 0) const { return document["runs"].at(index); }
};

/// Takes a page apart.
Page page_of(std::string html);

}  // namespace lockstep::test
