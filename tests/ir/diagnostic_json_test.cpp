// Diagnostics as JSON: read back by another reader, whatever bytes they hold.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "ir/diagnostic.h"

namespace pto::jit::tests {
namespace {

nlohmann::json read(const Diagnostics& diagnostics) {
  return nlohmann::json::parse(json_of(diagnostics));
}

std::string message_read(const std::string& message) {
  return read({error("some.id", message)})[0]["message"];
}

TEST(DiagnosticJson, HoldsEveryPart) {
  Diagnostic whole = error("a.b", "what");
  whole.rule = "rule";
  whole.from = "document";
  whole.suggestion = "a5:tscatter";
  whole.gives_up = "much";
  whole.at = Span{3, 4};
  Diagnostic plain = error("c.d", "");
  plain.severity = Severity::Note;
  EXPECT_EQ(read({whole, plain}), nlohmann::json::parse(R"([
    {"severity": "error", "id": "a.b", "message": "what", "rule": "rule", "from": "document",
     "try": "a5:tscatter", "gives_up": "much", "at": {"begin": 3, "length": 4}},
    {"severity": "note", "id": "c.d", "message": ""}])"));
  EXPECT_EQ(read({}), nlohmann::json::array());
}

TEST(DiagnosticJson, KeepsWhatIsText) {
  for (const std::string text :
       {"a \"quoted\" \\ line\n\ttab", "\x01\x1f\x7f", "\u00e9\u20ac\U0001f600",
        "\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"})
    EXPECT_EQ(message_read(text), text);
}

TEST(DiagnosticJson, ReplacesWhatIsNoText) {
  EXPECT_EQ(message_read("a\xff"
                         "b"),
            "a\ufffdb");
  EXPECT_EQ(message_read("\xc0\x80"), "\ufffd\ufffd");                      // longer than need be
  EXPECT_EQ(message_read("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");            // half of a pair
  EXPECT_EQ(message_read("\xe2\x82"), "\ufffd\ufffd");                      // cut off
  EXPECT_EQ(message_read("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");  // beyond the last one
}

TEST(DiagnosticJson, IsJsonForAnyBytes) {
  std::mt19937 random(20);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    for (auto left = random() % 12; left > 0; --left) bytes += static_cast<char>(random());
    EXPECT_NO_THROW(message_read(bytes));
  }
}

}  // namespace
}  // namespace pto::jit::tests
