// PyTorch's autograd layer for the ops of a project, all of them at once.
//
// The library is compiled once per minor version of torch and is the same for all ops. It learns
// their rules through `opgen_register`, which the project's Python calls on import.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/full_like.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/library.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "autocast.h"
#include "forward_mode.h"
#include "gradient_node.h"
#include "mutation.h"
#include "out_of_memory.h"
#include "rule_parser.h"

namespace opgen {
namespace {

using c10::OperatorHandle;

template <class Visit>
void each_tensor(const IValue& value, const Visit& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const IValue& item : value.toListRef()) visit(item.toTensor());
  }
}

// Visits each tensor of a list, or a single tensor, which may be absent.
template <class Visit>
void each_place(const IValue& value, const Visit& visit) {
  if (value.isTensorList()) {
    for (const IValue& item : value.toListRef()) visit(item.toTensor());
  } else {
    visit(value.isTensor() ? value.toTensor() : Tensor());
  }
}

// PyTorch has one level of tangents.
constexpr uint64_t level = 0;

// The op's kernel at the Autograd key.
class Differentiate final : public c10::OperatorKernel {
 public:
  explicit Differentiate(std::vector<Rule> rules) : rules_(std::move(rules)) {}

  void operator()(const OperatorHandle& op, DispatchKeySet keys, Stack* stack) const {
    const size_t base = stack->size() - rules_.front().arguments.size();
    const Rule& rule = choose(*stack, base);
    if (has_tangent(*stack, base, rule.arguments.size()))
      return with_tangents(rule, op, keys, stack);
    if (!takes_gradient(rule, *stack, base)) return redispatch(rule, op, keys, stack);
    differentiate(rule, op, keys, stack, [] {});
  }

 private:
  // Calls the op and records its gradient. Calls `call_back` before results are saved.
  template <class CallBack>
  static void differentiate(const Rule& rule, const OperatorHandle& op, DispatchKeySet keys,
                            Stack* stack, const CallBack& call_back) {
    const size_t base = stack->size() - rule.arguments.size();
    auto node = make_node<GradientNode>(rule);
    check_conditions(rule, *stack, base);
    ask_for_results(rule, *stack, base);
    connect(*node, *stack, base);
    save_arguments(*node, *stack, base);
    redispatch(rule, op, keys, stack);
    set_history(node, *stack, stack->size() - rule.results.size());
    call_back();
    save_results(*node, *stack, stack->size() - rule.results.size());
    // Inside a transform, the gradient reads residuals that are results of the next transform.
    if (c10::impl::tls_is_dispatch_key_included(DispatchKey::FuncTorchDynamicLayerFrontMode))
      connect_residuals(*node, *stack, stack->size() - rule.results.size());
  }

  // Returns the gradient case that applies to this call.
  const Rule& choose(const Stack& stack, size_t base) const {
    for (const Rule& rule : rules_) {
      if (rule.holds.empty()) return rule;
      if (is_true(evaluate(rule.holds, [&](int i) { return stack[base + i]; }))) return rule;
    }
    TORCH_CHECK(false, rules_.front().name, ": no case of its gradient holds");
  }

  static bool has_tangent(const Stack& stack, size_t first, size_t count) {
    bool found = false;
    for (size_t i = first; i < first + count; ++i) {
      each_tensor(stack[i], [&](const Tensor& x) { found |= x._fw_grad(level).defined(); });
    }
    return found;
  }

  // Calls the op and adds tangents to its results.
  static void with_tangents(const Rule& rule, const OperatorHandle& op, DispatchKeySet keys,
                            Stack* stack) {
    TORCH_CHECK_NOT_IMPLEMENTED(rule.differentiable && !rule.writes, rule.name,
                                " has no derivative: ", rule.refusal);
    const auto forward_mode = forward_mode_of(op.operator_name().name, rule.calls.empty());
    TORCH_CHECK_NOT_IMPLEMENTED(forward_mode.has_value(), rule.name,
                                " has no forward-mode derivative: use reverse mode");
    const size_t base = stack->size() - rule.arguments.size();
    for (size_t i = 0; i < rule.arguments.size(); ++i) {
      const Argument& argument = rule.arguments[i];
      TORCH_CHECK_NOT_IMPLEMENTED(
          argument.gradient != Argument::Gradient::refused || !has_tangent(*stack, base + i, 1),
          rule.name, " cannot be differentiated by ", argument.name, ": ", rule.refusal);
    }
    Stack arguments;
    for (size_t i = base; i < stack->size(); ++i) {  // a kernel may take a list's tensors out of it
      const IValue& value = (*stack)[i];
      arguments.push_back(value.isTensorList() ? IValue(value.toTensorList().copy()) : value);
    }
    const auto set_tangents = [&] {
      forward_mode->callBoxed(&arguments);
      const auto tangents = arguments.front().toListRef();
      auto next = tangents.begin();
      const size_t first = stack->size() - rule.results.size();
      for (size_t i = 0; i < rule.results.size(); ++i) {
        const Result& result = rule.results[i];
        if (result.constant && !result.residual) continue;
        each_place((*stack)[first + i], [&](const Tensor& y) {
          const IValue given = result.residual ? IValue() : *next++;
          if (!y.defined() || !isDifferentiableType(y.scalar_type())) return;
          // The tangent of a residual is unknown. The presence of this node makes its readers
          // refuse to be differentiated. If a transform hides the node, the result is NaN, never a
          // wrong number.
          if (result.residual || given.isTensor()) {
            const Tensor tangent =
                result.residual ? at::full_like(y, std::nan("")) : given.toTensor();
            y._set_fw_grad(tangent, level, /*is_inplace_op=*/false);
          }
        });
      }
    };
    if (takes_gradient(rule, *stack, base))
      return differentiate(rule, op, keys, stack, set_tangents);
    check_conditions(rule, *stack, base);
    redispatch(rule, op, keys, stack);
    set_tangents();
  }

  // True if a gradient may be requested. Throws if the op can never be differentiated.
  static bool takes_gradient(const Rule& rule, const Stack& stack, size_t base) {
    const bool recording = at::GradMode::is_enabled();
    bool takes = false;
    for (size_t i = 0; i < rule.arguments.size(); ++i) {
      const Argument& argument = rule.arguments[i];
      if (!argument.tensor) continue;
      each_tensor(stack[base + i], [&](const Tensor& tensor) {
        if (!recording || !tensor.requires_grad()) return;
        TORCH_CHECK(!argument.written && !(rule.writes && !rule.differentiable), rule.name, ": ",
                    argument.name, " requires a gradient, but ",
                    argument.written ? "it is updated in place" : "the op has none");
        takes |= argument.has_edge();
      });
    }
    return takes;
  }

  static void redispatch(const Rule& rule, const OperatorHandle& op, DispatchKeySet keys,
                         Stack* stack) {
    with_own_errors(op, [&] {
      if (rule.writes) {  // ADInplaceOrView comes next: it moves the version counters
        at::AutoDispatchBelowAutograd guard;
        op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
      } else {
        at::AutoDispatchBelowADInplaceOrView guard;
        op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
      }
    });
  }

  // Requests the results that the gradient reads, in addition to those that the caller requests.
  static void ask_for_results(const Rule& rule, Stack& stack, size_t base) {
    if (rule.wanted < 0) return;
    IValue& wanted = stack[base + rule.wanted];
    wanted = wanted.toInt() | rule.read_results;
  }

  static void check_conditions(const Rule& rule, const Stack& stack, size_t base) {
    for (const Condition& condition : rule.conditions) {
      const IValue holds = evaluate(condition.program, [&](int i) { return stack[base + i]; });
      TORCH_CHECK(is_true(holds), rule.name, ": ", condition.message);
    }
  }

  static void connect(GradientNode& node, const Stack& stack, size_t base) {
    const Rule& rule = node.rule;
    torch::autograd::edge_list edges;
    edges.reserve(rule.arguments.size());
    for (size_t i = 0; i < rule.arguments.size(); ++i) {
      const size_t before = edges.size();
      if (rule.arguments[i].has_edge()) {
        const auto add = [&](const Tensor& tensor) {
          edges.push_back(torch::autograd::impl::gradient_edge(tensor));
        };
        each_tensor(stack[base + i], add);
        if (!rule.arguments[i].list && edges.size() == before) edges.emplace_back();
      }
      node.layout.edges.add(edges.size() - before);
    }
    node.set_next_edges(std::move(edges));
  }

  static void save(GradientNode& node, const IValue& value, bool list, bool is_output) {
    const size_t before = node.saved.size();
    if (list) {
      for (const IValue& item : value.toListRef())
        node.saved.emplace_back(item.toTensor(), is_output);
    } else {
      node.saved.emplace_back(value.isTensor() ? value.toTensor() : Tensor(), is_output);
    }
    node.layout.saved.add(node.saved.size() - before);
  }

  static void save_arguments(GradientNode& node, const Stack& stack, size_t base) {
    const Rule& rule = node.rule;
    node.saved.reserve(rule.saved_arguments.size() + rule.saved_results.size());
    for (const int i : rule.saved_arguments) {
      save(node, stack[base + i], rule.arguments[i].list, /*is_output=*/false);
    }
    node.saved_results_begin = node.saved.size();
    node.scalars.reserve(rule.scalars.size());
    for (const Program& scalar : rule.scalars) {
      node.scalars.push_back(evaluate(scalar, [&](int i) { return stack[base + i]; }));
    }
  }

  template <class Pointer>
  static void set_history(const Pointer& node, const Stack& stack, size_t base) {
    const Rule& rule = node->rule;
    Tensors tracked;
    for (size_t i = 0; i < rule.results.size(); ++i) {
      const Result& result = rule.results[i];
      const size_t before = tracked.size();
      if (!result.constant) {
        each_place(stack[base + i], [&](const Tensor& tensor) { tracked.push_back(tensor); });
      }
      node->layout.cotangents.add(tracked.size() - before);
    }
    if (tracked.size() > 1) node->cotangent_infos.reserve(tracked.size());
    for (const Tensor& tensor : tracked) {
      const bool floating =
          tensor.defined() && torch::autograd::isDifferentiableType(tensor.scalar_type());
      torch::autograd::set_history(floating ? tensor : Tensor(), node);
      if (tracked.size() < 2) continue;
      node->cotangent_infos.push_back(tensor.defined() ? VariableInfo(tensor) : VariableInfo());
    }
  }

  static void save_results(GradientNode& node, const Stack& stack, size_t base) {
    const Rule& rule = node.rule;
    for (const int i : rule.saved_results) {
      save(node, stack[base + i], rule.results[i].list, /*is_output=*/true);
    }
  }

  static void connect_residuals(const GradientNode& node, const Stack& stack, size_t base) {
    NodePtr residuals;
    for (size_t i = 0; i < node.rule.results.size(); ++i) {
      if (!node.rule.results[i].residual) continue;
      each_tensor(stack[base + i], [&](const Tensor& x) { node.connect_residual(x, residuals); });
    }
  }

  const std::vector<Rule> rules_;
};

// Kernels live as long as the process, because autograd graphs point to their rules.
torch::Library& library(const std::string& ns, DispatchKey key) {
  using Libraries = std::map<std::pair<std::string, DispatchKey>, torch::Library>;
  // Never destroyed, because PyTorch's dispatcher may be destroyed earlier.
  static auto& libraries = *new Libraries;
  return libraries.try_emplace({ns, key}, torch::Library::IMPL, ns, key, __FILE__, __LINE__)
      .first->second;
}

template <class Kernel, class... Arguments>
void add_kernel(const std::string& ns, const std::string& op, DispatchKey key,
                Arguments&&... arguments) {
  auto kernel = std::make_unique<Kernel>(std::forward<Arguments>(arguments)...);
  library(ns, key).impl(op.c_str(), torch::CppFunction::makeFromBoxedFunctor(std::move(kernel)));
}

void add_op(const std::string& ns, const std::string& table) {
  std::vector<Rule> rules = RuleParser::parse(ns, table);
  const Rule& rule = rules.front();
  const std::string op = rule.name.substr(ns.size() + 1);
  if (rule.writes) add_kernel<BumpVersions>(ns, op, DispatchKey::ADInplaceOrView);
  if (!rule.autocast.empty()) {
    const bool lower = rule.autocast == "lower";
    add_kernel<Autocast>(ns, op, DispatchKey::AutocastCPU, at::kCPU, lower);
    add_kernel<Autocast>(ns, op, DispatchKey::AutocastCUDA, at::kCUDA, lower);
  }
  add_kernel<Differentiate>(ns, op, DispatchKey::Autograd, std::move(rules));
}

}  // namespace
}  // namespace opgen

// Registers the rule in `table` (see rule.h) for one op of the namespace. Returns nullptr, or an
// error message that is valid until the next call in this thread.
extern "C" __attribute__((visibility("default"))) const char* opgen_register(
    const char* ns, const char* table) noexcept {
  thread_local std::string problem;
  try {
    opgen::add_op(ns, table);
    return nullptr;
  } catch (const c10::Error& error) {
    problem = error.what_without_backtrace();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  return problem.c_str();
}

// Sets the function that is called for an op of the namespace when its tangents are first
// requested. `define` defines the ops that compute them (forward_mode.h).
extern "C" __attribute__((visibility("default"))) void opgen_on_forward_mode(
    const char* ns, void (*define)(const char* name)) noexcept {
  opgen::forward_modes()[ns] = define;
}
