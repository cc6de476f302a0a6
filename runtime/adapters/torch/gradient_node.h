// The autograd Node of every op. It holds the values that the backward reads, as the op's rule
// specifies, and calls the backward.
#pragma once

#include <ATen/ops/add.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/SmallVector.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable_info.h>
#include <torch/csrc/dynamo/compiled_autograd.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <type_traits>

#include "narrow.h"
#include "rule.h"

namespace opgen {

using torch::autograd::isDifferentiableType;
using torch::autograd::Node;
using torch::autograd::SavedVariable;
using torch::autograd::variable_list;
using torch::autograd::VariableInfo;

// std::shared_ptr up to torch 2.11, an intrusive pointer later.
using NodePtr = decltype(torch::autograd::Edge::function);

template <class N, class... Arguments>
auto make_node(const Rule& rule, Arguments&&... arguments) {
  if constexpr (std::is_same_v<NodePtr, std::shared_ptr<Node>>) {
    return std::shared_ptr<N>(new N(rule, std::forward<Arguments>(arguments)...),
                              [](N* node) { deleteNode(node); });
  } else {
    return c10::make_intrusive<N>(rule, std::forward<Arguments>(arguments)...);
  }
}

// Throws if a gradient that reads a residual is differentiated: the derivative would treat the
// residual as a constant.
inline void check_unread(const Rule& rule, bool differentiated) {
  TORCH_CHECK_NOT_IMPLEMENTED(!differentiated, rule.name,
                              ": its gradient reads a residual, and cannot be differentiated");
}

// Lists of tensors. Short ones need no allocation.
using Tensors = c10::SmallVector<Tensor, 8>;
using Flags = c10::SmallVector<bool, 8>;

// Positions of the arguments' tensors in a flat list: several for a list, otherwise one.
class Spans {
 public:
  void add(size_t count) { ends_.push_back(size() + count); }
  size_t begin(size_t i) const { return i == 0 ? 0 : ends_[i - 1]; }
  size_t end(size_t i) const { return ends_[i]; }
  size_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  const c10::SmallVector<size_t, 8>& ends() const { return ends_; }

 private:
  c10::SmallVector<size_t, 8> ends_;
};

// The positions of a call's tensors. They are the same for all calls without lists.
struct Layout {
  Spans edges;       // of each argument; none for one without gradient
  Spans cotangents;  // of each result; none for a constant one
  Spans saved;       // saved arguments, then saved results
};

// The working data of one backward.
struct Backward {
  const Rule& rule;
  const Layout& layout;
  at::TensorList cotangents;
  at::ArrayRef<VariableInfo> cotangent_infos;
  at::TensorList saved;
  at::ArrayRef<IValue> scalars;
  at::ArrayRef<bool> needed;  // for each edge

  // Returns the gradient for each edge. It is undefined if it is zero or not needed.
  variable_list run() const {
    variable_list gradients(layout.edges.size());
    for (size_t i = 0; i < rule.arguments.size(); ++i) {
      TORCH_CHECK(rule.arguments[i].gradient != Argument::Gradient::refused || !is_needed(i),
                  refusal(rule.arguments[i]));
    }
    const auto defined = [](const Tensor& tensor) { return tensor.defined(); };
    if (std::none_of(cotangents.begin(), cotangents.end(), defined)) return gradients;
    for (const Call& call : rule.calls) run(call, gradients);
    for (size_t i = 0; i < rule.arguments.size(); ++i) {
      if (rule.arguments[i].gradient != Argument::Gradient::formula || !is_needed(i)) continue;
      const Formula& formula = rule.formulas[rule.arguments[i].index];
      for (const Operand& operand : formula.operands) check_tangent(operand);
      run(formula, i, gradients);
    }
    return gradients;
  }

 private:
  // A residual has a tangent where the inputs have some.
  void check_tangent(const Operand& operand) const {
    if (operand.kind != Operand::Kind::result) return;
    if (!rule.results[rule.saved_results[operand.index]].residual) return;
    const IValue value = load(operand, nullptr);
    check_unread(rule, value.isTensor() && value.toTensor()._fw_grad(/*level=*/0).defined());
  }

  std::string refusal(const Argument& argument) const {
    if (!rule.differentiable) {
      return rule.name + " cannot be differentiated: " + rule.refusal;
    }
    return rule.name + " has no gradient with respect to " + argument.name +
           ": its spec says differentiable = false";
  }

  bool is_needed(int argument) const {
    if (argument < 0) return false;
    for (size_t i = layout.edges.begin(argument); i < layout.edges.end(argument); ++i) {
      if (needed[i]) return true;
    }
    return false;
  }

  static IValue pack(at::TensorList flat, const Spans& spans, size_t i, bool list) {
    const auto begin = flat.begin() + spans.begin(i), end = flat.begin() + spans.end(i);
    if (list) return variable_list(begin, end);
    return begin != end && begin->defined() ? IValue(*begin) : IValue();
  }

  IValue cotangent(const Operand& operand) const {
    const size_t begin = layout.cotangents.begin(operand.index);
    const size_t end = layout.cotangents.end(operand.index);
    const bool list = rule.results[operand.index].list;
    if (operand.optional) return pack(cotangents, layout.cotangents, operand.index, list);
    variable_list tensors(cotangents.begin() + begin, cotangents.begin() + end);
    at::OptionalDeviceGuard guard;
    for (size_t i = begin; i < end; ++i) {
      if (!cotangents[i].defined()) tensors[i - begin] = cotangent_infos[i].zeros(guard);
    }
    return list ? IValue(tensors) : tensors.empty() ? IValue() : IValue(tensors[0]);
  }

  // Returns the requested results of a call, as bits.
  int64_t wanted(const Call& call) const {
    int64_t bits = 0;
    for (size_t i = 0; i < call.gradients.size(); ++i) {
      bits |= int64_t{is_needed(call.gradients[i])} << i;
    }
    return bits;
  }

  IValue load(const Operand& operand, const Call* call) const {
    if (operand.only_for != -1 && (wanted(*call) & operand.only_for) == 0) return {};
    switch (operand.kind) {
      case Operand::Kind::cotangent: return cotangent(operand);
      case Operand::Kind::argument: {
        const Argument& argument = rule.arguments[rule.saved_arguments[operand.index]];
        return pack(saved, layout.saved, operand.index, argument.list);
      }
      case Operand::Kind::result: {
        const Result& result = rule.results[rule.saved_results[operand.index]];
        return pack(saved, layout.saved, rule.saved_arguments.size() + operand.index, result.list);
      }
      case Operand::Kind::scalar: return scalars[operand.index];
      case Operand::Kind::needed: {
        c10::List<bool> asked;
        for (const int argument : call->gradients) asked.push_back(is_needed(argument));
        return asked;
      }
      case Operand::Kind::wanted: return wanted(*call);
      case Operand::Kind::constant: return operand.constant;
    }
    return {};
  }

  // A formula with lists is evaluated for each tensor of the lists. An input that is not a list
  // occurs in each evaluation, so its gradient is the sum of all values.
  void run(const Formula& formula, size_t argument, variable_list& gradients) const {
    Stack operands;
    const size_t begin = layout.edges.begin(argument);
    std::optional<size_t> longest;
    for (const Operand& operand : formula.operands) {
      operands.push_back(load(operand, nullptr));
      if (!operands.back().isTensorList()) continue;
      const size_t length = operands.back().toListRef().size();
      longest = std::max(longest.value_or(0), length);
      if (length == 0) operands.back() = IValue();  // an absent list
    }
    const bool list = rule.arguments[argument].list;
    const size_t count = list ? layout.edges.end(argument) - begin : longest.value_or(1);
    for (size_t n = 0; n < count; ++n) {
      Tensor& gradient = gradients[begin + (list ? n : 0)];
      if (list && !needed[begin + n]) continue;
      const Tensor value = evaluate(formula.program, [&](int operand) {
        const IValue& given = operands[operand];
        return given.isTensorList() ? IValue(given.toTensorVector()[n]) : given;
      }).toTensor();
      gradient = gradient.defined() ? at::add(gradient, value) : value;
    }
  }

  void run(const Call& call, variable_list& gradients) const {
    const auto& arguments = call.gradients;
    if (std::none_of(arguments.begin(), arguments.end(), [&](int i) { return is_needed(i); })) {
      return;
    }
    Stack stack;
    stack.reserve(call.operands.size());
    for (const Operand& operand : call.operands) stack.push_back(load(operand, &call));
    call.op.callBoxed(&stack);
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!is_needed(arguments[i]) || stack[i].isNone()) continue;
      size_t edge = layout.edges.begin(arguments[i]);
      if (stack[i].isTensor()) {
        gradients[edge] = std::move(stack[i]).toTensor();
      } else {
        for (Tensor& gradient : stack[i].toTensorVector()) gradients[edge++] = std::move(gradient);
      }
    }
  }
};

// The Node that creates a residual, for a gradient that reads the residual and is differentiated.
// The residual is computed from the op's inputs, but no rule has its derivative. A backward that
// computes the residual again does not give it a gradient.
struct ResidualNode final : Node {
  ResidualNode(const Rule& rule, torch::autograd::edge_list edges)
      : Node(std::move(edges)), rule(rule) {}

  const Rule& rule;

  std::string name() const override { return rule.node + "Residual"; }

  variable_list apply(variable_list&& gradients) override {
    for (const Tensor& gradient : gradients) check_unread(rule, gradient.defined());
    return variable_list(num_outputs());
  }
};

// The Node of an op's call. A gradient keeps the dtype that the kernel gives it, for example the
// accumulation dtype for a weight. The cast to the primal's dtype, by the engine or here, comes
// last.
struct GradientNode final : Node {
  explicit GradientNode(const Rule& rule) : rule(rule) {}

  const Rule& rule;
  Layout layout;
  std::vector<SavedVariable> saved;
  size_t saved_results_begin = 0;  // in `saved`: the first one that is an output of this node
  std::vector<IValue> scalars;
  std::vector<VariableInfo> cotangent_infos;  // left out where one cotangent is all there is

  std::string name() const override { return rule.node; }

  // Makes a residual a result of the node `residuals`, and creates this node if necessary.
  void connect_residual(const Tensor& residual, NodePtr& residuals) const {
    if (!isDifferentiableType(residual.scalar_type())) return;
    if (!residuals) residuals = make_node<ResidualNode>(rule, next_edges());
    torch::autograd::set_history(residual, residuals);
  }

  variable_list apply(variable_list&& cotangents) override {
    Tensors tensors = unpack();
    if (c10::GradMode::is_enabled()) connect_residuals(tensors);
    variable_list gradients =
        Backward{rule, layout, cotangents, cotangent_infos, tensors, scalars, needed()}.run();
    if (c10::GradMode::is_enabled() || !nothing_is_on()) return gradients;
    for (size_t i = 0; i < gradients.size(); ++i) {
      const torch::autograd::Edge& edge = next_edge(i);
      if (!edge.is_valid()) continue;
      const auto& metadata = edge.function->input_metadata(edge.input_nr);
      if (!gradients[i].defined() || !metadata.grad_dtype()) continue;
      // A gradient of another shape is summed by the engine before it is cast.
      if (metadata.is_same_shape(gradients[i])) narrow(gradients[i], *metadata.grad_dtype());
    }
    return gradients;
  }

  void release_variables() override {
    std::lock_guard<std::mutex> lock(mutex_);
    for (SavedVariable& variable : saved) variable.reset_data();
  }

  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs& args) const override {
    args.collect(rule.name);
    args.collect(rule.number);
    for (const Spans* spans : {&layout.edges, &layout.cotangents, &layout.saved}) {
      args.collect(std::vector<int64_t>(spans->ends().begin(), spans->ends().end()));
    }
    const Flags flags = needed();
    args.collect(std::vector<bool>(flags.begin(), flags.end()));
    for (size_t i = 0; i < saved.size(); ++i) args.collect(saved[i], i >= saved_results_begin);
    args.collect(scalars);
    args.collect(cotangent_infos);
  }

  variable_list apply_with_saved(const variable_list& cotangents,
                                 torch::dynamo::autograd::SwapSavedVariables& swap) override;

 private:
  // Connects residuals to the graph, because the gradient will be differentiated.
  void connect_residuals(Tensors& tensors) const {
    NodePtr residuals;
    for (size_t i = 0; i < rule.saved_results.size(); ++i) {
      if (!rule.results[rule.saved_results[i]].residual) continue;
      const size_t place = rule.saved_arguments.size() + i;
      for (size_t k = layout.saved.begin(place); k < layout.saved.end(place); ++k) {
        if (!tensors[k].defined()) continue;
        const Tensor tangent = tensors[k]._fw_grad(/*level=*/0);
        tensors[k] = tensors[k].variable_data();
        connect_residual(tensors[k], residuals);
        if (!tangent.defined()) continue;
        tensors[k]._set_fw_grad(tangent, /*level=*/0, /*is_inplace_op=*/false);
      }
    }
  }

  Tensors unpack() {
    // The lock is not held while the backward runs, because that may wait for Python's lock.
    std::lock_guard<std::mutex> lock(mutex_);
    Tensors tensors;
    tensors.reserve(saved.size());
    for (size_t i = 0; i < saved.size(); ++i) {
      tensors.push_back(saved[i].unpack(i < saved_results_begin ? NodePtr() : this->getptr()));
    }
    return tensors;
  }

  Flags needed() const {
    Flags flags(num_outputs());
    for (size_t i = 0; i < flags.size(); ++i) flags[i] = task_should_compute_output(i);
    return flags;
  }
};

// Support for compiled autograd. The backward becomes one function in its graph. The function's
// arguments are tensors and numbers, which may be symbolic. All other data of the node is part of
// the graph's cache key.
inline variable_list GradientNode::apply_with_saved(
    const variable_list& cotangents, torch::dynamo::autograd::SwapSavedVariables& swap) {
  namespace dynamo = torch::dynamo::autograd;
  swap.before(saved);
  swap.before(scalars);
  swap.before(cotangent_infos);

  std::vector<IValue> packed;
  for (Tensor& tensor : unpack()) packed.emplace_back(std::move(tensor));
  const size_t tensor_count = packed.size();
  packed.insert(packed.end(), scalars.begin(), scalars.end());
  for (const VariableInfo& info : cotangent_infos) {
    packed.push_back(dynamo::IValuePacker<VariableInfo>::pack(info));
  }
  std::vector<at::TypePtr> schema;
  for (size_t i = 0; i < packed.size(); ++i) {
    schema.push_back(i < tensor_count ? at::TypePtr(at::TensorType::get()) : packed[i].type());
  }

  auto backward = [&rule = rule, layout = layout, needed = needed(), tensor_count,
                   scalar_count = scalars.size()](const variable_list& cotangents,
                                                  const std::vector<IValue>& packed) {
    Tensors tensors;
    for (size_t i = 0; i < tensor_count; ++i) {
      tensors.push_back(packed[i].isNone() ? Tensor() : packed[i].toTensor());
    }
    const auto scalars = packed.begin() + tensor_count;
    std::vector<VariableInfo> infos;
    for (auto info = scalars + scalar_count; info != packed.end(); ++info) {
      infos.push_back(dynamo::IValuePacker<VariableInfo>::unpack(*info));
    }
    const std::vector<IValue> numbers(scalars, scalars + scalar_count);
    return Backward{rule, layout, cotangents, infos, tensors, numbers, needed}.run();
  };
  const auto& compiler = dynamo::getPyCompilerInterface();
  const std::string function = compiler->bind_function(swap.get_py_compiler(), rule.node, backward,
                                                       schema, /*is_custom_function=*/true,
                                                       /*is_traceable=*/true);
  const IValue metadata =
      dynamo::IValuePacker<std::vector<std::optional<torch::autograd::InputMetadata>>>::pack(
          dynamo::get_input_metadata(next_edges()));
  variable_list gradients = compiler->call_function(swap.get_py_compiler(), "apply_functional",
                                                    function, cotangents, packed, metadata);

  swap.after(saved);
  swap.after(scalars);
  swap.after(cotangent_infos);
  return gradients;
}

}  // namespace opgen
