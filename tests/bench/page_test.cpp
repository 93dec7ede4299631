// Pages and pictures say what the file of results says that they name.
#include "bench/report/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "bench/report/pictures.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"
#include "tests/support/tsv.h"

namespace pto::jit::bench {
namespace {

using tests::matches_file;
using tests::read_text;

const std::string& source_of_page() {
  static const std::string source = [] {
    const std::string page = read_text("docs/performance.md");
    std::smatch found;
    return std::regex_search(page, found, std::regex("bench/results/[^`]*\\.json")) ? found.str()
                                                                                    : std::string();
  }();
  return source;
}

const Results& kept_results() {
  static const Results results = [] {
    Result<Results> read = read_results(tests::source_root() + "/" + source_of_page());
    return read ? std::move(*read) : Results();
  }();
  return results;
}

TEST(Page, NamesAFileOfResultsWithEveryFamily) {
  ASSERT_FALSE(source_of_page().empty());
  std::set<std::string> families;
  std::set<std::pair<std::string, std::string>> names;
  for (const Figure& figure : kept_results().figures) {
    families.insert(figure.family);
    EXPECT_TRUE(names.insert({figure.family, figure.name}).second) << figure.name;
  }
  for (const char* family : {"rows", "dram_rows", "elem_gather", "elem_scatter", "byte_offsets",
                             "small_tables", "adds", "masks", "last_wins", "extents", "groups",
                             "layouts", "workloads", "sizes", "calls", "lookups", "compiles"}) {
    EXPECT_TRUE(families.contains(family)) << family;
  }
  EXPECT_EQ(kept_results().machine.effort, "full");
}

TEST(Page, IsWhatTheGeneratorMakesOfTheResults) {
  for (const char* path : {"docs/performance.md", "README.md"}) {
    const Result<std::string> page = filled_page(read_text(path), kept_results(), source_of_page());
    ASSERT_TRUE(page) << render(page.error());
    EXPECT_TRUE(matches_file(path, *page));
  }
}

TEST(Page, RefusesAPlaceItDoesNotKnow) {
  const auto filled = [](const char* page) { return filled_page(page, Results(), "x.json"); };
  EXPECT_FALSE(filled("<!-- figures: moon -->\n<!-- end -->"));
  EXPECT_FALSE(filled("<!-- figures: rows -->\n"));
  ASSERT_TRUE(filled("a\n<!-- figures: rows -->\nold\n<!-- end -->\nb"));
  EXPECT_EQ(filled("a\n<!-- figures: rows -->\nold\n<!-- end -->\nb")->find("old"),
            std::string::npos);
  EXPECT_EQ(*filled("no places"), "no places");
}

// Every tag is closed in order, every attribute quoted, every '&' an entity.
::testing::AssertionResult is_well_formed(const std::string& text) {
  static const std::regex tag(R"re(<(/?)([a-z]+)((?: [A-Za-z0-9:-]+="[^"<&]*")*)(/?)>)re");
  static const std::regex entity("&(?!amp;|lt;|gt;|#[0-9]+;)");
  std::vector<std::string> open;
  if (std::regex_search(text, entity)) return ::testing::AssertionFailure() << "a bare '&'";
  std::size_t tags = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at, ++tags) {
    const std::string name = (*at)[2];
    if ((*at)[1].length() > 0) {
      if (open.empty() || open.back() != name)
        return ::testing::AssertionFailure() << "</" << name << "> closes nothing";
      open.pop_back();
    } else if ((*at)[4].length() == 0) {
      open.push_back(name);
    }
  }
  const auto angles = static_cast<std::size_t>(std::ranges::count(text, '<'));
  if (angles != tags) return ::testing::AssertionFailure() << angles - tags << " broken tags";
  if (!open.empty()) return ::testing::AssertionFailure() << "<" << open.back() << "> stays open";
  return ::testing::AssertionSuccess();
}

TEST(Pictures, BrokenOnesAreFound) {
  EXPECT_TRUE(is_well_formed("<a b=\"1\"><c/>x &amp; y</a>"));
  for (const char* text :
       {"<a>", "<a></b>", "<a><b></a></b>", "<a b=1></a>", "x & y", "<a></a", "</a>"})
    EXPECT_FALSE(is_well_formed(text)) << text;
}

struct Dot {
  double x = 0;
  double y = 0;
  double value = 0;
  std::string title;
};

std::vector<Dot> dots_of(const std::string& picture) {
  static const std::regex circle(
      R"re(<circle class="\w+" cx="([0-9.]+)" cy="([0-9.]+)" r="[0-9.]+"><title>(([0-9.e+-]+) ?([^<]*))</title>)re");
  std::vector<Dot> out;
  for (std::sregex_iterator at(picture.begin(), picture.end(), circle), end; at != end; ++at) {
    out.push_back({std::stod((*at)[1]), std::stod((*at)[2]), std::stod((*at)[4]), (*at)[5]});
  }
  return out;
}

// Places are as far apart as the logarithms of their values: what the first and the last dot say
// holds for all between them.
void expect_on_one_scale(std::vector<Dot> dots, double Dot::* place) {
  ASSERT_GE(dots.size(), 3U);
  std::ranges::sort(dots, {}, &Dot::value);
  const Dot& first = dots.front();
  const Dot& last = dots.back();
  for (const Dot& dot : dots) {
    const double share = std::log(dot.value / first.value) / std::log(last.value / first.value);
    EXPECT_NEAR(dot.*place, first.*place + share * (last.*place - first.*place), 0.05) << dot.title;
  }
}

std::string kept(const char* file) { return read_text(std::string("docs/pictures/") + file); }

TEST(Pictures, AreDrawnFromTheResultsAndWellFormed) {
  for (const Picture& picture : pictures()) {
    const std::string drawn = picture.draw(kept_results());
    EXPECT_TRUE(matches_file(std::string("docs/pictures/") + picture.file, drawn));
    EXPECT_TRUE(is_well_formed(drawn)) << picture.file;
    EXPECT_NE(drawn.find("prefers-color-scheme: dark"), std::string::npos);
    const std::string embedded = std::string("](pictures/") + picture.file + ")";
    EXPECT_NE(read_text("docs/performance.md").find(embedded), std::string::npos) << embedded;
  }
}

// To five digits, which the titles have.
void expect_same_numbers(const std::vector<Dot>& dots, std::vector<double> values) {
  std::vector<double> shown;
  for (const Dot& dot : dots) shown.push_back(dot.value);
  ASSERT_EQ(shown.size(), values.size());
  std::ranges::sort(shown);
  std::ranges::sort(values);
  for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_NEAR(shown[i], values[i], values[i] * 6e-5);
}

TEST(Pictures, RatiosAreThoseOfTheResults) {
  std::vector<double> values;
  for (const Figure& figure : kept_results().figures) {
    if (figure.best() != nullptr) values.push_back(figure.best()->ns / figure.ns);
  }
  std::vector<Dot> dots = dots_of(kept("ratios.svg"));
  expect_same_numbers(dots, values);
  std::erase_if(dots, [](const Dot& dot) { return dot.value >= 16; });  // all at the end
  expect_on_one_scale(dots, &Dot::x);
}

TEST(Pictures, BandwidthsAreThoseOfTheResults) {
  std::vector<double> values;
  for (const Figure& figure : kept_results().figures) {
    if (figure.family != "sizes") continue;
    for (const double ns : {figure.ns, figure.find("S")->ns, figure.find("L")->ns})
      values.push_back(figure.bytes / ns);
  }
  const std::vector<Dot> dots = dots_of(kept("bandwidth.svg"));
  EXPECT_GE(dots.size(), 60U);
  expect_same_numbers(dots, values);
  expect_on_one_scale(dots, &Dot::y);
}

TEST(Pictures, CallsAreThoseOfTheResults) {
  const std::vector<Dot> dots = dots_of(kept("calls.svg"));
  EXPECT_GE(dots.size(), 14U);
  expect_on_one_scale(dots, &Dot::x);
  for (const Dot& dot : dots) {
    const std::string name = dot.title.substr(dot.title.find(", ") + 2);
    const auto& figures = kept_results().figures;
    const auto at = std::ranges::find(figures, name, &Figure::name);
    ASSERT_NE(at, figures.end()) << name;
    EXPECT_NEAR(dot.value, at->ns, at->ns * 6e-5) << name;
  }
}

}  // namespace
}  // namespace pto::jit::bench
