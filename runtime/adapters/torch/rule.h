// What a rendered table says about one op: how it is differentiated.
//
//   op rms_norm -> y invvar                the op and its results
//   residual invvar                        results for the backward alone: they follow from the
//   inputs constant RESULT...                     results without gradient; so are all of integer
//   dtype call rms_norm_bwd cotangent:y result:invvar input:x input:weight input:eps -> x weight
//
// A gradient by cases has a part for each: the lines after `case PROGRAM` (over `input:` operands)
// hold where the program does, those after `else` elsewhere. Each part is a rule of its own, with
// what stands before the first.
//
// A line is one of
//
//   let NAME PROGRAM                       a size or option of the call, from `input:` operands
//   require PROGRAM : MESSAGE              must hold when a gradient will be taken
//   call OP OPERAND... -> INPUT...         an op whose results are the gradients of these inputs,
//                                          `_` for a result that is none
//   formula INPUT PROGRAM                  the gradient of one input, in postfix (program.h)
//   zero INPUT...                          its gradient is zero
//   refuse INPUT... [: REASON]             asking for its gradient is an error
//   autocast lower | f32                   what floating inputs are cast to under autocast
//
// An operand is `input:NAME` (any argument, attrs too), `result:NAME`, `let:NAME`,
// `cotangent:RESULT` (zeros where there is none), `cotangent?:RESULT` (then None), `needed` (which
// of the call's results are asked for, as bool[]), `wanted` (the same as the bits of a number) or a
// constant. `OPERAND@R,S` is None where neither R nor S of the call's results is asked for. What
// operands name is saved for the backward; nothing else is.
//
// An op whose results are computed on request has an argument `wanted` that says which. A call that
// may be differentiated asks for those that its gradient reads, too.
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
  bool constant = false;  // residuals too: nobody is to differentiate them
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
  std::string node;   // what its Node is called in a graph
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
