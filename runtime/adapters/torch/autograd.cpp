// Everything that PyTorch's autograd layer asks of a project's ops, for all of them at once.
//
// The library is compiled once per minor version of torch, knows no op, and learns their rules
// through `opgen_register`, which the project's Python calls when it is imported.
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/library.h>

#include <memory>

#include "autocast.h"
#include "gradient_node.h"
#include "mutation.h"
#include "rule_parser.h"

namespace opgen {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::OperatorHandle;

template <class Visit>
void each_tensor(const IValue& value, const Visit& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const Tensor& tensor : value.toTensorVector()) visit(tensor);
  }
}

// The op's kernel at the Autograd key.
class Differentiate final : public c10::OperatorKernel {
 public:
  explicit Differentiate(Rule rule) : rule_(std::move(rule)) {}

  void operator()(const OperatorHandle& op, DispatchKeySet keys, Stack* stack) const {
    const size_t base = stack->size() - rule_.arguments.size();
    if (!takes_gradient(*stack, base)) return redispatch(op, keys, stack);

    auto node = make_node<GradientNode>(rule_);
    check_conditions(*stack, base);
    ask_for_results(*stack, base);
    connect(*node, *stack, base);
    save_arguments(*node, *stack, base);
    redispatch(op, keys, stack);
    save_results(node, *stack, stack->size() - rule_.results.size());
  }

 private:
  // Whether a gradient may be asked for. Throws for what can never be differentiated.
  bool takes_gradient(const Stack& stack, size_t base) const {
    const bool recording = at::GradMode::is_enabled();
    bool takes = false;
    for (size_t i = 0; i < rule_.arguments.size(); ++i) {
      const Argument& argument = rule_.arguments[i];
      if (!argument.tensor) continue;
      each_tensor(stack[base + i], [&](const Tensor& tensor) {
        TORCH_CHECK_NOT_IMPLEMENTED(!tensor._fw_grad(/*level=*/0).defined(), rule_.name,
                                    " has no forward-mode derivative: use reverse mode");
        if (!recording || !tensor.requires_grad()) return;
        TORCH_CHECK(!argument.written && !(rule_.writes && !rule_.differentiable), rule_.name, ": ",
                    argument.name, " requires a gradient, but ",
                    argument.written ? "it is updated in place" : "the op has none");
        takes |= argument.has_edge();
      });
    }
    return takes;
  }

  void redispatch(const OperatorHandle& op, DispatchKeySet keys, Stack* stack) const {
    if (rule_.writes) {  // ADInplaceOrView comes next: it moves the version counters
      at::AutoDispatchBelowAutograd guard;
      op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
    } else {
      at::AutoDispatchBelowADInplaceOrView guard;
      op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
  }

  // What the gradient reads is computed, whether or not the caller asked for it.
  void ask_for_results(Stack& stack, size_t base) const {
    if (rule_.wanted < 0) return;
    IValue& wanted = stack[base + rule_.wanted];
    wanted = wanted.toInt() | rule_.read_results;
  }

  void check_conditions(const Stack& stack, size_t base) const {
    for (const Condition& condition : rule_.conditions) {
      const IValue holds = evaluate(condition.program, [&](int i) { return stack[base + i]; });
      TORCH_CHECK(is_true(holds), rule_.name, ": ", condition.message);
    }
  }

  void connect(GradientNode& node, const Stack& stack, size_t base) const {
    torch::autograd::edge_list edges;
    edges.reserve(rule_.arguments.size());
    for (size_t i = 0; i < rule_.arguments.size(); ++i) {
      const size_t before = edges.size();
      if (rule_.arguments[i].has_edge()) {
        const auto add = [&](const Tensor& tensor) {
          edges.push_back(torch::autograd::impl::gradient_edge(tensor));
        };
        each_tensor(stack[base + i], add);
        if (!rule_.arguments[i].list && edges.size() == before) edges.emplace_back();
      }
      node.layout.edges.add(edges.size() - before);
    }
    node.set_next_edges(std::move(edges));
  }

  static void save(GradientNode& node, const IValue& value, bool list, bool is_output) {
    const size_t before = node.saved.size();
    if (list) {
      for (const Tensor& tensor : value.toTensorVector()) node.saved.emplace_back(tensor, is_output);
    } else {
      node.saved.emplace_back(value.isTensor() ? value.toTensor() : Tensor(), is_output);
    }
    node.layout.saved.add(node.saved.size() - before);
  }

  void save_arguments(GradientNode& node, const Stack& stack, size_t base) const {
    node.saved.reserve(rule_.saved_arguments.size() + rule_.saved_results.size());
    for (const int i : rule_.saved_arguments) {
      save(node, stack[base + i], rule_.arguments[i].list, /*is_output=*/false);
    }
    node.saved_results_begin = node.saved.size();
    node.scalars.reserve(rule_.scalars.size());
    for (const Program& scalar : rule_.scalars) {
      node.scalars.push_back(evaluate(scalar, [&](int i) { return stack[base + i]; }));
    }
  }

  template <class Pointer>
  void save_results(const Pointer& node, const Stack& stack, size_t base) const {
    Tensors tracked;
    for (size_t i = 0; i < rule_.results.size(); ++i) {
      const Result& result = rule_.results[i];
      const size_t before = tracked.size();
      if (!result.constant && result.list) {
        for (Tensor& tensor : stack[base + i].toTensorVector()) tracked.push_back(std::move(tensor));
      } else if (!result.constant) {
        const IValue& value = stack[base + i];
        tracked.push_back(value.isTensor() ? value.toTensor() : Tensor());
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
    for (const int i : rule_.saved_results) {
      save(*node, stack[base + i], rule_.results[i].list, /*is_output=*/true);
    }
  }

  const Rule rule_;
};

// Kernels live as long as the process: graphs point into their rules.
torch::Library& library(const std::string& ns, DispatchKey key) {
  return *new torch::Library(torch::Library::IMPL, ns, key, __FILE__, __LINE__);
}

template <class Kernel, class... Arguments>
void add_kernel(const std::string& ns, const std::string& op, DispatchKey key,
                Arguments&&... arguments) {
  auto kernel = std::make_unique<Kernel>(std::forward<Arguments>(arguments)...);
  library(ns, key).impl(op.c_str(),
                        torch::CppFunction::makeFromBoxedFunctor(std::move(kernel)));
}

void add_op(const std::string& ns, const std::string& table) {
  Rule rule = RuleParser::parse(ns, table);
  const std::string op = rule.name.substr(ns.size() + 1);
  if (rule.writes) add_kernel<BumpVersions>(ns, op, DispatchKey::ADInplaceOrView);
  if (!rule.autocast.empty()) {
    const bool lower = rule.autocast == "lower";
    add_kernel<Autocast>(ns, op, DispatchKey::AutocastCPU, at::kCPU, lower);
    add_kernel<Autocast>(ns, op, DispatchKey::AutocastCUDA, at::kCUDA, lower);
  }
  add_kernel<Differentiate>(ns, op, DispatchKey::Autograd, std::move(rule));
}

}  // namespace
}  // namespace opgen

// Registers what `table` (rule.h) says about one op of the namespace. Returns nullptr, or what is
// wrong with the table; the text is valid until the next call in this thread.
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
