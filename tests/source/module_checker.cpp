#include "tests/source/module_checker.h"

#include <algorithm>

#include "tests/source/module_rules.h"

namespace pto::jit::tests {
namespace {

struct Value {
  std::string type;
  std::string number;  // of a constant
  int uses = 0;
};

using Names = std::vector<std::string>;

class Reader {
 public:
  explicit Reader(std::string_view text) : tokens_(module_tokens(text)) {}

  ModuleFacts run() {
    read_frame();
    while (is_fine() && peek() != "return") read_statement();
    for (const char* token : {"return", "}", "}"}) expect(token);
    if (is_fine() && at_ != tokens_.size()) fail("text after the module");
    if (is_fine()) facts_.problem = broken_rule(facts_);
    for (const auto& [name, value] : values_) {
      if (is_fine() && value.uses == 0) fail(name + " is never used");
    }
    return facts_;
  }

 private:
  bool is_fine() const { return facts_.problem.empty(); }
  void fail(const std::string& what) {
    if (is_fine()) facts_.problem = what + ", before token " + std::to_string(at_);
  }

  std::string peek() const { return at_ < tokens_.size() ? tokens_[at_] : ""; }
  std::string next() {
    if (at_ >= tokens_.size()) fail("the text ends early");
    return at_ < tokens_.size() ? tokens_[at_++] : "";
  }
  bool accept(std::string_view token) {
    if (peek() != token) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view token) {
    const std::string got = next();
    if (got != token) fail("'" + std::string(token) + "' expected, not '" + got + "'");
  }
  void expect_all(const std::vector<std::string_view>& tokens) {
    for (const std::string_view token : tokens) expect(token);
  }

  void define(const std::string& name, const Value& value) {
    if (name.size() < 2 || name[0] != '%') fail("'" + name + "' is no name");
    if (!values_.emplace(name, value).second) fail(name + " is defined twice");
  }

  // A name in use; the value it stands for.
  Value use(const std::string& name) {
    const auto found = values_.find(name);
    if (found == values_.end()) {
      fail("'" + name + "' is not defined");
      return {};
    }
    ++found->second.uses;
    return found->second;
  }

  void use_as(const std::string& name, const std::string& type) {
    const Value value = use(name);
    if (value.type != type) fail(name + " is " + value.type + ", not " + type);
  }

  void read_frame() {
    expect_all({"module", "attributes", "{", "pto.target_arch", "="});
    facts_.arch = next();
    expect_all({"}", "{", "func.func"});
    facts_.name = next();
    expect("(");
    do {
      const std::string name = next();
      expect(":");
      define(name, {next(), ""});
    } while (accept(","));
    expect_all({")", "attributes", "{", "pto.entry", ",", "pto.kernel_kind", "="});
    expect_all({"#pto.kernel_kind<vector>", "}", "{"});
  }

  void read_statement() {
    const std::string first = next();
    if (first[0] != '%') return read_operation(first);
    expect("=");
    const std::string op = next();
    if (op == "arith.constant") return read_constant(first);
    if (op == "arith.muli") return read_computed(first, facts_.products[first]);
    if (op == "arith.ceildivui") return read_computed(first, facts_.quotients[first]);
    if (op == "arith.cmpi") return read_comparison(first);
    if (op == "pto.make_tensor_view") return read_view(first);
    if (op == "pto.partition_view") return read_partition(first);
    if (op == "pto.alloc_tile") return read_tile(first);
    fail("'" + op + "' is no definition");
  }

  void read_constant(const std::string& name) {
    const std::string number = next();
    if (name != "%c" + number) fail(name + " is " + number);
    expect_all({":", "index"});
    define(name, {"index", number});
  }

  void read_computed(const std::string& name, Names& from) {
    for (int i = 0; i < 2; ++i) {
      if (i > 0) expect(",");
      from.push_back(next());
      use_as(from.back(), "index");
    }
    expect_all({":", "index"});
    define(name, {"index", ""});
  }

  void read_comparison(const std::string& name) {
    expect_all({"ne", ","});
    facts_.guard = next();
    use_as(facts_.guard, "index");
    expect(",");
    const std::string zero = next();
    use_as(zero, "index");
    if (values_[zero].number != "0") fail(zero + " is not zero");
    expect_all({":", "index"});
    define(name, {"i1", ""});
  }

  void read_branch() {
    use_as(next(), "i1");
    expect("{");
    while (is_fine() && peek() != "}") read_statement();
    expect("}");
    if (peek() != "return") fail("something is done in any case");
  }

  Names read_indices(std::string_view keyword) {
    expect_all({",", keyword, "=", "["});
    Names out;
    do {
      out.push_back(next());
      use_as(out.back(), "index");
    } while (accept(","));
    expect("]");
    return out;
  }

  void read_view(const std::string& name) {
    const std::string pointer = next();
    ViewFacts& view = facts_.views[pointer];
    view.shape = read_indices("shape");
    view.strides = read_indices("strides");
    const std::size_t rank = view.shape.size();
    if (view.strides.size() != rank) fail("as many strides as extents expected");
    expect_all({"{", "layout", "="});
    const std::string layout = next();
    if (!layout.starts_with("#pto.layout<")) return fail("layout " + layout);
    view.layout = inside(layout);
    expect_all({"}", ":"});
    const std::string type = next();
    const Names shape = split_shape(inside(type));
    if (shape.size() != rank + 1) fail(type + " has another rank");
    view.dtype = shape.back();
    use_as(pointer, "!pto.ptr<" + shape.back() + ">");
    pointers_[name] = pointer;
    define(name, {type, ""});
  }

  void read_partition(const std::string& name) {
    const std::string source = next();
    const Names offsets = read_indices("offsets");
    const Names sizes = read_indices("sizes");
    expect(":");
    use_as(source, next());
    expect("->");
    const std::string type = next();
    const Names shape = split_shape(inside(type));
    if (sizes.size() + 1 != shape.size() || offsets.size() != sizes.size())
      return fail(type + " has another rank");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (shape[i] != "?" && shape[i] != values_[sizes[i]].number)
        fail(type + " is not of size " + sizes[i]);
    }
    facts_.views[pointers_[source]].sizes = sizes;
    extents_[name] = sizes;
    define(name, {type, ""});
  }

  void read_tile(const std::string& name) {
    Names given = {"", ""};
    for (std::size_t i = 0; i < 2; ++i) {
      if (!accept(i == 0 ? "valid_row" : "valid_col")) continue;
      expect("=");
      given[i] = next();
      use_as(given[i], "index");
    }
    expect(":");
    const std::string type = next();
    const Names valid = tile_words(type).valid;
    for (std::size_t i = 0; i < 2; ++i) {
      if ((valid[i] == "?") == given[i].empty()) fail("valid extents of " + type);
      if (given[i].empty()) given[i] = "%c" + valid[i];
    }
    facts_.tiles.push_back(type);
    extents_[name] = given;
    define(name, {type, ""});
  }

  // "%a, %b : A, B" up to the closing parenthesis, which is read.
  Names read_operands() {
    Names names;
    do names.push_back(next());
    while (accept(",") && peek() != "{");
    if (accept("{")) {
      expect_all({"maskPattern", "="});
      facts_.policies["maskPattern"] = next();
      expect("}");
    }
    expect(":");
    read_types(names);
    if (accept(",")) facts_.policies["axis"] = next();
    expect(")");
    return names;
  }

  void read_types(const Names& names) {
    for (std::size_t i = 0; i < names.size() && is_fine(); ++i) {
      if (i > 0) expect(",");
      use_as(names[i], next());
    }
  }

  void read_policies() {
    if (!accept("{")) return;
    do {
      const std::string name = next();
      expect("=");
      facts_.policies[name] = next();
      if (accept(":")) facts_.policies[name] += " : " + next();
    } while (accept(","));
    expect("}");
  }

  void read_operation(const std::string& op) {
    if (op == "scf.if") return read_branch();
    facts_.steps.push_back({.name = op});
    if (op == "pto.comm.tscatter") return read_group();
    if (op == "pto.set_validshape") return read_reshape();
    if (op == "pto.cmo.cacheinvalid") return expect_all({"all", "#pto.address_space<gm>"});
    if (op == "pto.fence.barrier_all") return expect("#pto.fence_scope<gm>");
    expect_all({"ins", "("});
    const Names ins = read_operands();
    expect_all({"outs", "("});
    const Names outs = read_operands();
    if (!is_fine()) return;
    StepFacts& step = facts_.steps.back();
    for (const std::string& name : ins) step.ins.push_back(values_[name].type);
    for (const std::string& name : outs) step.outs.push_back(values_[name].type);
    step.valid = extents_[outs[0]];
    if (op == "pto.tload") return check_transfer(ins[0], outs[0]);
    if (op == "pto.tstore") return check_transfer(outs[0], ins[0]);
    read_policies();
  }

  void read_reshape() {
    const std::string tile = next();
    for (const std::size_t dim : {0U, 1U}) {
      expect(",");
      const std::string extent = next();
      use_as(extent, "index");
      if (is_fine()) extents_[tile].at(dim) = extent;
    }
    expect(":");
    const std::string type = next();
    use_as(tile, type);
    if (is_fine() && tile_words(type).valid != Names{"?", "?"})
      fail("both valid extents of " + type + " must be open to be set");
  }

  // What is moved is exactly what is valid of the tile.
  void check_transfer(const std::string& part, const std::string& tile) {
    const std::string element = split_shape(inside(values_[part].type)).back();
    const bool is_same = element == tile_words(values_[tile].type).dtype;
    if (!is_same || extents_[part] != extents_[tile]) fail(part + " does not fit " + tile);
  }

  void read_list(std::string_view keyword, Names& names) {
    expect_all({keyword, "("});
    do names.push_back(next());
    while (accept(","));
    expect(")");
  }

  void read_group() {
    expect("(");
    Names names = {next()};
    expect(",");
    read_list("recv", names);
    expect(",");
    read_list("group", names);
    expect(":");
    read_types(names);
    expect(")");
    for (const std::string& name : names) facts_.steps.back().ins.push_back(values_[name].type);
    read_policies();
  }

  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  std::map<std::string, Value> values_;
  std::map<std::string, std::string> pointers_;  // of views
  std::map<std::string, Names> extents_;         // of partitions, and valid ones of tiles
  ModuleFacts facts_;
};

}  // namespace

ModuleFacts read_module(std::string_view text) { return Reader(text).run(); }

}  // namespace pto::jit::tests
