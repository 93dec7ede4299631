#include <algorithm>

#include "jit/backends/watching/code_lines.h"
#include "jit/tools/explain/page_panels.h"
#include "jit/tools/explain/svg_writer.h"

namespace pto::jit::cli {
namespace {

bool does_line(const VerbView& verb, std::string_view label) {
  return std::ranges::find(verb.lines, label) != verb.lines.end();
}

std::string verb_id(const std::string& name) { return "verb-" + escaped(name); }

// A line of the plan leads to the first verb that does it.
std::string plan_rows(const Explanation& made, const PageWriter& page) {
  std::string out = "<table>\n";
  for (const PlanStep& step : made.plan) {
    const std::string label(step.label);
    const auto verb = std::ranges::find_if(
        made.host.verbs, [&](const VerbView& one) { return does_line(one, label); });
    const std::string name = verb == made.host.verbs.end()
                                 ? label
                                 : "<a href=\"#" + verb_id(verb->name) + "\">" + label + "</a>";
    out += "<tr data-line=\"" + label + "\"><th scope=\"row\">" + name + "</th><td>" +
           page.fact("/plan/" + label) + "</td></tr>\n";
  }
  return PageWriter::scroll("plan", out + "</table>\n");
}

// The first stretch of code that a verb wrote has the number of the verb.
std::string verb_rows(const HostView& host, const PageWriter& page) {
  std::string out =
      "<table "
      "class=\"wide\">\n<tr><th>verb</th><th>plan</th><th>instructions</th><th>bytes</th><th>does</"
      "th></tr>"
      "\n";
  for (std::size_t i = 0; i < host.verbs.size(); ++i) {
    const VerbView& verb = host.verbs[i];
    const std::string at = "/host/verbs/" + std::to_string(i) + "/";
    std::string lines;
    for (const std::string& line : verb.lines) lines += (lines.empty() ? "" : " ") + escaped(line);
    out += "<tr id=\"" + verb_id(verb.name) + "\" data-verb=\"" + escaped(verb.name) +
           "\" data-lines=\"" + lines + "\"><th scope=\"row\"><a href=\"#code-" +
           std::to_string(i) + "\">" + page.fact(at + "verb") + "</a></th><td>" + lines +
           "</td><td class=\"number\">" + page.fact(at + "instructions") +
           "</td><td class=\"number\">" + page.fact(at + "bytes") + "</td><td>" +
           page.fact(at + "does") + "</td></tr>\n";
  }
  return PageWriter::scroll("verbs", out + "</table>\n", true);
}

std::string way_to(const InstructionView& line) {
  std::string out;
  for (const std::string& verb : line.verbs) out += (out.empty() ? "" : " > ") + verb;
  return out;
}

class CodeText {
 public:
  explicit CodeText(const HostView& host) : host_(host), is_met_(host.verbs.size()) {
    for (const VerbView& verb : host.verbs) width_ = std::max(width_, verb.name.size());
  }

  // Instructions that follow one another and have the same verbs are one link to their verb.
  std::string run() {
    std::string out = "<pre class=\"code\">";
    for (std::size_t i = 0; i < host_.code.size(); ++i) {
      const InstructionView& line = host_.code[i];
      if (i == 0 || host_.code[i - 1].verbs != line.verbs)
        out += (i == 0 ? "" : "</a>") + link(line);
      std::string name = line.verbs.back();
      name.resize(width_ + 2, ' ');
      out += offset_text(line.offset) + "<i>" + escaped(name) + "</i>" + escaped(line.text) + "\n";
    }
    return out + (host_.code.empty() ? "" : "</a>") + "</pre>";
  }

 private:
  std::string link(const InstructionView& line) {
    const std::string& name = line.verbs.back();
    const auto number = static_cast<std::size_t>(
        std::ranges::find(host_.verbs, name, &VerbView::name) - host_.verbs.begin());
    const bool is_first = !is_met_[number];
    is_met_[number] = true;
    return "<a" + (is_first ? " id=\"code-" + std::to_string(number) + "\"" : "") + " href=\"#" +
           verb_id(name) + "\" data-verb=\"" + escaped(name) + "\" title=\"" +
           escaped(way_to(line)) + "\">";
  }

  const HostView& host_;
  std::vector<bool> is_met_;
  std::size_t width_ = 0;
};

}  // namespace

std::string code_panel(const Explanation& made, const PageWriter& page) {
  const std::string plan = "<h3>Plan</h3>\n" + plan_rows(made, page);
  if (!made.host.absent.empty())
    return plan + "<p>No machine code: " + page.fact("/host/absent") + ".</p>\n";
  return "<p>A walk goes through the plan and calls verbs, and each of them writes instructions of "
         "this host. Point at a line of the plan, a verb or an instruction, or move the focus "
         "there: what belongs to it is marked. A link leads from each to the next.</p>\n"
         "<div id=\"code\">\n<div>\n" +
         plan + "<h3>Verbs</h3>\n" + verb_rows(made.host, page) +
         "</div>\n<div>\n<h3>Machine code</h3>\n" +
         PageWriter::scroll("machine code", CodeText(made.host).run(), true) + "</div>\n</div>\n";
}

}  // namespace pto::jit::cli
