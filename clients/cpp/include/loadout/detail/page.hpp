/** Reads a page: the response to a refresh, the data of an event of a stream, or a baseline. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/detail/configuration.hpp"
#include "loadout/detail/instant.hpp"
#include "loadout/detail/json.hpp"
#include "loadout/detail/json_check.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/number.hpp"

namespace loadout::detail {

struct Page {
  std::string store;
  std::int64_t sequence = 0;
  std::string changesAt;
  std::vector<std::shared_ptr<const Content>> contents;
  /** In lower case. */
  std::vector<std::string> gone;
  bool more = false;
  std::string receipt;
  bool takesEvents = false;
  /** The instant that an event names; empty: none. */
  std::string at;
};

/** 1 to 128 characters of `A-Z a-z 0-9 . _ -`. */
inline bool isContentId(std::string_view id) {
  if (id.empty() || id.size() > 128) return false;
  for (const char c : id) {
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!isLetter && !isDigit(c) && c != '.' && c != '_' && c != '-') return false;
  }
  return true;
}

/** Whether an entry has all that it needs, and `data` is what `crc` says. */
inline bool isWhole(const Content& content) {
  return !content.data.empty() && kindOf(content.seg) == JsonKind::Array && isLowerHex(content.tag, 16) &&
         content.crc == crcText(content.data);
}

/** An entry of `contents`; nullptr: it is garbage, or its `data` is not what its `crc` says. */
inline std::shared_ptr<const Content> readContent(std::string id, std::string_view entry) {
  if (!isContentId(id) || kindOf(entry) != JsonKind::Object) return nullptr;
  auto content = std::make_shared<Content>();
  content->id = std::move(id);
  content->data = std::string(memberOf(entry, "data"));
  content->hash = textOf(memberOf(entry, "hash"));
  content->tag = textOf(memberOf(entry, "tag"));
  content->crc = textOf(memberOf(entry, "crc"));
  const std::string_view meta = memberOf(entry, "meta");
  content->seg = kindOf(meta) == JsonKind::Object ? std::string(memberOf(meta, "seg")) : std::string();
  return isWhole(*content) ? content : nullptr;
}

/** False: one of them is garbage. */
inline bool readContents(std::string_view object, std::vector<std::shared_ptr<const Content>>& out) {
  if (kindOf(object) != JsonKind::Object) return false;
  for (JsonMembers members(object); members.next();) {
    auto content = readContent(unquoted(members.name), members.value);
    if (content == nullptr) return false;
    out.push_back(std::move(content));
  }
  return true;
}

inline bool readGone(std::string_view array, std::vector<std::string>& out) {
  if (kindOf(array) != JsonKind::Array) return false;
  for (JsonElements elements(array); elements.next();) {
    if (kindOf(elements.value) != JsonKind::String) return false;
    out.push_back(toLower(unquoted(elements.value)));
  }
  return true;
}

/** What pages and baselines share. A baseline is for all players, so it has no `changesAt`. */
inline bool readOrigin(std::string_view object, Page& page) {
  const std::string_view store = memberOf(object, "store");
  const std::string_view sequence = memberOf(object, "sequence");
  const std::string_view changesAt = memberOf(object, "changesAt");
  if (kindOf(store) != JsonKind::String || kindOf(sequence) != JsonKind::Number) return false;
  const auto number = toInteger(sequence);
  // X-Min-Sequence takes 15 digits.
  if (!number || *number < 0 || *number > 999'999'999'999'999) return false;
  page.store = unquoted(store);
  page.sequence = *number;
  if (changesAt.empty() || kindOf(changesAt) == JsonKind::Null) return true;
  page.changesAt = textOf(changesAt);
  return parseInstant(page.changesAt).has_value();
}

inline bool listHas(std::string_view array, std::string_view text) {
  if (kindOf(array) != JsonKind::Array) return false;
  for (JsonElements elements(array); elements.next();) {
    if (kindOf(elements.value) == JsonKind::String && quotedIs(elements.value, text)) return true;
  }
  return false;
}

/** Nothing: it is garbage. */
inline std::optional<Page> readPage(std::string_view text) {
  text = trimmed(text);
  if (kindOf(text) != JsonKind::Object || !isJson(text)) return std::nullopt;
  Page page;
  if (!readOrigin(text, page) || !readContents(memberOf(text, "contents"), page.contents)) return std::nullopt;
  if (!readGone(memberOf(text, "gone"), page.gone)) return std::nullopt;
  const std::string_view more = memberOf(text, "more");
  if (kindOf(more) != JsonKind::Boolean) return std::nullopt;
  page.more = more == "true";
  if (page.more && page.contents.empty()) return std::nullopt;
  page.receipt = textOf(memberOf(text, "receipt"));
  page.takesEvents = listHas(memberOf(text, "takes"), "events");
  page.at = textOf(memberOf(text, "at"));
  return page;
}

}  // namespace loadout::detail
