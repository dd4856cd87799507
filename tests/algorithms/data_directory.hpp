#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {

/// A directory of its own for every test that needs files.
class DataDirectory : public testing::Test {
 protected:
  DataDirectory() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        (std::filesystem::temp_directory_path() / (std::string("lockstep-") + test.name() + "-XXXXXX")).string();
    directory_ = mkdtemp(name.data());
  }
  ~DataDirectory() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  /// The line with which the action is refused, without the directory; empty if it is not.
  std::string refusal_of(const std::function<void()>& action) const {
    try {
      action();
    } catch (const InputError& error) {
      std::string text = error.what();
      EXPECT_EQ(text.find('\n'), std::string::npos);
      const std::string prefix = directory_.string() + "/";
      for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
      return text;
    }
    return {};
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::filesystem::path directory_;
};

}  // namespace lockstep
