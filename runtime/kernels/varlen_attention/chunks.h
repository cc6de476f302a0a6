// Chunks of queries, and the keys that they see, for attention and its gradient on the CPU.
//
// In a matrix of scores, queries are columns and keys are rows. This is the layout that
// `multiply_panel` requires for the next product, and each lane of a vector computes a separate
// softmax. All query heads that read one key head are neighbouring columns.
//
// Factors of products are packed as elements: numbers of type Acc, or `Pair` and `Split`. All have
// the size of Acc, so scratch memory is declared as Acc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "opgen/matmul.h"
#include "opgen/philox.h"

namespace generated::cpu {

/// The largest size of a head, and the number of columns and of keys that are computed at a time.
/// With these, a stack frame of the gradient has 1.2 MiB. A thread's stack may have only 2 MiB.
constexpr int64_t most_head = 256;
template <class Acc>
constexpr int64_t at_a_time = 512 / sizeof(Acc);

/// The distance of rows of columns. With a power of two, all rows of a panel would be in the same
/// few sets of a cache.
template <class Acc>
constexpr int64_t pitch = at_a_time<Acc> + 64 / sizeof(Acc);

/// The number of terms of a product of two rows that are added one after the other. A longer sum
/// loses more digits, and a softmax and the differences in its gradient amplify this loss. It does
/// not affect results of 16 bits.
template <class T>
constexpr int64_t terms = sizeof(T) == 2 ? opgen::detail::most_in_a_row : 32;

/// The number of elements that pack `count` numbers.
template <class Element>
constexpr int64_t elements_of(int64_t count) noexcept {
  return std::is_same_v<Element, opgen::Pair> ? (count + 1) / 2 : count;
}

/// The facts about a call that the forward and the backward need.
template <class View>
struct Attention {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(View::q.data)>>;
  using Acc = opgen::accum_t<T>;
  using Vector = opgen::Vector<Acc>;

  const View& op;
  const opgen::Tensor<const int32_t>* table = nullptr;  // b mb, if the keys are in blocks
  int64_t blocks = 0, rows = 0;
  int64_t blocks_of_a_sequence = table == nullptr ? 0 : table->size(1);
  const int32_t* block_table = table == nullptr ? nullptr : table->data;

  /// The number of parts with this many columns for which a separate thread is worthwhile.
  int64_t of_a_thread(int64_t columns) const noexcept {
    const int64_t keys = op.cu_k.data[op.desc.b] / op.desc.b + 1;
    return 1 + (int64_t{1} << 20) / (1 + columns * keys * (op.desc.d + op.desc.e));
  }

  int64_t heads() const noexcept { return op.desc.hk * op.desc.g; }
  int64_t queries(int64_t sequence) const noexcept {
    return op.cu_q.data[sequence + 1] - op.cu_q.data[sequence];
  }
  int64_t keys(int64_t sequence) const noexcept {
    return op.cu_k.data[sequence + 1] - op.cu_k.data[sequence];
  }

  /// The number of keys in memory, which is limited by the size of the block table.
  int64_t keys_there(int64_t sequence) const noexcept {
    const int64_t all = keys(sequence);
    return table == nullptr ? all : std::min(all, blocks_of_a_sequence * rows);
  }

  /// Calls `function(i, run, row, step)` for runs of the rows [first, first + count) of a
  /// sequence's keys or values. The run starts at row `first + i`, and `row` is the address of this
  /// row.
  template <class Function>
  void each_run(const T* from, int64_t columns, int64_t sequence, int64_t head, int64_t first,
                int64_t count, const Function& function) const noexcept {
    const int64_t step = op.desc.hk * columns;
    for (int64_t i = 0; i < count;) {
      int64_t row = op.cu_k.data[sequence] + first + i, run = count - i;
      if (table != nullptr) {
        const int64_t key = first + i;
        run = std::min(run, rows - key % rows);
        row = block_table[sequence * blocks_of_a_sequence + key / rows] * rows + key % rows;
      }
      function(i, run, from + row * step + head * columns, step);
      i += run;
    }
  }

  /// Packs such rows in contiguous memory, in elements. If other heads are between the rows,
  /// products that read them in place would wait for memory.
  template <class Element>
  void lay_keys(const T* from, int64_t columns, int64_t sequence, int64_t head, int64_t first,
                int64_t count, Acc* to) const noexcept {
    each_run(from, columns, sequence, head, first, count,
             [=](int64_t i, int64_t run, const T* row, int64_t step) {
      lay<Element>({row, step, 1}, run, columns, to + i * elements_of<Element>(columns));
    });
  }

  /// Packs such rows, and returns their transpose, with `columns` rows of `count` elements.
  template <class Element>
  opgen::Matrix<Element> lay_turned(const T* from, int64_t columns, int64_t sequence, int64_t head,
                                    int64_t first, int64_t count, Acc* to) const noexcept {
    if constexpr (std::is_same_v<Element, Acc>) {
      lay_keys<Acc>(from, columns, sequence, head, first, count, to);
      return {to, 1, columns};
    } else {
      auto* const elements = reinterpret_cast<Element*>(to);
      each_run(from, columns, sequence, head, first, count,
               [=](int64_t i, int64_t run, const T* row, int64_t step) {
        const opgen::Matrix<T> turned{row, 1, step};
        lay_split(turned, columns, run, run, elements + i, at_a_time<Acc>);
      });
      return {elements, at_a_time<Acc>, 1};
    }
  }

  /// Packs `count` rows of a matrix in contiguous memory.
  template <class Element>
  static void lay(opgen::Matrix<T> rows, int64_t count, int64_t columns, Acc* to) noexcept {
    if constexpr (std::is_same_v<Element, Acc>) {
      opgen::lay_rows<Acc>(rows, count, columns, columns, to, columns);
    } else {
      lay_pairs_of_rows(rows, count, columns, reinterpret_cast<Element*>(to),
                        elements_of<Element>(columns));
    }
  }

  /// Checks that the offsets of sequences and the indices of blocks are in range.
  opgen::Status check() const noexcept {
    const int64_t b = op.desc.b;
    if (table != nullptr) {
      for (int64_t i = 0; i < b * blocks_of_a_sequence; ++i) {
        if (block_table[i] >= 0 && block_table[i] < blocks) continue;
        return op.ctx.bad_index("block_table", *table, i, block_table[i], 0, blocks);
      }
    }
    for (int64_t i = 0; i <= b; ++i) {
      const int64_t q = op.cu_q.data[i], k = op.cu_k.data[i];
      const int64_t least_q = i == b ? op.desc.tq : i == 0 ? 0 : op.cu_q.data[i - 1];
      const int64_t most_q = i == 0 ? 0 : op.desc.tq;
      if (q < least_q || q > most_q) {
        return op.ctx.bad_index("cu_q", op.cu_q, i, q, least_q, most_q + 1);
      }
      int64_t least_k = i == 0 ? 0 : op.cu_k.data[i - 1], most_k = i == 0 ? 0 : op.desc.tk;
      if (table != nullptr) {
        most_k = i == 0 ? 0 : std::numeric_limits<int32_t>::max();
      } else if (i == b) {
        least_k = op.desc.tk;
      }
      if (k < least_k || k > most_k) {
        return op.ctx.bad_index("cu_k", op.cu_k, i, k, least_k, most_k + 1);
      }
    }
    return opgen::Status::ok;
  }
};

/// Neighbouring queries of a sequence, for all heads that read one key head, and the keys that
/// these queries see.
template <class View>
struct Chunk {
  using Of = Attention<View>;
  using Acc = typename Of::Acc;
  using Vector = typename Of::Vector;
  using T = typename Of::T;
  static constexpr int64_t width = opgen::lanes<Acc>, across = opgen::Blocks<Acc>::columns;
  static constexpr int64_t most_columns = at_a_time<Acc>, pitch = generated::cpu::pitch<Acc>;

  const Of& all;
  int64_t sequence, key_head, first, columns;  // column 0 is the sequence's column `first`
  int64_t padded;                              // `columns`, rounded up to whole panels
  int64_t place[most_columns] = {}, low[most_columns] = {}, high[most_columns] = {};
  Acc slope[most_columns] = {};

  /// The range [begin, end) of the keys that any of some columns sees.
  struct Seen {
    int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;

    void add(int64_t low, int64_t high) noexcept {
      if (low >= high) return;
      begin = std::min(begin, low);
      end = std::max(end, high);
    }
  };
  Seen seen, seen_by_panel[most_columns / across];

  Chunk(const Of& of, int64_t its_sequence, int64_t its_head, int64_t its_first) noexcept
      : all(of), sequence(its_sequence), key_head(its_head), first(its_first) {
    const auto& desc = all.op.desc;
    const int64_t queries = all.queries(sequence), keys = all.keys(sequence);
    const int64_t there = all.keys_there(sequence);
    columns = std::min(most_columns, queries * desc.g - first);
    padded = (columns + across - 1) / across * across;
    for (int64_t c = 0; c < columns; ++c) {
      place[c] = (first + c) / desc.g + keys - queries;
      high[c] = there;
      if (desc.window[0] >= 0) low[c] = std::max(int64_t{0}, place[c] - desc.window[0]);
      if (desc.window[1] >= 0) high[c] = std::min(there, place[c] + desc.window[1] + 1);
      if (desc.causal) high[c] = std::min(high[c], place[c] + 1);
      seen.add(low[c], high[c]);
      seen_by_panel[c / across].add(low[c], high[c]);
      if (!all.op.alibi.present()) continue;
      const int64_t row = all.op.alibi.rank == 2 ? sequence * all.heads() : 0;
      slope[c] = static_cast<Acc>(all.op.alibi.data[row + head(c)]);
    }
  }

  int64_t token(int64_t c) const noexcept {
    return all.op.cu_q.data[sequence] + (first + c) / all.op.desc.g;
  }
  int64_t head(int64_t c) const noexcept {
    return key_head * all.op.desc.g + (first + c) % all.op.desc.g;
  }
  /// The offset of column c in a tensor with rows of `size` numbers.
  int64_t row_of(int64_t c, int64_t size) const noexcept {
    return (token(c) * all.heads() + head(c)) * size;
  }

  /// Packs the columns' rows of a tensor in contiguous rows in `rows`, and transposed in `panels`.
  template <class Element>
  void lay(const T* from, int64_t size, Acc* rows, Acc* panels) const noexcept {
    const int64_t elements = elements_of<Element>(size);
    for (int64_t c = 0; c < columns; ++c) {
      Of::template lay<Element>({from + row_of(c, size), size, 1}, 1, size, rows + c * elements);
    }
    const opgen::Matrix<Acc> turned{rows, 1, elements};
    opgen::lay_rows<Acc>(turned, elements, columns, padded, panels, pitch);
  }

  /// Packs the columns' rows of a tensor in `rows`, and returns them as the right factor of a
  /// product. Rows are padded to whole panels.
  template <class Element>
  opgen::Matrix<Element> lay_right(const T* from, int64_t size, Acc* rows) const noexcept {
    const int64_t row = (size + across - 1) / across * across;
    for (int64_t c = 0; c < columns; ++c) {
      const opgen::Matrix<T> one{from + row_of(c, size), size, 1};
      if constexpr (std::is_same_v<Element, Acc>) {
        opgen::lay_rows<Acc>(one, 1, size, row, rows + c * row, row);
      } else {
        lay_split(one, 1, size, row, reinterpret_cast<Element*>(rows) + c * row, row);
      }
    }
    return as<Element>(rows, row);
  }

  /// Rounds `panels`, which has `size` rows of columns, and writes it to the columns' rows of a
  /// tensor.
  void store(const Acc* panels, int64_t size, Acc* rows, T* to) const noexcept {
    const opgen::Matrix<Acc> turned{panels, 1, pitch};
    opgen::lay_rows<Acc>(turned, columns, size, size, rows, size);
    for (int64_t c = 0; c < columns; ++c) {
      opgen::each_vector<Acc>(0, size, opgen::Streamed{},
                              [from = rows + c * size, to = to + row_of(c, size)](auto v) {
        v.store(to, v.load(from));
      });
    }
  }

  /// The keys of [key, key + count) that the panel of columns from c on sees, relative to `key`.
  Seen seen_by(int64_t c, int64_t key, int64_t count) const noexcept {
    const Seen& panel = seen_by_panel[c / across];
    const int64_t begin = std::clamp(panel.begin - key, int64_t{0}, count);
    return {begin, std::max(begin, std::min(panel.end - key, count))};
  }

  /// to[j, c] = the product of row j of `rows`, which is key + j, with column c, if c's panel sees
  /// this key. At most `terms` products are added one after the other.
  template <class Element>
  void score(int64_t key, int64_t count, int64_t size, const Acc* rows, const Acc* panels,
             Acc* to) const noexcept {
    const int64_t elements = elements_of<Element>(size), step = elements_of<Element>(terms<T>);
    int64_t k = 0;
    do {
      for (int64_t c = 0; c < padded; c += across) {
        const Seen keys = seen_by(c, key, count);
        const auto left = as<Element>(rows + keys.begin * elements + k, elements);
        const auto panel = as<Element>(panels + k * pitch + c, pitch);
        opgen::multiply_panel<Acc>(keys.end - keys.begin, std::min(step, elements - k), left, panel,
                                   to + keys.begin * pitch + c, pitch, k > 0);
      }
      k += step;
    } while (k < elements);
  }

  /// to[i, c] += the sum of left[i, j] shares[j, c] over the keys j that c's panel sees. `left` has
  /// `size` rows.
  template <class Element>
  void add_up(int64_t key, int64_t count, int64_t size, opgen::Matrix<Element> left,
              const Acc* shares, Acc* to) const noexcept {
    for (int64_t c = 0; c < padded; c += across) {
      const Seen keys = seen_by(c, key, count);
      if (keys.begin == keys.end) continue;
      const opgen::Matrix<Element> seen_left{left.at(0, keys.begin), left.row, left.column};
      const auto panel = as<Element>(shares + keys.begin * pitch + c, pitch);
      opgen::multiply_panel<Acc>(size, keys.end - keys.begin, seen_left, panel, to + c, pitch,
                                 true);
    }
  }

  /// Packs numbers of a row of columns.
  template <class Element>
  static Vector packed(Vector numbers) noexcept {
    if constexpr (std::is_same_v<Element, Acc>)
      return numbers;
    else
      return opgen::detail::cast_bits<Vector>(Element::of(numbers));
  }

  template <class Element>
  static opgen::Matrix<Element> as(const Acc* elements, int64_t row) noexcept {
    return {reinterpret_cast<const Element*>(elements), row, 1};
  }

  /// to[c] = the product of column c of `a` and of `b`, summed in the same order as scores. So if a
  /// query sees only one key, and `out` is this key's value, the gradient of the score is exactly
  /// 0. `a_rows` is `a`, transposed.
  template <class Element>
  void dot(int64_t size, const Acc* a_rows, const Acc* a, const Acc* b, Acc* to) const noexcept {
    const int64_t elements = elements_of<Element>(size);
    if constexpr (std::is_same_v<Element, Acc>) {
      for (int64_t c = 0; c < padded; c += width) {
        const opgen::Lanes<Acc, true> v{c};
        Vector whole = {};
        for (int64_t k = 0; k < size;) {
          Vector sum = {};
          for (const int64_t end = std::min(size, k + terms<T>); k < end; ++k) {
            sum = opgen::multiply_add<Acc>(v.load(a + k * pitch), v.load(b + k * pitch), sum);
          }
          whole += sum;
        }
        v.store(to, whole);
      }
    } else {
      // The order of the sums in a product of pairs is the processor's. So all products of a panel
      // are computed.
      alignas(64) Acc square[across * across];
      for (int64_t c = 0; c < columns; c += across) {
        const int64_t down = std::min(across, columns - c);
        opgen::multiply_panel<Acc>(down, elements, as<Element>(a_rows + c * elements, elements),
                                   as<Element>(b + c, pitch), square, across, false);
        for (int64_t i = 0; i < down; ++i) to[c + i] = square[i * across + i];
      }
    }
  }

  /// Dropout's factor of each probability: 0, or 1 / (1 - dropout).
  void keep(int64_t key, int64_t count, Acc* factors) const noexcept {
    const auto& desc = all.op.desc;
    const opgen::Philox philox(*all.op.seed.data, *all.op.offset.data);
    const auto least = static_cast<uint32_t>(desc.dropout * 0x1p32);  // dropout is below 1
    const Acc kept = 1 / (1 - static_cast<Acc>(desc.dropout));
    for (int64_t c = 0; c < columns; ++c) {
      const int64_t place = (head(c) * desc.tq + token(c)) * desc.max_k + key;
      const int64_t skipped = place & 3;
      uint32_t words[at_a_time<Acc> + 64];
      philox.fill(static_cast<uint64_t>(place - skipped), words);
      for (int64_t j = 0; j < count; ++j) {
        factors[j * pitch + c] = words[skipped + j] >= least ? kept : Acc{0};
      }
    }
    for (int64_t j = 0; j < count; ++j) {
      std::fill(factors + j * pitch + columns, factors + j * pitch + padded, Acc{0});
    }
  }
};

/// Converts products of queries and keys to scores, for a vector of columns. It scales them and
/// adds the bias. The score is -infinity if a column does not see the key. Keys are relative to
/// `key`.
template <class View>
class Scores {
  using Acc = typename Attention<View>::Acc;
  using Vector = typename Attention<View>::Vector;

 public:
  Scores(const Chunk<View>& chunk, int64_t column, int64_t key, int64_t count) noexcept
      : scale_(static_cast<Acc>(chunk.all.op.desc.scale)), biased_(chunk.all.op.alibi.present()) {
    // In arrays first, because GCC 12 warns about vectors that are filled one lane at a time.
    alignas(Vector) Acc from[opgen::lanes<Acc>], to[opgen::lanes<Acc>], distance[opgen::lanes<Acc>];
    for (int64_t lane = 0; lane < opgen::lanes<Acc>; ++lane) {
      const int64_t c = column + lane;
      const int64_t least = std::clamp(chunk.low[c] - key, int64_t{0}, count);
      const int64_t past = std::clamp(chunk.high[c] - key, int64_t{0}, count);
      everything_ = everything_ && least == 0 && past == count;
      from[lane] = static_cast<Acc>(least);
      to[lane] = static_cast<Acc>(past);
      distance[lane] = static_cast<Acc>(chunk.place[c] - key);
    }
    const opgen::Lanes<Acc, true> v{0};
    from_ = v.load(from);
    to_ = v.load(to);
    distance_ = v.load(distance);
    slope_ = v.load(chunk.slope + column);
  }

  Vector operator()(int64_t j, Vector product) const noexcept {
    const Acc row = static_cast<Acc>(j);
    Vector value = product * scale_;
    if (biased_) {
      const Vector away = distance_ - row;
      value -= slope_ * (away < 0 ? -away : away);
    }
    if (everything_) return value;
    return (from_ <= row) & (to_ > row) ? value : Vector{} - std::numeric_limits<Acc>::infinity();
  }

 private:
  Acc scale_;
  bool biased_, everything_ = true;
  Vector from_, to_, distance_, slope_;
};

/// Calls `function(sequence, head, part)` for all parts of all sequences. Each head of a sequence
/// has `parts(sequence)` parts. First and last parts alternate, because first parts may see fewer
/// keys.
template <class Parts, class Function>
void each_part(const opgen::Context& ctx, int64_t sequences, int64_t heads, int64_t grain,
               const Parts& parts, const Function& function) noexcept {
  int64_t count = 0;
  for (int64_t sequence = 0; sequence < sequences; ++sequence) count += parts(sequence) * heads;
  opgen::parallel(ctx, count, grain, [=](int64_t begin, int64_t end) {
    int64_t before = 0;
    for (int64_t sequence = 0; before < end; ++sequence) {
      const int64_t of_a_head = parts(sequence), last = std::min(end - before, of_a_head * heads);
      for (int64_t i = std::max<int64_t>(0, begin - before); i < last; ++i) {
        const int64_t turn = i % of_a_head;
        function(sequence, i / of_a_head, turn % 2 ? of_a_head - 1 - turn / 2 : turn / 2);
      }
      before += of_a_head * heads;
    }
  });
}

}  // namespace generated::cpu
