#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "../temporary_directory.hpp"
#include "lockstep/algorithms/method.hpp"

namespace lockstep {

/// Gives every test that needs files its own directory.
class DataDirectory : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_.file(name); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  /// The line with which the action is refused, without the directory; empty if it is accepted.
  std::string refusal_of(const std::function<void()>& action) const {
    try {
      action();
    } catch (const InputError& error) {
      std::string text = error.what();
      EXPECT_EQ(text.find('\n'), std::string::npos);
      const std::string prefix = directory_.file("");
      for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
      return text;
    }
    return {};
  }

  std::vector<std::string> files() const { return directory_.files(); }

 private:
  const test::TemporaryDirectory directory_;
};

}  // namespace lockstep
