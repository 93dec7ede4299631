// The page: tabs over everything an explanation holds. Numbers come out of the JSON, each marked
// with the place it has there.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "jit/tools/explain/page_panels.h"
#include "jit/tools/explain/page_parts.h"
#include "jit/tools/explain/printers.h"
#include "jit/tools/explain/svg_writer.h"

namespace pto::jit::cli {
namespace {

// A rule that is broken, or a note, with where it comes from.
std::string said_of(const Diagnostic& said) {
  const std::string why = said.rule + (said.rule.empty() || said.from.empty() ? "" : "; ") +
                          (said.from.empty() ? "" : "from " + said.from);
  return "<code>" + escaped(said.id) + "</code> " + escaped(said.message) +
         (why.empty() ? "" : " <span class=\"soft\">(" + escaped(why) + ")</span>") + "<br>";
}

std::string overview(const Explanation& made, const PageWriter& page) {
  std::string out = "<p>" + page.fact("/meaning") + "</p>\n<h3>Verdict</h3>\n<table>\n";
  for (std::size_t i = 0; i < made.targets.targets.size(); ++i) {
    const TargetView& target = made.targets.targets[i];
    out += "<tr><th scope=\"row\">" + escaped(target.name) + "</th><td class=\"word " +
           (target.is_legal ? "good\">legal" : "bad\">not legal") + "</td><td>";
    for (const Diagnostic& said : target.said) out += said_of(said);
    out += "</td></tr>\n";
  }
  out += "</table>\n<h3>Work of one call</h3>\n" +
         page.facts({{"indices, or units", "/call/indices"},
                     {"bytes each moves", "/call/bytes_per_index"},
                     {"elements each moves", "/call/elements_per_index"},
                     {"bytes of one index", "/call/index_bytes"},
                     {"slots", "/call/capacity"},
                     {"bytes moved in all", "/call/bytes_moved"},
                     {"calls", "/memory/calls"}});
  return out + "<h3>On this host</h3>\n" +
         page.facts({{"strategy", "/host/strategy"},
                     {"bytes of all operands", "/host/bytes"},
                     {"they fit", "/host/level"},
                     {"bound by", "/host/bound_by"}});
}

// What the device has instead of the kernel, where that is so.
std::string device_words(const Explanation& made, const PageWriter& page) {
  if (made.device.empty()) return "";
  return "<p class=\"remark\">On the device: " + page.fact("/device") + ".</p>\n";
}

std::string memory_panel(const Explanation& made, const PageWriter& page) {
  if (made.memory.tiles.empty()) return "<p>No map: " + escaped(made.forms[0].absent) + ".</p>\n";
  std::string out = device_words(made, page) +
                    PageWriter::scroll("map of local memory", memory_drawing(made.memory));
  out += page.facts({{"bytes for tiles", "/memory/budget"},
                     {"used", "/memory/used"},
                     {"left", "/memory/left"},
                     {"a launch grants without asking (0: all)", "/memory/plain"},
                     {"dynUBufSize (0: not asked for)", "/memory/dynUBufSize"},
                     {"parts", "/memory/parts"}});
  std::string rows =
      "<table>\n<tr><th>tile</th><th>shape</th><th>offset</th><th>bytes</th><th>valid</th>"
      "<th>padding</th><th>gap</th></tr>\n";
  for (std::size_t i = 0; i < made.memory.tiles.size(); ++i) {
    const std::string at = "/memory/tiles/" + std::to_string(i) + "/";
    rows += "<tr>";
    for (const char* member : {"name", "shape", "offset", "bytes", "valid_bytes", "padding", "gap"})
      rows += "<td>" + page.fact(at + member) + "</td>";
    rows += "</tr>\n";
  }
  return out + PageWriter::scroll("tiles", rows + "</table>\n");
}

constexpr std::string_view kControls = R"(<div class="controls">
<button id="previous" type="button">Previous</button>
<button id="next" type="button">Next</button>
<button id="play" type="button">Play</button>
<button id="all" type="button">All at once</button>
<span class="soft">or the arrow keys, Home, End and Escape</span>
</div>
<p id="step-words" aria-live="polite"></p>
)";

std::string move_panel(const Explanation& made, const PageWriter& page) {
  if (!made.move) return "<p>No picture: " + escaped(made.move_absent) + ".</p>\n";
  std::vector<std::pair<std::string, std::string>> facts = {
      {"indices", "/move/indices"}, {"positions", "/move/positions"}, {"shown", "/move/shown"}};
  if (!made.move->index.empty()) facts.emplace_back("beyond the end", "/move/outside");
  if (!made.move->index.empty()) facts.emplace_back("colliding", "/move/collisions");
  std::string out = page.facts(facts);
  out += std::string(kControls) + "<div id=\"move-picture\">" +
         PageWriter::scroll("the move", move_drawing(*made.move)) + "</div>\n<ol id=\"steps\">\n";
  for (const MoveStep& step : made.move->steps) {
    out += "<li data-p=\"" + std::to_string(step.position) + "\" data-to=\"" +
           std::to_string(step.cell) + "\">Position " + std::to_string(step.position) + ", " +
           escaped(step.from) + (step.index ? ", index " + std::to_string(*step.index) : "") +
           ": " + escaped(step.outcome) + ".</li>\n";
  }
  return out + "</ol>\n";
}

std::string waits_table(const FormView& form, const std::string& at, const PageWriter& page) {
  std::string out =
      "<table "
      "class=\"wide\">\n<tr><th>wait</th><th>line</th><th>where</th><th>protects</"
      "th><th>emulation</th>"
      "<th>without it</th></tr>\n";
  for (std::size_t i = 0; i < form.waits.size(); ++i) {
    const std::string wait = at + "/waits/" + std::to_string(i) + "/";
    out += "<tr><td class=\"word\">" + page.fact(wait + "what") + "</td><td><a href=\"#" +
           form.name + "-" + std::to_string(form.waits[i].line) + "\">" + page.fact(wait + "line") +
           "</a></td>";
    for (const char* member : {"place", "protects", "need", "without"})
      out += "<td>" + page.fact(wait + member) + "</td>";
    out += "</tr>\n";
  }
  return PageWriter::scroll("waits of the " + form.name + " form", out + "</table>\n");
}

// A run that can be chosen: its figure, and its line in the list of all.
struct Shown {
  std::string figures;
  std::string choices;

  void add(const RunView& run, const std::string& title) {
    const std::string id = "run-" + std::to_string(count++);
    choices += "<option value=\"" + id + "\">" + escaped(title) + "</option>\n";
    figures += "<figure class=\"run\" id=\"" + id + "\">" +
               PageWriter::scroll("timeline", timeline_drawing(run, title)) +
               (run.reports.empty()
                    ? ""
                    : "<figcaption class=\"bad\">" + escaped(run.reports) + "</figcaption>") +
               "</figure>\n";
  }
  int count = 0;
};

constexpr std::string_view kPipesWords =
    R"(<p>Times are steps of the emulation, one for each 32 bytes: no device's cycles. Grey is waiting,
an arrow leads from where a flag is set to where it is seen, what a report speaks of is a dashed hexagon. Point at
an operation, or move the focus to it, for what it touches. A wait that is not missed stays because
the device's documents ask for it (0037).</p>
)";

std::string pipes_panel(const Explanation& made, const PageWriter& page) {
  const std::string words = device_words(made, page);
  std::string tables;
  Shown shown;
  for (std::size_t i = 0; i < made.forms.size(); ++i) {
    const FormView& form = made.forms[i];
    const std::string at = "/forms/" + std::to_string(i);
    tables += "<h3>" + escaped(form.name) + "</h3>\n";
    if (!form.absent.empty()) {
      tables += "<p>None: " + page.fact(at + "/absent") + ".</p>\n";
      continue;
    }
    tables += "<p>By " + page.fact(at + "/how") + ".</p>\n" + waits_table(form, at, page);
    if (!form.run) continue;
    tables += page.facts({{"operations", at + "/run/operations"},
                          {"transfers", at + "/run/transfers"},
                          {"waits, inside instructions too", at + "/run/waits"},
                          {"bytes read in global memory", at + "/run/bytes_read"},
                          {"bytes written there", at + "/run/bytes_written"},
                          {"steps of the emulation", at + "/run/blocks"}});
    shown.add(*form.run, form.name + ", complete");
    for (const WaitView& wait : form.waits) {
      if (wait.without)
        shown.add(*wait.without, form.name + " without " + wait.what + ", " + wait.place);
    }
  }
  if (!made.run_absent.empty())
    return words + "<p>Nothing was run: " + escaped(made.run_absent) + ".</p>\n" + tables;
  return words + std::string(kPipesWords) +
         "<div class=\"controls\"><label for=\"run\">Run</label> <select id=\"run\">\n" +
         shown.choices + "</select></div>\n" + shown.figures + tables;
}

std::string targets_panel(const Explanation& made, const PageWriter& page) {
  std::vector<std::string> labels;
  for (const TargetView& target : made.targets.targets) {
    for (const PlanStep& row : target.rows) {
      if (std::ranges::find(labels, row.label) == labels.end()) labels.emplace_back(row.label);
    }
  }
  std::string out = "<table>\n<tr><td></td>";
  for (const TargetView& target : made.targets.targets)
    out += "<th scope=\"col\">" + escaped(target.name) + (target.is_legal ? "" : " (not legal)") +
           "</th>";
  out += "</tr>\n";
  for (const std::string& label : labels) {
    const bool differs =
        std::ranges::find(made.targets.differing, label) != made.targets.differing.end();
    out += std::string("<tr") + (differs ? " class=\"differs\"" : "") + "><th scope=\"row\">" +
           label + "</th>";
    for (std::size_t i = 0; i < made.targets.targets.size(); ++i)
      out += "<td>" + page.fact("/targets/all/" + std::to_string(i) + "/rows/" + label) + "</td>";
    out += "</tr>\n";
  }
  out = PageWriter::scroll("targets side by side", out + "</table>\n");
  for (const Reason& reason : made.targets.reasons)
    out += "<p><code>" + escaped(reason.id) + "</code> " + escaped(reason.what) +
           (reason.matters ? "" : " <span class=\"soft\">(not seen on made-up data)</span>") +
           "</p>\n";
  if (!made.targets.absent.empty())
    out += "<p>Results are not compared: " + page.fact("/targets/absent") + ".</p>\n";
  return out;
}

std::string text_panel(const Explanation& made, const PageWriter& page) {
  std::string out = device_words(made, page);
  for (std::size_t i = 0; i < made.forms.size(); ++i) {
    const FormView& form = made.forms[i];
    out += "<h3>" + escaped(form.name) + "</h3>\n";
    out += form.absent.empty()
               ? PageWriter::numbered(form.name, form.text)
               : "<p>None: " + page.fact("/forms/" + std::to_string(i) + "/absent") + ".</p>\n";
  }
  return out;
}

using Panel = std::string (*)(const Explanation&, const PageWriter&);
struct Tab {
  std::string_view id;
  std::string_view title;
  Panel panel;
};
constexpr std::array kTabs = {
    Tab{"overview", "Overview", overview},    Tab{"memory", "Memory", memory_panel},
    Tab{"move", "Move", move_panel},          Tab{"pipes", "Pipes", pipes_panel},
    Tab{"targets", "Targets", targets_panel}, Tab{"text", "Text", text_panel},
    Tab{"code", "Code", code_panel}};

}  // namespace

std::string page_of(const Explanation& made) {
  const nlohmann::json numbers = json_of(made);
  const PageWriter page(numbers);
  std::string tabs = "<div role=\"tablist\" aria-label=\"Parts of the explanation\">\n";
  std::string panels;
  for (const Tab& tab : kTabs) {
    const std::string id(tab.id);
    tabs += "<button type=\"button\" role=\"tab\" id=\"tab-" + id + "\" aria-controls=\"panel-" +
            id + "\">" + std::string(tab.title) + "</button>\n";
    panels += "<section role=\"tabpanel\" tabindex=\"0\" id=\"panel-" + id +
              "\" aria-labelledby=\"tab-" + id + "\">\n<h2>" + std::string(tab.title) + "</h2>\n" +
              tab.panel(made, page) + "</section>\n";
  }
  const std::string bound = made.bound == made.spec
                                ? ""
                                : "<p>Looked at as <code>" + page.fact("/bound") + "</code></p>\n";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>" +
         escaped(made.spec) + "</title>\n<style>\n" + std::string(page_part("page.css")) +
         std::string(page_part("picture.css")) + "</style>\n</head>\n<body>\n<h1>" +
         page.fact("/summary") + "</h1>\n" +
         PageWriter::scroll("spec", "<code>" + page.fact("/spec") + "</code>") + bound + tabs +
         "</div>\n" + panels + "<script>\n" + std::string(page_part("page.js")) +
         "</script>\n</body>\n</html>\n";
}

}  // namespace pto::jit::cli
