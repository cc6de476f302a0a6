// Postfix programs, for gradient formulas and for sizes and options that a backward receives.
//
// A program is a sequence of words. A number, `True`, `False`, `None`, a dtype (`f32`), a 'string'
// or an operand is pushed on the stack. Any other word is an operator, which replaces its arguments
// on the stack by one value. Values are tensors, numbers (possibly symbolic), strings and lists of
// sizes. An absent tensor is None, and operators return None for it. So `b if present(b) else c`
// may name an absent tensor.
//
// Tensors are computed with at:: functions, so a program can be differentiated as often as
// PyTorch's own operators. A number never changes the dtype of a tensor.
#pragma once

#include <ATen/ScalarOps.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/floor_divide.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/le.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sgn.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <c10/util/generic_math.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opgen {

using at::IValue;
using at::Tensor;
using c10::SymFloat;
using c10::SymInt;
using torch::jit::Stack;

inline IValue pop(Stack& stack) {
  IValue value = std::move(stack.back());
  stack.pop_back();
  return value;
}

inline int64_t pop_int(Stack& stack) { return pop(stack).toInt(); }

inline bool is_whole(const IValue& v) { return v.isInt() || v.isSymInt() || v.isBool(); }

inline SymInt to_whole(const IValue& v) { return v.isBool() ? SymInt(v.toBool()) : v.toSymInt(); }

// The result is a symbol if `n` is one. To read its value would specialise a compiled program.
inline SymFloat to_real(const SymInt& n) { return n; }
inline SymFloat to_real(const SymFloat& x) { return x; }
inline SymFloat to_real(const IValue& v) {
  if (is_whole(v)) return to_real(to_whole(v));
  return v.isSymFloat() ? v.toSymFloat() : SymFloat(v.toDouble());
}

inline double value_of(const SymFloat& x) { return x.guard_float(__FILE__, __LINE__); }

inline bool is_true(const IValue& v) { return is_whole(v) ? to_whole(v) != 0 : v.toDouble() != 0; }

// Returns a number as a tensor that does not change the dtype of other tensors.
inline Tensor as_tensor(const at::Scalar& number) {
  return at::native::wrapped_scalar_tensor(number);
}

inline SymFloat floor_divide(const SymFloat& a, const SymFloat& b) {
  return c10::div_floor_floating(value_of(a), value_of(b));
}
inline SymInt floor_divide(const SymInt& a, const SymInt& b) {
  if (a.is_symbolic() || b.is_symbolic()) return a / b;  // a SymNode rounds down
  const int64_t x = a.expect_int(), y = b.expect_int();
  TORCH_CHECK(y != 0, "division by zero");
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

inline SymFloat remainder(const SymFloat& a, const SymFloat& b) {
  return c10::div_mod(value_of(a), value_of(b));
}
inline SymInt remainder(const SymInt& a, const SymInt& b) { return a - floor_divide(a, b) * b; }

inline SymFloat power(const SymFloat& a, const SymFloat& b) {
  if (!a.is_symbolic() && !b.is_symbolic()) return std::pow(value_of(a), value_of(b));
  const c10::SymNode symbol = (a.is_symbolic() ? a : b).toSymNodeImpl();
  return SymFloat(a.wrap_node(symbol)->float_pow(b.wrap_node(symbol)));
}
inline SymInt power(const SymInt& a, const SymInt& b) {
  return std::llround(std::pow(value_of(to_real(a)), value_of(to_real(b))));
}

inline SymFloat smaller(const SymFloat& a, const SymFloat& b) { return a.min(b); }
inline SymInt smaller(const SymInt& a, const SymInt& b) { return a.min(b); }
inline Tensor smaller(const Tensor& a, const Tensor& b) { return at::minimum(a, b); }
inline Tensor smaller(const Tensor& a, const at::Scalar& b) { return at::clamp_max(a, b); }
inline SymFloat larger(const SymFloat& a, const SymFloat& b) { return a.max(b); }
inline SymInt larger(const SymInt& a, const SymInt& b) { return a.max(b); }
inline Tensor larger(const Tensor& a, const Tensor& b) { return at::maximum(a, b); }
inline Tensor larger(const Tensor& a, const at::Scalar& b) { return at::clamp_min(a, b); }

// `f` takes a tensor, and a tensor or number. `swapped` takes the same arguments in the other
// order. `numbers` takes two numbers of the same kind.
template <auto f, auto swapped, auto numbers>
void binary(Stack& stack) {
  const IValue b = pop(stack), a = pop(stack);
  if (a.isNone() || b.isNone()) {
    stack.emplace_back();
  } else if (a.isTensor() && b.isTensor()) {
    stack.emplace_back(f(a.toTensor(), b.toTensor()));
  } else if (a.isTensor()) {
    stack.emplace_back(f(a.toTensor(), b.toScalar()));
  } else if (b.isTensor()) {
    stack.emplace_back(swapped(b.toTensor(), a.toScalar()));
  } else if (is_whole(a) && is_whole(b)) {
    stack.emplace_back(numbers(to_whole(a), to_whole(b)));
  } else {
    stack.emplace_back(numbers(to_real(a), to_real(b)));
  }
}

template <auto f, auto swapped, auto numbers, bool negated>
void equality(Stack& stack) {
  const IValue &b = stack.back(), &a = stack[stack.size() - 2];
  if (!a.isString() && !b.isString()) return binary<f, swapped, numbers>(stack);
  const bool equal = a.isString() && b.isString() && a.toStringRef() == b.toStringRef();
  stack.resize(stack.size() - 2);
  stack.emplace_back(equal != negated);
}

// `and` (`neutral` is true) and `or` (false).
template <auto f, bool neutral>
void logical(Stack& stack) {
  const IValue b = pop(stack), a = pop(stack);
  if (a.isTensor() && b.isTensor()) {
    stack.emplace_back(f(a.toTensor(), b.toTensor()));
  } else if (a.isTensor()) {
    stack.push_back(is_true(b) == neutral ? a : b);
  } else {
    stack.push_back(is_true(a) == neutral ? b : a);
  }
}

template <auto f, auto numbers>
void unary(Stack& stack) {
  const IValue a = pop(stack);
  if (a.isTensor()) {
    stack.emplace_back(f(a.toTensor()));
  } else if (a.isNone()) {
    stack.emplace_back();
  } else {
    stack.emplace_back(numbers(value_of(to_real(a))));
  }
}

inline void negate(Stack& stack) {
  const IValue a = pop(stack);
  if (a.isTensor()) {
    stack.emplace_back(at::neg(a.toTensor()));
  } else if (is_whole(a)) {
    stack.emplace_back(-to_whole(a));
  } else if (a.isNone()) {
    stack.emplace_back();
  } else {
    stack.emplace_back(to_real(a) * -1.0);
  }
}

inline void logical_not(Stack& stack) {
  const IValue a = pop(stack);
  stack.push_back(a.isTensor() ? IValue(at::logical_not(a.toTensor())) : IValue(!is_true(a)));
}

// condition, then, else -> `then` or `else`, elementwise if the condition is a tensor.
inline void where(Stack& stack) {
  const IValue no = pop(stack), yes = pop(stack), condition = pop(stack);
  if (!condition.isTensor()) {
    stack.push_back(condition.isNone() ? IValue() : is_true(condition) ? yes : no);
  } else if (yes.isTensor() && no.isTensor()) {
    stack.emplace_back(at::where(condition.toTensor(), yes.toTensor(), no.toTensor()));
  } else if (yes.isTensor()) {
    stack.emplace_back(at::where(condition.toTensor(), yes.toTensor(), no.toScalar()));
  } else if (no.isTensor()) {
    stack.emplace_back(at::where(condition.toTensor(), yes.toScalar(), no.toTensor()));
  } else {
    stack.emplace_back(at::where(condition.toTensor(), yes.toScalar(), no.toScalar()));
  }
}

inline void present(Stack& stack) {
  const IValue a = pop(stack);
  const bool undefined = a.isTensor() && !a.toTensor().defined();
  const bool empty = a.isTensorList() && a.toListRef().empty();  // an absent list
  stack.emplace_back(!a.isNone() && !undefined && !empty);
}

// The following operators take tensors and lists. If one is absent, the result is None.
template <auto f>
void of(Stack& stack) {
  const IValue a = pop(stack);
  stack.push_back(a.isNone() ? IValue() : f(a));
}

inline IValue rank(const IValue& tensor) { return tensor.toTensor().dim(); }

inline IValue dtype(const IValue& tensor) { return tensor.toTensor().scalar_type(); }

inline IValue sizes(const IValue& tensor) { return tensor.toTensor().sym_sizes(); }

inline IValue strides(const IValue& tensor) { return tensor.toTensor().sym_strides(); }

inline IValue length(const IValue& list) { return static_cast<int64_t>(list.toListRef().size()); }

inline IValue prod(const IValue& list) {
  SymInt product = 1;
  for (const SymInt& size : list.toSymIntVector()) product *= size;
  return product;
}

inline IValue sum(const IValue& list) {
  SymInt total = 0;
  for (const SymInt& size : list.toSymIntVector()) total += size;
  return total;
}

// list, index -> the value at the index. A negative index counts from the end. Both branches of an
// `if` are computed. In a branch that is not taken, the index may be out of range, which gives
// None.
inline void item(Stack& stack) {
  const IValue index = pop(stack), list = pop(stack);
  if (list.isNone() || index.isNone()) return void(stack.emplace_back());
  const auto value_of = [&](const auto& values) {
    const int64_t size = values.size(), at = index.toInt();
    const int64_t place = at < 0 ? at + size : at;
    return 0 <= place && place < size ? IValue(values[place]) : IValue();
  };
  stack.push_back(list.isDoubleList() ? value_of(list.toDoubleVector())
                                      : value_of(list.toSymIntVector()));
}

// list, first, last -> list[first:last].
inline void slice(Stack& stack) {
  const IValue last = pop(stack), first = pop(stack), list = pop(stack);
  if (list.isNone() || first.isNone() || last.isNone()) return void(stack.emplace_back());
  const std::vector<SymInt> all = list.toSymIntVector();
  const int64_t begin = first.toInt(), end = last.toInt();
  if (begin < 0 || begin > end || end > static_cast<int64_t>(all.size())) {
    return void(stack.emplace_back());
  }
  stack.emplace_back(std::vector<SymInt>(all.begin() + begin, all.begin() + end));
}

// The following operators align operands by the names of their dims. Each takes a tensor, the
// position of a name's first dim, and the number of dims of this name.

// Like all operators, they return None for an absent tensor.

// Inserts `count` dims of size 1 at `position`.
inline void insert(Stack& stack) {
  const int64_t count = pop_int(stack), position = pop_int(stack);
  const IValue given = pop(stack);
  if (given.isNone()) return void(stack.emplace_back());
  Tensor tensor = given.toTensor();
  for (int64_t i = 0; i < count; ++i) tensor = tensor.unsqueeze(position);
  stack.emplace_back(std::move(tensor));
}

// Sums over `count` dims at `position`.
inline void reduce(Stack& stack) {
  const int64_t count = pop_int(stack), position = pop_int(stack);
  const IValue given = pop(stack);
  if (given.isNone()) return void(stack.emplace_back());
  Tensor tensor = given.toTensor();
  if (count > 0) {
    std::vector<int64_t> dims(count);
    for (int64_t i = 0; i < count; ++i) dims[i] = position + i;
    tensor = tensor.sum(dims);
  }
  stack.emplace_back(std::move(tensor));
}

// Moves `count` dims from `position` to `destination`, the new position of the first of them.
inline void move(Stack& stack) {
  const int64_t count = pop_int(stack), destination = pop_int(stack), position = pop_int(stack);
  const IValue given = pop(stack);
  if (given.isNone()) return void(stack.emplace_back());
  std::vector<int64_t> from(count), to(count);
  for (int64_t i = 0; i < count; ++i) from[i] = position + i, to[i] = destination + i;
  stack.emplace_back(at::movedim(given.toTensor(), from, to));
}

#define OPGEN_F1(expression) [](const auto& a) { return (expression); }
#define OPGEN_F2(expression) [](const auto& a, const auto& b) { return (expression); }
#define OPGEN_SYMMETRIC(f, numbers) binary<OPGEN_F2(f), OPGEN_F2(f), OPGEN_F2(numbers)>
#define OPGEN_COMPARISON(f, swapped, operator_) \
  binary<OPGEN_F2(at::f(a, b)), OPGEN_F2(at::swapped(a, b)), OPGEN_F2(a operator_ b)>
#define OPGEN_EQUALITY(f, operator_, negated) \
  equality<OPGEN_F2(at::f(a, b)), OPGEN_F2(at::f(a, b)), OPGEN_F2(a operator_ b), negated>
#define OPGEN_UNARY(f, number) unary<OPGEN_F1(at::f(a)), OPGEN_F1(number)>

using Operator = void (*)(Stack&);

inline const std::unordered_map<std::string_view, Operator>& operators() {
  static const std::unordered_map<std::string_view, Operator> table = {
      {"+", OPGEN_SYMMETRIC(at::add(a, b), a + b)},
      {"*", OPGEN_SYMMETRIC(at::mul(a, b), a * b)},
      {"-", binary<OPGEN_F2(at::sub(a, b)), OPGEN_F2(at::rsub(a, b)), OPGEN_F2(a - b)>},
      {"/", binary<OPGEN_F2(at::div(a, b)), OPGEN_F2(at::div(as_tensor(b), a)),
                   OPGEN_F2(to_real(a) / to_real(b))>},
      {"//", binary<OPGEN_F2(at::floor_divide(a, b)), OPGEN_F2(at::floor_divide(as_tensor(b), a)),
                    OPGEN_F2(floor_divide(a, b))>},
      {"%", binary<OPGEN_F2(at::remainder(a, b)), OPGEN_F2(at::remainder(b, a)),
                   OPGEN_F2(remainder(a, b))>},
      {"**", binary<OPGEN_F2(at::pow(a, b)), OPGEN_F2(at::pow(b, a)), OPGEN_F2(power(a, b))>},
      {"min", OPGEN_SYMMETRIC(smaller(a, b), smaller(a, b))},
      {"max", OPGEN_SYMMETRIC(larger(a, b), larger(a, b))},
      {"<", OPGEN_COMPARISON(lt, gt, <)},
      {"<=", OPGEN_COMPARISON(le, ge, <=)},
      {">", OPGEN_COMPARISON(gt, lt, >)},
      {">=", OPGEN_COMPARISON(ge, le, >=)},
      {"==", OPGEN_EQUALITY(eq, ==, false)},
      {"!=", OPGEN_EQUALITY(ne, !=, true)},
      {"and", logical<OPGEN_F2(at::logical_and(a, b)), true>},
      {"or", logical<OPGEN_F2(at::logical_or(a, b)), false>},
      {"not", logical_not},
      {"neg", negate},
      {"exp", OPGEN_UNARY(exp, std::exp(a))},
      {"log", OPGEN_UNARY(log, std::log(a))},
      {"sqrt", OPGEN_UNARY(sqrt, std::sqrt(a))},
      {"rsqrt", OPGEN_UNARY(rsqrt, 1 / std::sqrt(a))},
      {"tanh", OPGEN_UNARY(tanh, std::tanh(a))},
      {"erf", OPGEN_UNARY(erf, std::erf(a))},
      {"abs", OPGEN_UNARY(abs, std::abs(a))},
      {"sign", OPGEN_UNARY(sgn, (a > 0) - (a < 0))},
      {"sin", OPGEN_UNARY(sin, std::sin(a))},
      {"cos", OPGEN_UNARY(cos, std::cos(a))},
      {"where", where},
      {"present", present},
      {"rank", of<rank>},
      {"sizes", of<sizes>},
      {"strides", of<strides>},
      {"item", item},
      {"slice", slice},
      {"len", of<length>},
      {"dtype", of<dtype>},
      {"prod", of<prod>},
      {"sum", of<sum>},
      {"insert", insert},
      {"reduce", reduce},
      {"move", move},
  };
  return table;
}

#undef OPGEN_F1
#undef OPGEN_F2
#undef OPGEN_SYMMETRIC
#undef OPGEN_COMPARISON
#undef OPGEN_EQUALITY
#undef OPGEN_UNARY

// One word of a program: an operator, an operand by its index, or a constant.
struct Step {
  Operator apply = nullptr;
  int operand = -1;
  IValue constant = {};
};

using Program = std::vector<Step>;

// "[1,2]" or "[0.5,1.0]"
inline IValue parse_list(const std::string& word) {
  std::vector<int64_t> whole;
  std::vector<double> real;
  for (size_t at = 1; at < word.size(); at = word.find_first_of(",]", at) + 1) {
    if (word[at] == ']') break;
    real.push_back(std::stod(word.substr(at)));
    whole.push_back(std::llround(real.back()));
  }
  return word.find_first_of(".einf") == std::string::npos ? IValue(whole) : IValue(real);
}

// The dtypes by their names in specs. Only dtypes that the oldest supported torch has are included.
inline const std::unordered_map<std::string_view, at::ScalarType>& dtypes() {
  static const std::unordered_map<std::string_view, at::ScalarType> table = {
      {"f64", at::kDouble},
      {"f32", at::kFloat},
      {"f16", at::kHalf},
      {"bf16", at::kBFloat16},
      {"f8e4m3", at::kFloat8_e4m3fn},
      {"f8e5m2", at::kFloat8_e5m2},
      {"f8e4m3fnuz", at::kFloat8_e4m3fnuz},
      {"f8e5m2fnuz", at::kFloat8_e5m2fnuz},
      {"i64", at::kLong},
      {"i32", at::kInt},
      {"i16", at::kShort},
      {"i8", at::kChar},
      {"u64", at::kUInt64},
      {"u32", at::kUInt32},
      {"u16", at::kUInt16},
      {"u8", at::kByte},
      {"bool", at::kBool},
      {"c64", at::kComplexFloat},
      {"c128", at::kComplexDouble},
  };
  return table;
}

// Returns the constant that `word` denotes, or nothing.
inline std::optional<IValue> parse_constant(const std::string& word) {
  if (const auto dtype = dtypes().find(word); dtype != dtypes().end()) return IValue(dtype->second);
  if (word == "True" || word == "False") return IValue(word == "True");
  if (word == "None") return IValue();
  if (word.front() == '\'') return IValue(word.substr(1, word.size() - 2));
  if (word.front() == '[') return parse_list(word);
  const char* end = word.data() + word.size();
  int64_t whole = 0;
  if (std::from_chars(word.data(), end, whole).ptr == end) return IValue(whole);
  double real = 0;
  if (std::from_chars(word.data(), end, real).ptr == end) return IValue(real);
  return std::nullopt;
}

// Runs a program and returns the value that is left on the stack. `load(i)` returns operand i.
template <class Load>
IValue evaluate(const Program& program, const Load& load) {
  if (program.size() == 1 && program[0].operand >= 0) return load(program[0].operand);
  Stack stack;
  for (const Step& step : program) {
    if (step.apply) {
      step.apply(stack);
    } else {
      stack.push_back(step.operand >= 0 ? load(step.operand) : step.constant);
    }
  }
  TORCH_INTERNAL_ASSERT(stack.size() == 1);
  return pop(stack);
}

}  // namespace opgen
