/** Reads what `loadout export --baseline` writes: a configuration that a build is shipped with. */
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "loadout/detail/configuration.hpp"
#include "loadout/detail/json.hpp"
#include "loadout/detail/json_check.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/page.hpp"

namespace loadout::detail {

/** An entry, whose `data` is a string that holds the JSON text. Nullptr: it is garbage. */
inline std::shared_ptr<const Content> readBaselineContent(std::string id, std::string_view entry) {
  if (!isContentId(id) || kindOf(entry) != JsonKind::Object) return nullptr;
  auto content = std::make_shared<Content>();
  content->id = std::move(id);
  content->data = std::string(trimmed(textOf(memberOf(entry, "data"))));
  content->hash = textOf(memberOf(entry, "hash"));
  content->tag = textOf(memberOf(entry, "tag"));
  content->crc = textOf(memberOf(entry, "crc"));
  content->seg = std::string(memberOf(entry, "seg"));
  return isWhole(*content) && isJson(content->data) ? content : nullptr;
}

/** Nothing: it is no baseline. */
inline std::optional<Configuration> readBaseline(std::string_view text) {
  text = trimmed(text);
  if (kindOf(text) != JsonKind::Object || !isJson(text) || memberOf(text, "format") != "1") return std::nullopt;
  const std::string_view entries = memberOf(text, "contents");
  Page origin;
  if (!readOrigin(text, origin) || kindOf(entries) != JsonKind::Object) return std::nullopt;
  Contents contents;
  for (JsonMembers members(entries); members.next();) {
    auto content = readBaselineContent(unquoted(members.name), members.value);
    if (content == nullptr) return std::nullopt;
    std::string id = toLower(content->id);
    contents[std::move(id)] = std::move(content);
  }
  Configuration baseline;
  baseline.store = origin.store;
  baseline.sequence = origin.sequence;
  baseline.changesAt = origin.changesAt;
  baseline.appVersion = textOf(memberOf(text, "appVersion"));
  baseline.fingerprint = fingerprintOf(contents);
  baseline.contents = std::make_shared<const Contents>(std::move(contents));
  return baseline;
}

}  // namespace loadout::detail
