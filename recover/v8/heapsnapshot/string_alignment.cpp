#include "recover/v8/heapsnapshot/string_alignment.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::StringTable;

/// Weights are natural logarithms of probabilities multiplied by this number.
constexpr double weight_unit = 8;
/// A place is possible if it weighs at most this much more than the best place.
constexpr std::int64_t string_tolerance = 40 * 8;
/// The weight of a place where the numbers of an internal array do not show missing strings although they
/// show missing strings at another place.
constexpr std::int64_t no_gap = string_tolerance + 1;

/// V8 cuts longer strings to this length.
constexpr std::uint32_t longest_text = 1024;

/// The number of UTF-16 units in the text with this spelling, which consists of ASCII characters.
std::uint32_t count_units(std::string_view spelling) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < spelling.size(); ++count) {
    if (spelling[i] != '\\') {
      ++i;
    } else {
      i += spelling.substr(i).starts_with("\\u") ? 6 : 2;
    }
  }
  return count;
}

/// The number at the start of the name of an element of an internal array, such as `12` or `12 / Code`.
std::optional<std::uint64_t> find_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return rest.empty() || rest.starts_with(" / ") ? std::optional(number) : std::nullopt;
}

/// What a string looks like.
enum class Shape : std::uint8_t {
  word,
  empty,
  spaced,
  parenthesised,
  internal,
  symbol,
  first_number,  ///< a number after a string that is not a number
  next_number,   ///< a number that is 1 more than the number before it
  other_number,
};
constexpr std::size_t shape_count = 9;

Shape find_shape(std::string_view text, std::optional<std::uint64_t> previous) {
  if (const auto number = find_number(text)) {
    if (!previous) return Shape::first_number;
    return *number == *previous + 1 ? Shape::next_number : Shape::other_number;
  }
  if (text.empty()) return Shape::empty;
  if (text.starts_with('(')) return Shape::parenthesised;
  if (text.starts_with('<')) return Shape::symbol;
  if (text.starts_with("system / ")) return Shape::internal;
  return text.find_first_of(" \\") == std::string_view::npos ? Shape::word : Shape::spaced;
}

/// The known properties of a string.
struct TextLook {
  Shape shape = Shape::word;
  std::uint16_t length = 0;  ///< the length in UTF-16 units, at most `longest_text`
};

std::vector<TextLook> look_at_texts(const StringTable& strings) {
  std::vector<TextLook> looks;
  std::optional<std::uint64_t> previous;
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    const std::uint32_t length = std::min(count_units(strings[i]), longest_text);
    looks.push_back({find_shape(strings[i], previous), static_cast<std::uint16_t>(length)});
    previous = find_number(strings[i]);
  }
  return looks;
}

/// How a writer computes the size of a string: the size of the header plus one or two bytes for each
/// character, rounded up.
struct SizeLaw {
  std::uint32_t header = 0;
  std::uint32_t unit = 1;

  [[nodiscard]] bool fits(std::uint32_t size, std::uint32_t length) const {
    if (length >= longest_text) return size >= header + longest_text;
    return size == round_up(header + length) || size == round_up(header + 2 * length);
  }

 private:
  [[nodiscard]] std::uint32_t round_up(std::uint32_t size) const { return (size + unit - 1) / unit * unit; }
};

/// The strings and the names to which they may belong. For strings before the damage, the index of the name
/// is that of the string. For strings after the damage, it is higher by `shift`, which is modulo 2^64, so it
/// may be negative.
class StringsAndNames {
 public:
  StringsAndNames(const Snapshot& snapshot, std::uint64_t name_count)
      : strings_(&snapshot.strings.table),
        uses_(find_name_uses(snapshot, name_count)),
        looks_(look_at_texts(*strings_)),
        shift_(name_count - strings_->count()) {
    runs_.resize(uses_.names.size() + 1);
    for (std::size_t i = uses_.names.size(); i-- > 0;)
      runs_[i] = uses_.names[i].is_next ? runs_[i + 1] + 1 : 0;
  }

  [[nodiscard]] std::uint64_t string_count() const { return looks_.size(); }
  [[nodiscard]] std::uint64_t name_count() const { return uses_.names.size(); }
  [[nodiscard]] std::uint32_t kind_count() const { return uses_.kind_count; }
  [[nodiscard]] std::uint64_t shift() const { return shift_; }
  [[nodiscard]] const NameUse& use(std::uint64_t name) const {
    return uses_.names[static_cast<std::size_t>(name)];
  }
  [[nodiscard]] const TextLook& look(std::uint64_t string) const {
    return looks_[static_cast<std::size_t>(string)];
  }
  [[nodiscard]] bool has(std::uint64_t name, std::uint64_t string) const {
    return name < name_count() && string < string_count();
  }
  /// Whether the numbers in two strings are as far apart as their names, given that one string is before the
  /// damage and the other after it.
  [[nodiscard]] bool is_gap(std::uint64_t before, std::uint64_t after) const {
    const std::uint64_t names = after + shift_ - before;
    if (after >= string_count() || runs_[static_cast<std::size_t>(before + 1)] < names) return false;
    const auto first = find_number((*strings_)[before]);
    const auto last = find_number((*strings_)[after]);
    return first && last && *last - *first == names;
  }

 private:
  const StringTable* strings_;
  NameUses uses_;
  std::vector<TextLook> looks_;
  std::uint64_t shift_;
  std::vector<std::uint32_t> runs_;  // for each name, the number of consecutive `is_next` names that start
                                     // there
};

/// The law that matches the most names, if each name has one of its two possible strings.
SizeLaw find_law(const StringsAndNames& all) {
  std::pair<std::uint64_t, SizeLaw> best;
  for (const std::uint32_t header : {8U, 12U, 16U, 20U, 24U}) {
    for (const std::uint32_t unit : {4U, 8U}) {
      const SizeLaw law{header, unit};
      std::uint64_t fitting = 0;
      for (std::uint64_t name = 0; name < all.name_count(); ++name) {
        const auto fits = [&](std::uint64_t string) {
          return all.has(name, string) && law.fits(all.use(name).text_size, all.look(string).length);
        };
        fitting += all.use(name).text_size != 0 && (fits(name) || fits(name - all.shift())) ? 1U : 0U;
      }
      if (fitting > best.first) best = {fitting, law};
    }
  }
  return best.second;
}

/// How often names with a certain use have texts of a certain shape, learned from the file.
class Habits {
 public:
  Habits(const StringsAndNames& all, const SizeLaw& law) : all_(&all), law_(law), shapes_(all.kind_count()) {}

  /// Counts a name and its string.
  void add(std::uint64_t name, std::uint64_t string) {
    if (!all_->has(name, string)) return;
    const NameUse& use = all_->use(name);
    const TextLook& look = all_->look(string);
    ++shapes_[use.kind][static_cast<std::size_t>(look.shape)];
    ++all_shapes_[static_cast<std::size_t>(look.shape)];
    ++lengths_[is_number(look) ? 1 : 0][look.length];
    if (use.text_size == 0) return;
    ++sized_;
    fitting_ += law_.fits(use.text_size, look.length) ? 1U : 0U;
  }
  /// Computes the weights from the counts.
  void finish() {
    const Shares all = find_shares(all_shapes_);
    for (const Counts& counts : shapes_) {
      const Shares own = find_shares(counts);
      Weights& weights = shape_weights_.emplace_back();
      for (std::size_t i = 0; i < shape_count; ++i) weights[i] = find_weight(mix(own[i], all[i]));
    }
    const double fitting = (static_cast<double>(fitting_) + 0.5) / (static_cast<double>(sized_) + 1);
    fitting_weight_ = find_weight(mix(fitting, 0) / (2 * law_.unit));
    wrong_weight_ = find_weight(mix(1 - fitting, 1));
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
      const auto shares = find_shares(lengths_[i]);
      for (std::size_t length = 0; length < shares.size(); ++length)
        length_weights_[i][length] = find_weight(shares[length]);
    }
  }
  /// The weight of a string with that name, or 0 if there is no such name or string.
  [[nodiscard]] std::int64_t weigh(std::uint64_t name, std::uint64_t string) const {
    if (!all_->has(name, string)) return 0;
    const NameUse& use = all_->use(name);
    const TextLook& look = all_->look(string);
    const std::int64_t length = length_weights_[is_number(look) ? 1 : 0][look.length];
    const std::int64_t shape = shape_weights_[use.kind][static_cast<std::size_t>(look.shape)];
    if (use.text_size == 0) return shape + length;
    return shape + (law_.fits(use.text_size, look.length) ? std::min(fitting_weight_, length)
                                                          : wrong_weight_ + length);
  }

 private:
  using Counts = std::array<std::uint64_t, shape_count>;
  using Shares = std::array<double, shape_count>;
  using Weights = std::array<std::int64_t, shape_count>;

  static bool is_number(const TextLook& look) { return look.shape >= Shape::first_number; }
  static std::int64_t find_weight(double probability) {
    return std::llround(-std::log(probability) * weight_unit);
  }
  /// Mixes in other habits, because a few names do not follow their own habits.
  static double mix(double own, double other) { return 0.95 * own + 0.05 * other; }
  template <std::size_t size>
  static std::array<double, size> find_shares(const std::array<std::uint64_t, size>& counts) {
    constexpr double least = 0.5;
    double all = least * static_cast<double>(size);
    for (const std::uint64_t count : counts) all += static_cast<double>(count);
    std::array<double, size> shares{};
    for (std::size_t i = 0; i < size; ++i) shares[i] = (static_cast<double>(counts[i]) + least) / all;
    return shares;
  }

  const StringsAndNames* all_;
  SizeLaw law_;
  std::vector<Counts> shapes_;  // by kind
  Counts all_shapes_{};
  std::array<std::array<std::uint64_t, longest_text + 1>, 2> lengths_{};  // the lengths of texts and of
                                                                          // numbers
  std::uint64_t sized_ = 0;
  std::uint64_t fitting_ = 0;
  std::vector<Weights> shape_weights_;
  std::array<std::array<std::int64_t, longest_text + 1>, 2> length_weights_{};
  std::int64_t fitting_weight_ = 0;
  std::int64_t wrong_weight_ = 0;
};

/// Finds the place at which strings are lost or superfluous. `width` is the number of strings there that have
/// no name: either the superfluous strings, or a single string that is left over from two that were cut.
class PlaceFinder {
 public:
  PlaceFinder(const StringsAndNames& all, std::uint64_t width)
      : all_(&all), width_(width), law_(find_law(all)), gap_(find_sole_gap()) {}

  /// Calls `visit` with each place and its weight.
  template <class Visit>
  void for_each_place(const Habits& habits, Visit&& visit) const {
    const auto weigh_after = [&](std::uint64_t string) {
      return habits.weigh(string + all_->shift(), string);
    };
    std::int64_t before = 0;
    std::int64_t after = 0;
    for (std::uint64_t i = width_; i < all_->string_count(); ++i) after += weigh_after(i);
    for (std::uint64_t place = 0; place <= all_->string_count(); ++place) {
      const bool is_gap = gap_ && place >= *gap_ && place <= *gap_ + 1;
      visit(place, before + after + (gap_ && !is_gap ? no_gap : 0));
      before += habits.weigh(place, place);
      after -= weigh_after(place + width_);
    }
  }
  /// The habits whose best place is better than the best place of any other habits tried.
  [[nodiscard]] Habits find_habits() const {
    constexpr std::uint64_t starts = 8;
    constexpr int rounds = 3;
    Habits best = learn(std::nullopt);
    for (std::uint64_t start = 0; start <= starts; ++start) {
      Habits habits = learn(all_->string_count() * start / starts);
      for (int round = 0; round < rounds; ++round) habits = learn(find_best(habits).second);
      if (start == 0 || find_best(habits) < find_best(best)) best = habits;
    }
    return best;
  }

 private:
  /// The weight of the best place, and that place.
  [[nodiscard]] std::pair<std::int64_t, std::uint64_t> find_best(const Habits& habits) const {
    std::pair<std::int64_t, std::uint64_t> best{INT64_MAX, 0};
    for_each_place(habits,
                   [&](std::uint64_t place, std::int64_t weight) { best = std::min(best, {weight, place}); });
    return best;
  }
  /// The habits for that place. Without a place, each string counts for both of its possible names.
  [[nodiscard]] Habits learn(std::optional<std::uint64_t> place) const {
    Habits habits(*all_, law_);
    for (std::uint64_t i = 0; i < all_->string_count(); ++i) {
      if (!place || i < *place) habits.add(i, i);
      if (!place || i >= *place + width_) habits.add(i + all_->shift(), i);
    }
    habits.finish();
    return habits;
  }

  /// The only place where the numbers before and after it are as far apart as their names; empty if there are
  /// several such places. If nothing was cut, the next place also meets this condition.
  [[nodiscard]] std::optional<std::uint64_t> find_sole_gap() const {
    std::optional<std::uint64_t> gap;
    for (std::uint64_t place = 1; place < all_->string_count(); ++place) {
      if (!all_->is_gap(place - 1, place + width_)) continue;
      if (gap && place != *gap + 1) return std::nullopt;
      if (!gap) gap = place;
    }
    return gap;
  }

  const StringsAndNames* all_;
  std::uint64_t width_;
  SizeLaw law_;
  std::optional<std::uint64_t> gap_;
};

/// Finds the piece that contains all possible places. Empty if there are too many strings but the extra ones
/// may just be unused.
std::optional<StringPiece> find_piece(const StringsAndNames& all) {
  const std::uint64_t count = all.string_count();
  const std::uint64_t names = all.name_count();
  const std::uint64_t width = names < count ? count - names : 1;
  const PlaceFinder finder(all, width);
  const Habits habits = finder.find_habits();
  std::int64_t least = INT64_MAX;
  std::int64_t if_unused = 0;
  finder.for_each_place(habits, [&](std::uint64_t place, std::int64_t weight) {
    least = std::min(least, weight);
    if (place == names) if_unused = weight;
  });
  if (names < count && if_unused <= least + string_tolerance) return std::nullopt;
  StringPiece piece{count, 0, 0};
  finder.for_each_place(habits, [&](std::uint64_t place, std::int64_t weight) {
    if (weight > least + string_tolerance) return;
    piece.begin = std::min(piece.begin, place);
    piece.end = std::min(place + width, count);
  });
  piece.names = piece.end + all.shift() - piece.begin;
  return piece;
}

/// Whether a piece of the table occurs twice. If not, strings without a name may just be unused.
bool has_repeated_piece(const Snapshot& snapshot) {
  namespace consistency = validation::v8::heapsnapshot::consistency;
  const StringTable& strings = snapshot.strings.table;
  return strings.count() < UINT32_MAX &&
         consistency::find_repeated_piece(snapshot, consistency::find_repeated_strings(strings));
}

}  // namespace

bool has_counted_rows(const Snapshot& snapshot) {
  const auto& [nodes, edges] = std::pair{snapshot.header.node_count, snapshot.header.edge_count};
  return snapshot.is_sound(Section::nodes) && snapshot.is_sound(Section::edges) && nodes && edges &&
         nodes->value == snapshot.table(Section::nodes).row_count() &&
         edges->value == snapshot.table(Section::edges).row_count();
}

std::optional<StringPiece> find_doubled_strings(const Snapshot& snapshot) {
  constexpr std::uint64_t fewest = 3;
  const StringTable& strings = snapshot.strings.table;
  if (!snapshot.strings.is_whole() || !snapshot.is_sound(Section::edges)) return std::nullopt;
  const std::uint64_t names = count_names(snapshot);
  if (strings.count() < names + fewest || !has_repeated_piece(snapshot)) return std::nullopt;
  const std::uint64_t distance = strings.count() - names;
  std::uint64_t run = 0;
  for (std::uint64_t i = 0; i < names; ++i) {
    const bool is_equal = strings[i] == strings[i + distance];
    // The strings at both ends of the piece may have been cut in two.
    if (!is_equal && run + 1 >= distance) return StringPiece{i, i + distance, 0};
    run = is_equal ? run + 1 : 0;
  }
  return std::nullopt;
}

std::optional<StringPiece> find_doubtful_strings(const Snapshot& snapshot) {
  const std::uint64_t count = snapshot.strings.table.count();
  if (!snapshot.strings.is_whole() || count == 0) return std::nullopt;
  const std::uint64_t names = count_names(snapshot);
  const bool is_counted = has_counted_rows(snapshot);
  if (names == count || names == 1) return std::nullopt;
  if (names < count && !(is_counted && has_repeated_piece(snapshot))) return std::nullopt;
  // If most strings are lost, the remaining ones do not show which texts such names have.
  if (!is_counted || names > 2 * count) return StringPiece{0, count, names};
  return find_piece(StringsAndNames(snapshot, names));
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
