/** Pages on their way to a complete configuration. */
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/detail/configuration.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/page.hpp"

namespace loadout::detail {

/** More than any game's: only a server that never ends reaches it. */
inline constexpr std::size_t configurationBytesMax = std::size_t{256} << 20;

class Gathering {
 public:
  Gathering() = default;

  /** Begins with what is held. @param ids in lower case, those that are wanted; empty: all */
  Gathering(const std::optional<Configuration>& held, const std::vector<std::string>& ids) {
    if (!held) return;
    if (ids.empty()) contents_ = *held->contents;
    for (const std::string& id : ids) {
      const auto found = held->contents->find(id);
      if (found != held->contents->end()) contents_.insert(*found);
    }
  }

  /** False: the page is garbage, since there is to be more and this brings nothing new, or since all is too large. */
  bool add(const Page& page) {
    bool isNew = false;
    for (const auto& content : page.contents) {
      auto& place = contents_[toLower(content->id)];
      isNew = isNew || place == nullptr || place->tag != content->tag;
      place = content;
    }
    for (const std::string& id : page.gone) contents_.erase(id);
    std::size_t bytes = 0;
    for (const auto& each : contents_) bytes += each.second->data.size();
    return (isNew || !page.more) && bytes <= configurationBytesMax;
  }

  void appendHave(std::string& out) const {
    out += '{';
    for (const auto& each : contents_) appendMember(out, each.second->id, each.second->tag);
    out += '}';
  }

  /** Of the page that ended it. */
  Configuration configuration(const Page& last) const {
    Configuration whole;
    whole.store = last.store;
    whole.sequence = last.sequence;
    whole.changesAt = last.changesAt;
    whole.receipt = last.receipt;
    whole.fingerprint = fingerprintOf(contents_);
    whole.contents = std::make_shared<const Contents>(contents_);
    return whole;
  }

 private:
  Contents contents_;
};

}  // namespace loadout::detail
