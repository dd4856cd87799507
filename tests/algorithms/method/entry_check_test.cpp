// Entries that cannot stand in the catalogue are refused by name, with what they lack.
#include "method/entry_check.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

/// The objection to a whole entry of the catalogue once it has been changed.
template <class Change>
std::string objection_after(const Change& change, std::span<const Method* const> others = {}) {
  Method entry = find_method("broadcast/sbt", "hypercube");
  change(entry);
  return method::objection_to(entry, others);
}

TEST(EntryCheck, NamesWhatAnEntryLacks) {
  EXPECT_EQ(objection_after([](Method&) {}), "");
  EXPECT_EQ(objection_after([](Method& entry) { entry.source = ""; }), "has no source");
  EXPECT_EQ(objection_after([](Method& entry) { entry.summary = ""; }), "has no summary");
  EXPECT_EQ(objection_after([](Method& entry) { entry.port_models.clear(); }), "has no port_models");
  EXPECT_EQ(objection_after([](Method& entry) { entry.resolve = nullptr; }), "has no resolve");
  EXPECT_EQ(objection_after([](Method& entry) { entry.predict = nullptr; }), "has no predict");
  EXPECT_EQ(objection_after([](Method& entry) { entry.bytes = nullptr; }), "has no bytes");
  EXPECT_EQ(objection_after([](Method& entry) { entry.run = nullptr; }), "has no run");
  EXPECT_EQ(objection_after([](Method& entry) { entry.predict = nullptr, entry.bytes = nullptr; }),
            "has no predict, bytes");
  EXPECT_EQ(objection_after([](Method& entry) { entry.families.clear(); }), "is for no family of machines");
  EXPECT_EQ(objection_after([](Method& entry) { entry.proven = nullptr; }), "") << "bounds are the problem's";
}

TEST(EntryCheck, NamesAWrongName) {
  for (const char* name : {"", "sbt", "/sbt", "broadcast/"}) {
    EXPECT_EQ(objection_after([&](Method& entry) { entry.name = name; }), "is not called OPERATION/METHOD") << name;
  }
  EXPECT_EQ(objection_after([](Method& entry) { entry.name = "reduce/sbt"; }),
            "is of another operation, \"broadcast\"");
}

TEST(EntryCheck, RefusesTheSameNameOnTheSameMachines) {
  const Method* const there = &find_method("broadcast/sbt", "hypercube");
  const std::vector<const Method*> others{there};
  EXPECT_EQ(objection_after([](Method&) {}, others), "is there already");
  EXPECT_EQ(objection_after([](Method& entry) { entry.families = {"ring", "hypercube"}; }, others), "is there already");
  EXPECT_EQ(objection_after([](Method& entry) { entry.families = {"ring"}; }, others), "");
}

}  // namespace
}  // namespace lockstep
