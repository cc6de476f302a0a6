// Reads the text of a rule (rule.h says what it holds) and resolves its names in the op's schema.
#pragma once

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rule.h"

namespace opgen {

class RuleParser {
 public:
  // Throws std::runtime_error for a table that does not fit the registered schemas.
  static std::vector<Rule> parse(const std::string& ns, const std::string& table) {
    RuleParser parser(ns);
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) parser.read(line);
    parser.finish();
    return std::move(parser.rules_);
  }

 private:
  using Words = std::vector<std::string>;

  explicit RuleParser(const std::string& ns) : ns_(ns) {}

  void read(const std::string& line) {
    line_ = line;
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;) words.push_back(std::move(word));
    if (words.empty()) return;
    const std::string key = words.front();
    words.erase(words.begin());
    if (key == "op") return op(words);
    if (key == "constant") return constant(words);
    if (key == "residual") return residual(words);
    if (key == "case" || key == "else") return begin_case(words);
    if (key == "autocast") return void(rule_.autocast = words.at(0));
    if (key == "let") return let(words);
    if (key == "require") return require(words);
    if (key == "call") return call(words);
    if (key == "formula") return formula(words);
    if (key == "zero") return mark(words, Argument::Gradient::zero);
    if (key == "refuse") return refuse(words);
    fail("unknown line");
  }

  void begin_case(const Words& condition) {
    if (shared_) {
      finish();
      rule_ = *shared_;
    } else {
      shared_ = rule_;
    }
    lets_.clear();
    rule_.number = rules_.size();
    rule_.holds = program_of_arguments(condition.begin(), condition.end());
  }

  void finish() {
    note_results();
    rules_.push_back(std::move(rule_));
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw std::runtime_error(rule_.name + ": " + message + " in `" + line_ + "`");
  }

  // `op` is a name, or a name and an overload: "relu.out".
  static c10::OperatorHandle find(const std::string& ns, const std::string& op) {
    const size_t dot = op.find('.');
    const std::string overload = dot == std::string::npos ? "" : op.substr(dot + 1);
    const std::string name = ns + "::" + op.substr(0, dot);
    return c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), overload.c_str());
  }

  static c10::TypePtr without_optional(const c10::TypePtr& type) {
    if (type->kind() != c10::TypeKind::OptionalType) return type;
    return type->castRaw<c10::OptionalType>()->getElementType();
  }

  static bool is_list(const c10::TypePtr& type) { return type->kind() == c10::TypeKind::ListType; }

  static bool is_tensor(const c10::TypePtr& type) {
    if (is_list(type)) return is_tensor(type->castRaw<c10::ListType>()->getElementType());
    return type->kind() == c10::TypeKind::TensorType;
  }

  void op(const Words& words) {
    rule_.name = ns_ + "." + words.at(0);
    rule_.node = node_name(words[0]);
    const auto& schema = find(ns_, words[0]).schema();
    for (const auto& argument : schema.arguments()) {
      const auto type = without_optional(argument.type());
      const bool written = argument.alias_info() && argument.alias_info()->isWrite();
      rule_.writes |= written;
      if (argument.name() == "wanted") rule_.wanted = static_cast<int>(rule_.arguments.size());
      rule_.arguments.push_back({argument.name(), is_tensor(type), is_list(type), written});
    }
    if (words.size() > 1 && words[1] != "->") fail("`->` expected");
    for (size_t i = 2; i < words.size(); ++i) rule_.results.push_back({words[i], false});
    if (rule_.results.size() != schema.returns().size()) fail("the schema has other results");
    for (size_t i = 0; i < rule_.results.size(); ++i) {
      rule_.results[i].list = is_list(schema.returns()[i].type());
    }
  }

  template <class Named>
  int index(const std::vector<Named>& all, const std::string& name) const {
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name) return static_cast<int>(i);
    }
    fail("unknown name `" + name + "`");
  }

  // Position of `value` in `all`; appends a new one.
  static int place(std::vector<int>& all, int value) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] == value) return static_cast<int>(i);
    }
    all.push_back(value);
    return static_cast<int>(all.size()) - 1;
  }

  // Results that the gradient reads: saved ones, and those whose cotangent it must have.
  void note_results() {
    const auto read = [&](const Operand& operand) {
      if (operand.kind != Operand::Kind::cotangent || operand.optional) return;
      rule_.read_results |= int64_t{1} << operand.index;
    };
    for (const int result : rule_.saved_results) rule_.read_results |= int64_t{1} << result;
    for (const Call& call : rule_.calls) {
      for (const Operand& operand : call.operands) read(operand);
    }
    for (const Formula& formula : rule_.formulas) {
      for (const Operand& operand : formula.operands) read(operand);
    }
  }

  std::string after_colon() const { return line_.substr(line_.find(" : ") + 3); }

  void constant(const Words& names) {
    for (const auto& name : names) rule_.results[index(rule_.results, name)].constant = true;
  }

  void residual(const Words& names) {
    constant(names);
    for (const auto& name : names) rule_.results[index(rule_.results, name)].residual = true;
  }

  void gradient(const std::string& name, Argument::Gradient gradient, int position) {
    Argument& argument = rule_.arguments[index(rule_.arguments, name)];
    if (!argument.tensor || argument.has_edge()) fail("`" + name + "` cannot have this gradient");
    argument.gradient = gradient;
    argument.index = position;
    rule_.differentiable |= gradient != Argument::Gradient::refused;
  }

  void mark(const Words& names, Argument::Gradient kind) {
    for (const auto& name : names) gradient(name, kind, -1);
  }

  void refuse(const Words& words) {
    const auto colon = std::find(words.begin(), words.end(), ":");
    mark({words.begin(), colon}, Argument::Gradient::refused);
    if (colon != words.end()) rule_.refusal = after_colon();
  }

  // A program; `operand` gives the place of a word that names one.
  template <class Place>
  Program program(Words::const_iterator word, Words::const_iterator end, const Place& operand) {
    Program steps;
    for (; word != end; ++word) {
      if (const auto found = operators().find(*word); found != operators().end()) {
        steps.push_back({found->second});
      } else if (auto constant = parse_constant(*word)) {
        steps.push_back({nullptr, -1, std::move(*constant)});
      } else {
        steps.push_back({nullptr, operand(*word)});
      }
    }
    return steps;
  }

  Program program_of_arguments(Words::const_iterator word, Words::const_iterator end) {
    return program(word, end, [&](const std::string& text) {
      if (text.rfind("input:", 0) != 0) fail("unknown word `" + text + "`");
      return index(rule_.arguments, text.substr(6));
    });
  }

  void let(const Words& words) {
    lets_.push_back({words.at(0), static_cast<int>(rule_.scalars.size())});
    rule_.scalars.push_back(program_of_arguments(words.begin() + 1, words.end()));
  }

  void require(const Words& words) {
    const auto colon = std::find(words.begin(), words.end(), ":");
    rule_.conditions.push_back({program_of_arguments(words.begin(), colon), after_colon()});
  }

  Operand operand(const std::string& word) {
    if (word == "needed") return {Operand::Kind::needed};
    if (word == "wanted") return {Operand::Kind::wanted};
    if (auto constant = parse_constant(word)) {
      return {Operand::Kind::constant, -1, false, std::move(*constant)};
    }
    const size_t colon = word.find(':');
    if (colon == std::string::npos) fail("unknown word `" + word + "`");
    const std::string kind = word.substr(0, colon), name = word.substr(colon + 1);
    if (kind == "cotangent" || kind == "cotangent?") {
      return {Operand::Kind::cotangent, index(rule_.results, name), kind.back() == '?'};
    }
    if (kind == "result") {
      return {Operand::Kind::result, place(rule_.saved_results, index(rule_.results, name))};
    }
    if (kind == "let") return {Operand::Kind::scalar, lets_[index(lets_, name)].place};
    if (kind != "input") fail("unknown word `" + word + "`");
    const int argument = index(rule_.arguments, name);
    if (rule_.arguments[argument].tensor) {
      return {Operand::Kind::argument, place(rule_.saved_arguments, argument)};
    }
    rule_.scalars.push_back({{nullptr, argument}});
    return {Operand::Kind::scalar, static_cast<int>(rule_.scalars.size()) - 1};
  }

  // The results of `call` that a list of their names holds.
  int64_t bits(const Call& call, const std::string& names) const {
    int64_t found = 0;
    std::istringstream stream(names);
    for (std::string name; std::getline(stream, name, ',');) {
      const auto& results = call.op.schema().returns();
      const auto is_it = [&](const auto& result) { return result.name() == name; };
      const auto at = std::find_if(results.begin(), results.end(), is_it);
      if (at == results.end()) fail("unknown result `" + name + "`");
      found |= int64_t{1} << (at - results.begin());
    }
    return found;
  }

  void call(const Words& words) {
    const auto arrow = std::find(words.begin(), words.end(), "->");
    if (words.empty() || arrow == words.end()) fail("`OP OPERAND... -> INPUT...` expected");
    Call call{find(ns_, words[0])};
    for (auto word = words.begin() + 1; word != arrow; ++word) {
      const size_t at = word->front() == '\'' ? std::string::npos : word->find('@');
      call.operands.push_back(operand(word->substr(0, at)));
      if (at != std::string::npos) call.operands.back().only_for = bits(call, word->substr(at + 1));
    }
    for (auto word = arrow + 1; word != words.end(); ++word) {
      call.gradients.push_back(*word == "_" ? -1 : index(rule_.arguments, *word));
      if (*word == "_") continue;
      gradient(*word, Argument::Gradient::call, static_cast<int>(rule_.calls.size()));
    }
    const auto& schema = call.op.schema();
    if (call.operands.size() != schema.arguments().size()) fail("wrong number of arguments");
    if (call.gradients.size() != schema.returns().size()) fail("wrong number of results");
    rule_.calls.push_back(std::move(call));
  }

  void formula(const Words& words) {
    gradient(words.at(0), Argument::Gradient::formula, static_cast<int>(rule_.formulas.size()));
    Formula formula;
    formula.program = program(words.begin() + 1, words.end(), [&](const std::string& word) {
      formula.operands.push_back(operand(word));
      return static_cast<int>(formula.operands.size()) - 1;
    });
    rule_.formulas.push_back(std::move(formula));
  }

  struct Let {
    std::string name;
    int place;
  };

  const std::string ns_;
  std::string line_;
  std::vector<Let> lets_;
  Rule rule_;
  std::optional<Rule> shared_;  // what stands before the first case
  std::vector<Rule> rules_;
};

}  // namespace opgen
