// The rule that describes how one op is differentiated, read from a rendered table of lines.
//
//   op rms_norm -> y invvar                the op and its results
//   residual invvar                        results that only the backward reads
//   constant RESULT...                     results without gradient, besides all of integer dtype
//   call rms_norm_bwd cotangent:y result:invvar input:x input:weight input:eps -> x weight
//
// If the gradient has cases, the lines after `case PROGRAM` (over `input:` operands) apply if the
// program is true, and the lines after `else` otherwise. Each case is a separate rule, which also
// has the lines before the first case.
//
// Other lines are:
//
//   let NAME PROGRAM                       a size or option of the call, from `input:` operands
//   require PROGRAM : MESSAGE              must be true if a gradient will be computed
//   call OP OPERAND... -> INPUT...         an op whose results are the gradients of these inputs,
//                                          `_` for a result that is not a gradient
//   formula INPUT PROGRAM                  the gradient of one input, in postfix (program.h)
//   zero INPUT...                          its gradient is zero
//   refuse INPUT... [: REASON]             an error if its gradient is requested
//   autocast lower | f32                   the dtype to which autocast casts floating inputs
//
// An operand is `input:NAME` (any argument or attr), `result:NAME`, `let:NAME`, `cotangent:RESULT`
// (zeros if absent), `cotangent?:RESULT` (None if absent), `needed`, `wanted` or a constant.
// `needed` has the requested results of the call as bool[], and `wanted` as the bits of a number.
// `OPERAND@R,S` is None if neither R nor S of the call's results is requested. Only values that
// operands name are saved for the backward.
//
// An op with results on request has an argument `wanted` with the requested results. A call that
// may be differentiated also requests the results that its gradient reads.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <cctype>
#include <string>
#include <vector>

#include "program.h"

namespace opgen {

struct Operand {
  enum class Kind { cotangent, argument, result, scalar, needed, wanted, constant };
  Kind kind;
  int index = -1;         // of a result (cotangent), in saved_arguments, saved_results or scalars
  bool optional = false;  // a missing cotangent stays missing
  IValue constant = {};
  int64_t only_for = -1;  // the results of the call for which it is given, as bits
};

struct Argument {
  enum class Gradient { none, zero, refused, call, formula };
  std::string name;
  bool tensor, list, written;
  Gradient gradient = Gradient::none;
  int index = -1;  // of its call or formula

  bool has_edge() const { return gradient != Gradient::none; }
};

struct Result {
  std::string name;
  bool list;
  bool constant = false;  // also for residuals, which must not be differentiated
  bool residual = false;
};

struct Call {
  c10::OperatorHandle op;
  std::vector<Operand> operands = {};
  std::vector<int> gradients = {};  // for each result the argument whose gradient it is, or -1
};

struct Formula {
  Program program;  // over `operands`
  std::vector<Operand> operands;
};

struct Condition {
  Program program;  // over the op's arguments
  std::string message;
};

struct Rule {
  std::string name;   // "<namespace>.<op>"
  std::string node;   // the name of its Node in a graph
  size_t number = 0;  // among the cases of the op
  Program holds;      // over the op's arguments; empty: always
  std::string autocast;
  std::string refusal = "its spec says grad = \"none\"";  // of an op without any gradient
  std::vector<Argument> arguments;
  std::vector<Result> results;
  std::vector<Condition> conditions;
  std::vector<int> saved_arguments, saved_results;
  int wanted = -1;               // the argument that says which results are computed
  int64_t read_results = 0;      // what the gradient reads of them, as bits
  std::vector<Program> scalars;  // over the op's arguments
  std::vector<Call> calls;
  std::vector<Formula> formulas;
  bool differentiable = false;  // at least one gradient is not refused
  bool writes = false;          // at least one argument is updated in place
};

// "rms_norm" -> "RmsNormBackward"
inline std::string node_name(const std::string& op) {
  std::string name;
  bool upper = true;
  for (const char c : op) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return name + "Backward";
}

}  // namespace opgen
