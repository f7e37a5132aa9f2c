/** What is stored of one player: the state, two slots with contents, and the list of players beside it. */
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/detail/configuration.hpp"
#include "loadout/detail/json.hpp"
#include "loadout/detail/json_check.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/number.hpp"
#include "loadout/detail/page.hpp"
#include "loadout/detail/saved_item.hpp"

namespace loadout::detail {

/** Players whose configurations are kept; those who played longest ago make room. */
inline constexpr std::size_t playersMax = 8;

struct SavedState {
  /** Without contents while they are read and written; those are in the slots. */
  std::optional<Configuration> latest;
  std::optional<Configuration> confirmed;
  /** Of the server's clock to the device's. */
  std::int64_t clockDifferenceMs = 0;
  /** Fingerprint of a configuration that was applied and has not been confirmed; empty: none. */
  std::string trying;
  std::string tryingReceipt;
  /** Fingerprint of a configuration with which runs failed; empty: none. */
  std::string failed;
  std::int64_t failures = 0;
  std::int64_t skip = 0;
};

class SavedPlayer {
 public:
  SavedPlayer(SavedItems& items, std::string_view url, std::string_view key, std::string_view user) : items_(items) {
    const std::string identity = std::string(url) + '\n' + std::string(key) + '\n' + std::string(user);
    player_ = crcText(identity);
    owner_ = hexOf(hash64(identity), 16);
  }

  std::string nameOfItem(std::string_view item) const { return "loadout-" + player_ + '-' + std::string(item); }

  /** Puts this player at the head of the list, and removes those who fall off its end. */
  void touch() {
    std::vector<std::string> players;
    const std::string index = items_.read("loadout-index").value_or("[]");
    for (JsonElements elements(index); elements.next();) {
      std::string player = textOf(elements.value);
      if (isLowerHex(player, 8) && player != player_) players.push_back(std::move(player));
    }
    players.insert(players.begin(), player_);
    std::string text = "[";
    for (std::size_t at = 0; at < players.size() && at < playersMax; ++at) {
      if (at > 0) text += ',';
      appendQuoted(text, players[at]);
    }
    text += ']';
    if (text == index || !items_.write("loadout-index", text)) return;
    for (std::size_t at = playersMax; at < players.size(); ++at) {
      for (const char* item : {"state", "0", "1", "events"}) items_.remove("loadout-" + players[at] + '-' + item);
    }
  }

  /** What counts of the state; a configuration is there only with its contents. */
  SavedState load() {
    SavedState state;
    const auto text = items_.read(nameOfItem("state"));
    if (!text || !readState(*text, state)) return {};
    std::array<std::shared_ptr<const Contents>, 2> slots;
    for (std::size_t slot = 0; slot < slots.size(); ++slot) slots[slot] = loadSlot(slot);
    for (auto* configuration : {&state.latest, &state.confirmed}) {
      if (!*configuration) continue;
      for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        if (slots[slot] != nullptr && fingerprints_[slot] == (*configuration)->fingerprint) {
          (*configuration)->contents = slots[slot];
        }
      }
      if ((*configuration)->contents == nullptr) configuration->reset();
    }
    if (state.confirmed) savedConfirmed_ = state.confirmed->fingerprint;
    return state;
  }

  /**
   * Writes what has changed: contents into a slot before the state that names them. The confirmed configuration goes
   * over the slot that is not that of the one before, and the latest over the other: one that was confirmed is always
   * there.
   */
  void save(const SavedState& state) {
    if (state.confirmed && isMissing(*state.confirmed)) {
      saveContents(*state.confirmed, indexOf(savedConfirmed_) == 0 ? 1 : 0);
      saveState(state);
    }
    if (state.latest && isMissing(*state.latest)) {
      saveContents(*state.latest, state.confirmed && indexOf(state.confirmed->fingerprint) == 0 ? 1 : 0);
    }
    saveState(state);
  }

 private:
  void saveContents(const Configuration& configuration, std::size_t slot) {
    std::string text = "{\"contents\":{";
    for (const auto& [id, content] : *configuration.contents) appendContent(text, *content);
    text += "}}";
    if (items_.write(nameOfItem(slot == 0 ? "0" : "1"), text)) fingerprints_[slot] = configuration.fingerprint;
  }

  /** Names only what the slots have. */
  void saveState(const SavedState& state) {
    std::string text = "{";
    appendMember(text, "owner", owner_);
    appendConfiguration(text, "latest", state.latest);
    appendConfiguration(text, "confirmed", state.confirmed);
    appendName(text, "clockDifferenceMs");
    text += std::to_string(state.clockDifferenceMs);
    appendMember(text, "trying", state.trying);
    appendMember(text, "tryingReceipt", state.tryingReceipt);
    appendMember(text, "failed", state.failed);
    appendName(text, "failures");
    text += std::to_string(state.failures);
    appendName(text, "skip");
    text += std::to_string(state.skip);
    text += '}';
    if (text == written_ || !items_.write(nameOfItem("state"), text)) return;
    written_ = text;
    savedConfirmed_ = state.confirmed && !isMissing(*state.confirmed) ? state.confirmed->fingerprint : std::string();
  }

  /** FNV-1a. Tells players apart whose short names are equal. */
  static std::uint64_t hash64(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    return hash;
  }

  /** The slot that has it; their number if none has. */
  std::size_t indexOf(const std::string& fingerprint) const {
    const auto found = std::find(fingerprints_.begin(), fingerprints_.end(), fingerprint);
    return static_cast<std::size_t>(found - fingerprints_.begin());
  }

  bool isMissing(const Configuration& configuration) const {
    return indexOf(configuration.fingerprint) == fingerprints_.size();
  }

  std::shared_ptr<const Contents> loadSlot(std::size_t slot) {
    const auto text = items_.read(nameOfItem(slot == 0 ? "0" : "1"));
    std::vector<std::shared_ptr<const Content>> list;
    if (!text || !isJson(*text) || !readContents(memberOf(*text, "contents"), list)) return nullptr;
    Contents contents;
    for (auto& content : list) {
      std::string id = toLower(content->id);
      contents[std::move(id)] = std::move(content);
    }
    fingerprints_[slot] = fingerprintOf(contents);
    return std::make_shared<const Contents>(std::move(contents));
  }

  /** As pages have it, so that one reader reads both. */
  static void appendContent(std::string& text, const Content& content) {
    appendName(text, content.id);
    text += "{\"data\":";
    text += content.data;
    appendMember(text, "hash", content.hash);
    appendName(text, "meta");
    text += "{\"seg\":";
    text += content.seg;
    text += '}';
    appendMember(text, "tag", content.tag);
    appendMember(text, "crc", content.crc);
    text += '}';
  }

  void appendConfiguration(std::string& text, std::string_view name,
                           const std::optional<Configuration>& configuration) {
    if (!configuration || isMissing(*configuration)) return;
    appendName(text, name);
    text += '{';
    appendMember(text, "fingerprint", configuration->fingerprint);
    appendMember(text, "appVersion", configuration->appVersion);
    appendMember(text, "store", configuration->store);
    appendName(text, "sequence");
    text += std::to_string(configuration->sequence);
    appendMember(text, "changesAt", configuration->changesAt);
    appendMember(text, "receipt", configuration->receipt);
    text += '}';
  }

  static std::int64_t integerOf(std::string_view object, std::string_view name) {
    const std::string_view value = memberOf(object, name);
    return kindOf(value) == JsonKind::Number ? toInteger(value).value_or(0) : 0;
  }

  static std::optional<Configuration> readConfiguration(std::string_view object) {
    if (kindOf(object) != JsonKind::Object) return std::nullopt;
    Configuration configuration;
    configuration.fingerprint = textOf(memberOf(object, "fingerprint"));
    configuration.appVersion = textOf(memberOf(object, "appVersion"));
    configuration.store = textOf(memberOf(object, "store"));
    configuration.sequence = integerOf(object, "sequence");
    configuration.changesAt = textOf(memberOf(object, "changesAt"));
    configuration.receipt = textOf(memberOf(object, "receipt"));
    return configuration;
  }

  bool readState(std::string_view text, SavedState& state) {
    if (!isJson(text) || textOf(memberOf(text, "owner")) != owner_) return false;
    state.latest = readConfiguration(memberOf(text, "latest"));
    state.confirmed = readConfiguration(memberOf(text, "confirmed"));
    state.clockDifferenceMs = integerOf(text, "clockDifferenceMs");
    state.trying = textOf(memberOf(text, "trying"));
    state.tryingReceipt = textOf(memberOf(text, "tryingReceipt"));
    state.failed = textOf(memberOf(text, "failed"));
    state.failures = std::max<std::int64_t>(0, integerOf(text, "failures"));
    state.skip = std::max<std::int64_t>(0, integerOf(text, "skip"));
    return true;
  }

  SavedItems& items_;
  std::string player_;
  std::string owner_;
  /** Of what the slots have; empty: nothing that counts. */
  std::array<std::string, 2> fingerprints_;
  /** State as it was written last. */
  std::string written_;
  /** Fingerprint of the confirmed configuration that the stored state names; empty: none. */
  std::string savedConfirmed_;
};

}  // namespace loadout::detail
