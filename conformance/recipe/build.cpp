#include "conformance/recipe/build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/chrome/elements.hpp"
#include "conformance/mvmheap/v2/elements.hpp"
#include "conformance/mvmheap/v3/elements.hpp"
#include "conformance/recipe/wrap.hpp"

namespace heapcheck::conformance {
namespace {

using Done = std::expected<void, BuildError>;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

/// Carries out the statements that make and change a recipe, in order.
class RecipeBuilder {
 public:
  explicit RecipeBuilder(Document& document) : document_(document) {}

  Done apply(const Statement& statement) {
    return std::visit(
        Overloaded{[&](const statement::InGroup& in) { return enter(in); },
                   [&](const statement::Add& add) { return this->add(add); },
                   [&](const statement::Set& set) { return this->set(set); },
                   [&](const statement::Drop& drop) { return this->drop(drop); },
                   [&](const statement::Duplicate& duplicate) { return this->duplicate(duplicate); },
                   [&](const statement::Insert& insert) { return this->insert(insert); },
                   [&](const statement::Move& move) { return this->move(move); },
                   [&](const statement::Fill& fill) { return this->fill(fill); },
                   [](const auto&) { return Done(); }},
        statement);
  }

 private:
  Done enter(const statement::InGroup& in) {
    group_ = in.name;
    return {};
  }

  std::expected<Amount, BuildError> to_amount(const Value& value) {
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return Amount{.value = *number};
    const auto* place = std::get_if<Place>(&value);
    const auto* size = std::get_if<SizeOf>(&value);
    if (place == nullptr && size == nullptr) return std::unexpected("found bytes, expected a number");
    const auto found = document_.find(place != nullptr ? place->label : size->label);
    if (!found) return std::unexpected(found.error());
    const auto shift = static_cast<std::uint64_t>(place != nullptr ? place->shift : size->shift);
    if (size != nullptr) return Amount{Amount::Of::size, found->node->id, shift};
    return Amount{place->at_end ? Amount::Of::end : Amount::Of::start, found->node->id, shift};
  }

  std::expected<Node, BuildError> make_bytes(const Element& element) {
    std::string bytes;
    for (const Value& argument : element.arguments) {
      const auto* text = std::get_if<std::string>(&argument);
      if (text == nullptr) return std::unexpected("found a NUMBER after `bytes`, expected only TEXTs");
      bytes += *text;
    }
    return document_.make_bytes(element.name, bytes);
  }

  std::expected<Node, BuildError> make_integer(const Element& element) {
    if (element.arguments.size() != 1)
      return std::unexpected(fmt::format("expected one NUMBER after `{}`", element.word));
    const auto amount = to_amount(element.arguments.front());
    if (!amount) return std::unexpected(amount.error());
    const std::size_t width = element.word == "u8"    ? 1
                              : element.word == "u16" ? 2
                              : element.word == "u32" ? 4
                                                      : 8;
    return document_.make_integer(element.name, width, *amount);
  }

  std::expected<Node, BuildError> make(const Element& element) {
    if (element.word == "bytes") return make_bytes(element);
    if (element.word.starts_with('u')) return make_integer(element);
    if (element.word == "entries") return chrome::make_entries(document_, element);
    if (element.word == "section") return mvmheap::v2::make_section(document_, element);
    return mvmheap::v3::make_block(document_, element);
  }

  Done add(const statement::Add& add) {
    auto node = make(add.element);
    if (!node) return std::unexpected(std::move(node.error()));
    Node& group = group_.empty() ? document_.root() : document_.group(group_);
    group.children.push_back(std::move(*node));
    return {};
  }

  Done set(const statement::Set& set) {
    const auto found = document_.find(set.label);
    if (!found) return std::unexpected(found.error());
    Node& node = *found->node;
    const auto* text = std::get_if<std::string>(&set.value);
    const auto* number = std::get_if<std::uint64_t>(&set.value);
    switch (node.shape) {
      case Node::Shape::integer: {
        const auto amount = to_amount(set.value);
        if (!amount) return std::unexpected(amount.error());
        node.amount = *amount;
        return {};
      }
      case Node::Shape::bytes:
        if (text == nullptr && number == nullptr) break;
        node.bytes = text != nullptr ? *text : std::to_string(*number);
        return {};
      case Node::Shape::group:
      case Node::Shape::blocks:
        if (text == nullptr) break;
        node.children = mvmheap::v3::make_json(document_, *text);
        return {};
    }
    return std::unexpected(fmt::format("{} cannot be set to a value of this kind", set.label));
  }

  Done drop(const statement::Drop& drop) {
    const auto found = document_.find(drop.label);
    if (!found || found->parent == nullptr)
      return std::unexpected(fmt::format("{} cannot be dropped", drop.label));
    found->parent->children.erase(found->parent->children.begin() +
                                  static_cast<std::ptrdiff_t>(found->index));
    return {};
  }

  Done place(std::string_view label, bool is_after, Node node) {
    const auto found = document_.find(label);
    if (!found) return std::unexpected(found.error());
    if (found->parent == nullptr) {
      auto& all = found->node->children;
      all.insert(is_after ? all.end() : all.begin(), std::move(node));
      return {};
    }
    const auto at = static_cast<std::ptrdiff_t>(found->index + (is_after ? 1 : 0));
    found->parent->children.insert(found->parent->children.begin() + at, std::move(node));
    return {};
  }

  Done duplicate(const statement::Duplicate& duplicate) {
    const auto found = document_.find(duplicate.label);
    if (!found) return std::unexpected(found.error());
    return place(duplicate.label, true, document_.copy(*found->node, duplicate.name));
  }

  Done insert(const statement::Insert& insert) {
    auto node = make(insert.element);
    if (!node) return std::unexpected(std::move(node.error()));
    return place(insert.label, insert.is_after, std::move(*node));
  }

  Done move(const statement::Move& move) {
    const auto found = document_.find(move.label);
    if (!found) return std::unexpected(found.error());
    Node node = *found->node;
    if (auto done = drop({move.label}); !done) return done;
    return place(move.to, move.is_after, std::move(node));
  }

  Done fill(const statement::Fill& fill) {
    const auto found = document_.find(fill.label + ".blocks");
    if (!found) return std::unexpected(found.error());
    found->node->children.clear();
    found->node->fill = fill;
    return {};
  }

  Document& document_;
  std::string group_;
};

/// Makes the changes to finished bytes, in order.
class BytePatcher {
 public:
  explicit BytePatcher(Built& built) : built_(built) {}

  Done apply(const Statement& statement) {
    return std::visit(Overloaded{[&](const statement::Patch& patch) { return this->patch(patch); },
                                 [&](const statement::Cut& cut) { return this->cut(cut); },
                                 [&](const statement::Wrap& wrap) { return this->wrap(wrap); },
                                 [](const auto&) { return Done(); }},
                      statement);
  }

 private:
  std::expected<std::string, BuildError> encode_value(const Value& value, const Place& place) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    const auto node = place.label.empty()
                          ? std::unexpected(BuildError(
                                "found a number at a plain offset, expected a label, which sets the width"))
                          : built_.document.find(place.label);
    if (!node) return std::unexpected(node.error());
    if (node->node->shape != Node::Shape::integer)
      return std::unexpected(fmt::format("{} is not a number", place.label));
    auto number = to_number(value);
    if (!number) return std::unexpected(number.error());
    std::string bytes;
    for (std::size_t i = 0; i < node->node->width; ++i) bytes += static_cast<char>(*number >> (8 * i));
    return bytes;
  }

  std::expected<std::uint64_t, BuildError> to_number(const Value& value) {
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return *number;
    if (const auto* place = std::get_if<Place>(&value)) return built_.find(*place);
    const auto* size = std::get_if<SizeOf>(&value);
    if (size == nullptr) return std::unexpected("found bytes, expected a number");
    const auto node = built_.document.find(size->label);
    if (!node) return std::unexpected(node.error());
    return built_.layout[node->node->id].file.length + static_cast<std::uint64_t>(size->shift);
  }

  Done patch(const statement::Patch& patch) {
    const auto offset = built_.find(patch.place);
    if (!offset) return std::unexpected(offset.error());
    const auto bytes = encode_value(patch.value, patch.place);
    if (!bytes) return std::unexpected(bytes.error());
    const std::uint64_t size = built_.bytes.size();
    if (bytes->size() > size || *offset > size - bytes->size())
      return std::unexpected("the patch extends beyond the end of the file");
    std::ranges::copy(*bytes, built_.bytes.begin() + static_cast<std::ptrdiff_t>(*offset));
    return {};
  }

  Done cut(const statement::Cut& cut) {
    const auto offset = built_.find(cut.place);
    if (!offset) return std::unexpected(offset.error());
    if (*offset > built_.bytes.size())
      return std::unexpected("the place of the cut is after the end of the file");
    built_.bytes.resize(*offset);
    return {};
  }

  Done wrap(const statement::Wrap& wrap) {
    if (wrap.what == "zstd") {
      built_.bytes = store_as_zstd(built_.bytes);
    } else if (wrap.what == "gzip") {
      built_.bytes = store_as_gzip(built_.bytes);
    } else if (wrap.what == text_mode) {
      built_.bytes = write_in_text_mode(built_.bytes);
    } else {
      return std::unexpected("unknown kind of wrapping, expected zstd, gzip or text-mode");
    }
    return {};
  }

  Built& built_;
};

template <class Worker>
Done apply_all(Worker&& worker, const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    if (auto done = worker.apply(statement); !done) return done;
  }
  return {};
}

}  // namespace

std::expected<Spot, BuildError> Built::find_spot(const Place& place) {
  const auto shift = static_cast<std::uint64_t>(place.shift);
  if (place.label.empty()) return Spot{{shift, 0}};
  const auto found = document.find(place.label);
  if (!found) return std::unexpected(found.error());
  Spot spot = layout[found->node->id];
  spot.file.offset = (place.at_end ? spot.file.end() : spot.file.offset) + shift;
  if (spot.content)
    spot.content->offset = (place.at_end ? spot.content->end() : spot.content->offset) + shift;
  return spot;
}

std::expected<std::uint64_t, BuildError> Built::find(const Place& place) {
  const auto spot = find_spot(place);
  if (!spot) return std::unexpected(spot.error());
  return spot->file.offset;
}

std::expected<Built, BuildError> build(const std::vector<Statement>& statements) {
  Built built;
  if (auto done = apply_all(RecipeBuilder(built.document), statements); !done)
    return std::unexpected(done.error());
  built.document.list_blocks();
  built.layout = lay_out(built.document);
  built.bytes = encode(built.document, built.layout);
  if (auto done = apply_all(BytePatcher(built), statements); !done) return std::unexpected(done.error());
  return built;
}

}  // namespace heapcheck::conformance
