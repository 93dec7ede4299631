// ptojit explain: a kernel in words and pictures.
#include <memory>
#include <nlohmann/json.hpp>

#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/kernel_run.h"
#include "jit/files/files.h"
#include "jit/tools/explain/printers.h"

namespace pto::jit::cli {
namespace {

struct ExplainOptions {
  std::string spec;
  std::string html;
  Result<std::optional<Picture>> svg = std::optional<Picture>();
  std::string file;
  std::string bind;
  Names in;
  bool is_not_run = false;
  bool json = false;
};

Result<std::optional<Picture>> parse_svg(const std::string& name) {
  const Result<Picture> picture = parse_picture(name);
  if (!picture) return picture.error();
  return std::optional(*picture);
}

// One thing is asked for, and what it is written to has a name.
Result<Done> check_options(const ExplainOptions& options, const Arguments& given) {
  if (!options.svg) return options.svg.error();
  if (given.has("--html") && given.has("--svg"))
    return error("option.html", "--html and --svg are asked for one at a time");
  if (given.has("-o") && !given.has("--svg"))
    return error("option.out", "-o is for a picture, --svg PART; a page goes to --html FILE");
  if (options.json && (given.has("--html") || given.has("--svg")))
    return error("option.json", "--json is asked for without --html and --svg");
  if ((given.has("--html") && options.html.empty()) || (given.has("-o") && options.file.empty()))
    return error("option.out", "no name of a file to write to");
  if (options.is_not_run && *options.svg == Picture::Timeline)
    return error("option.svg", "a timeline shows a run: leave out --no-run");
  return Done{};
}

// Pictures other than the timeline need no run.
bool needs_run(const ExplainOptions& options) {
  return !options.is_not_run && (!*options.svg || **options.svg == Picture::Timeline);
}

Result<ExplainInputs> inputs_of(const LegalSpec& legal, const ExplainOptions& options) {
  const Result<std::vector<Binding>> bindings = parse_bindings(legal.spec(), options.bind);
  if (!bindings) return bindings.error();
  const Result<OperandFiles> files =
      parse_operand_files(legal.spec(), options.in, {}, Purpose::Check);
  if (!files) return files.error();
  for (const OperandFile& file : files->in) {
    if (file.operand.role != Role::Index)
      return error("option.in", "--in takes the indices; other operands are made up");
  }
  const Result<std::vector<OperandInput>> given = open_inputs(legal.spec(), *files);
  if (!given) return given.error();
  return ExplainInputs{
      .check = {.bindings = with_told_extents(legal, *bindings, *given), .given = *given},
      .is_run = needs_run(options)};
}

Outcome written(const std::string& path, const std::string& text) {
  const std::vector<OutputFile> files = {text_file(path, text)};
  if (const Result<Done> done = write_files(files); !done) return unusable(done.error());
  return {};
}

Outcome deliver(const Explanation& made, const ExplainOptions& options) {
  if (!options.html.empty()) return written(options.html, page_of(made));
  if (!*options.svg) return {.output = options.json ? printed(json_of(made)) : text_of(made)};
  const Result<std::string> picture = picture_of(made, **options.svg);
  if (!picture) return unusable(picture.error());
  if (options.file.empty()) return {.output = *picture};
  return written(options.file, *picture);
}

Outcome explain_spec(const ExplainOptions& options, const Arguments& given) {
  if (const Result<Done> good = check_options(options, given); !good) return unusable(good.error());
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const Result<ExplainInputs> inputs = inputs_of(*legal, options);
  if (!inputs) return refused(inputs.error(), options.spec, options.bind);
  const Result<Explanation> made = explain(*legal, *inputs);
  if (!made) return refused(made.error(), options.spec, options.bind);
  return deliver(*made, options);
}

}  // namespace

void add_explain(CLI::App& app, Session& session) {
  const auto options = std::make_shared<ExplainOptions>();
  Arguments command(app, "explain", "Show a kernel in words and pictures");
  command.take_spec(options->spec);
  command.take("--html", options->html, "Write one page that needs nothing else to this file");
  command.take("--svg", options->svg, parse_svg,
               "Print one picture: memory, timeline or move; with -o FILE to a file");
  command.take("-o", options->file, "For --svg: write to a file, whole or not at all");
  command.take("--in", options->in, "idx=FILE: the indices to show; made up where none are given");
  command.take("--bind", options->bind, "NAME=N,...: values for some '?' of the spec");
  command.take("--no-run", options->is_not_run, "Leave out the run in the emulation");
  command.take("--json", options->json, "Machine-readable output");
  command.then([&session, options, command] {
    run_command(session, [&] { return explain_spec(*options, command); }, options->json);
  });
}

}  // namespace pto::jit::cli
