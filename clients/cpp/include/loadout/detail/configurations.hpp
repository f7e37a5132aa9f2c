/**
 * The configurations of one player: which there are, which one the game reads, and which one is tried.
 *
 *   latest --(waits)--> active --ready()--> confirmed
 *      ^                  ^ mark written before, cleared by ready
 *   server             baseline
 *
 * A mark that is found when a player is loaded is the trace of a run that never reached `ready`. Knows no network.
 */
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/detail/configuration.hpp"
#include "loadout/detail/saved_item.hpp"
#include "loadout/detail/saved_player.hpp"
#include "loadout/value.hpp"

namespace loadout::detail {

class Configurations {
 public:
  Configurations(SavedItems& items, std::string url, std::string key, std::string appVersion,
                 std::optional<Configuration> baseline)
      : items_(items), url_(std::move(url)), key_(std::move(key)), appVersion_(std::move(appVersion)),
        baseline_(std::move(baseline)) {}

  const std::optional<Configuration>& active() const { return active_; }
  const std::optional<Configuration>& latest() const { return state_.latest; }
  Source source() const { return source_; }
  std::int64_t clockDifferenceMs() const { return state_.clockDifferenceMs; }
  /** Whether loading found a mark. */
  bool isRecovered() const { return isRecovered_; }
  std::string nameOfItem(std::string_view item) const { return player_->nameOfItem(item); }

  /** Of the active configuration; nullptr: it has none of that id. */
  const Content* contentOf(std::string_view id) const {
    if (!active_) return nullptr;
    const auto found = active_->contents->find(toLower(id));
    return found == active_->contents->end() ? nullptr : found->second.get();
  }

  /** Loads a player and applies the best of what there is. @return the receipt of what failed; empty: none */
  std::string load(const std::string& user) {
    const std::int64_t differenceMs = state_.clockDifferenceMs;
    player_ = std::make_unique<SavedPlayer>(items_, url_, key_, user);
    player_->touch();
    state_ = player_->load();
    if (isClockSeen_) state_.clockDifferenceMs = differenceMs;
    isLatestGiven_ = false;
    std::string receipt = takeMark();
    // Receipts are of the run in which they came.
    if (state_.latest) state_.latest->receipt.clear();
    if (state_.confirmed) state_.confirmed->receipt.clear();
    isSkipping_ = state_.skip > 0;
    if (isSkipping_) --state_.skip;
    choose();
    player_->save(state_);
    return receipt;
  }

  /** The player is left, which is no crash: the mark goes. */
  void leave() {
    if (player_ == nullptr) return;
    clearMark();
    player_->save(state_);
  }

  /** Whether `start` or `setUser` has not completed. */
  void setStarting(bool isStarting) { isStarting_ = isStarting; }

  void setClockDifference(std::int64_t ms) {
    state_.clockDifferenceMs = ms;
    isClockSeen_ = true;
  }

  /** What a request says that is held: the latest, else the confirmed one; or the baseline, if that is newer. */
  const std::optional<Configuration>& held() const {
    const auto& stored = state_.latest ? state_.latest : state_.confirmed;
    return !stored || isNewerBaseline(*stored) ? baseline_ : stored;
  }

  /** Takes a complete configuration from the server. @return whether it differs from what was held */
  bool take(Configuration given) {
    given.appVersion = appVersion_;
    if (state_.failed != given.fingerprint) clearFailure();
    const bool isChanged = !held() || held()->fingerprint != given.fingerprint;
    // One that comes too late for this start says nothing of it, whether anything differs or not.
    if (!isStarting_) given.receipt.clear();
    if (given.receipt.empty() && state_.latest && state_.latest->fingerprint == given.fingerprint) {
      given.receipt = state_.latest->receipt;
    }
    state_.latest = std::move(given);
    isLatestGiven_ = true;
    if (isSame(active_, state_.latest)) {
      active_ = state_.latest;
      source_ = Source::Server;
    }
    if (isSame(state_.confirmed, state_.latest)) state_.confirmed = state_.latest;
    player_->save(state_);
    return isChanged;
  }

  /** Whether the server gave a configuration in this run which is not the active one and may be applied. */
  bool isWaiting() const {
    if (!isLatestGiven_ || isSame(state_.latest, active_)) return false;
    return !(isSkipping_ && state_.latest->fingerprint == state_.failed);
  }

  /** Applies the latest. */
  void activate() {
    apply(state_.latest, Source::Server);
    player_->save(state_);
  }

  /** Confirms the active configuration. @return the receipt to send; empty: none */
  std::string ready() {
    if (!active_) return {};
    std::string receipt = std::exchange(active_->receipt, {});
    if (isSame(active_, state_.latest)) state_.latest->receipt.clear();
    clearMark();
    if (state_.failed == active_->fingerprint) clearFailure();
    if (!isBaseline(active_)) state_.confirmed = active_;
    player_->save(state_);
    return receipt;
  }

 private:
  bool isBaseline(const std::optional<Configuration>& configuration) const {
    return baseline_ && isSame(configuration, baseline_);
  }

  bool isNewerBaseline(const Configuration& than) const {
    return baseline_ && baseline_->store == than.store && baseline_->sequence > than.sequence;
  }

  /** Turns a mark into a failure. @return the receipt of what failed */
  std::string takeMark() {
    isRecovered_ = !state_.trying.empty();
    if (!isRecovered_) return {};
    const bool isAgain = state_.failed == state_.trying;
    state_.failures = isAgain ? state_.failures + 1 : 1;
    state_.failed = state_.trying;
    state_.skip = std::int64_t{1} << std::min<std::int64_t>(state_.failures - 1, 3);
    std::string receipt = std::move(state_.tryingReceipt);
    clearMark();
    return receipt;
  }

  void clearMark() {
    state_.trying.clear();
    state_.tryingReceipt.clear();
  }

  void clearFailure() {
    state_.failed.clear();
    state_.failures = 0;
    state_.skip = 0;
  }

  bool hasFailed(const Configuration& configuration) const { return configuration.fingerprint == state_.failed; }

  void choose() {
    const auto& latest = state_.latest;
    const auto& confirmed = state_.confirmed;
    const auto isOwn = [this](const std::optional<Configuration>& each) {
      return each && each->appVersion == appVersion_;
    };
    const std::optional<Configuration>* chosen = nullptr;
    if (isOwn(latest) && !hasFailed(*latest)) chosen = &latest;
    else if (isOwn(confirmed)) chosen = &confirmed;
    if (baseline_ && (chosen == nullptr || isNewerBaseline(**chosen))) {
      apply(baseline_, Source::Baseline);
      return;
    }
    if (chosen == nullptr && latest && !hasFailed(*latest)) chosen = &latest;
    if (chosen == nullptr && confirmed && !hasFailed(*confirmed)) chosen = &confirmed;
    if (chosen != nullptr) {
      apply(*chosen, Source::Cache);
    } else {
      active_.reset();
      source_ = Source::Default;
    }
  }

  /** The mark is stored before the game can read a value. */
  void apply(const std::optional<Configuration>& configuration, Source source) {
    if (isSame(configuration, state_.confirmed) || isBaseline(configuration)) {
      clearMark();
    } else if (state_.trying != configuration->fingerprint) {
      state_.trying = configuration->fingerprint;
      state_.tryingReceipt = configuration->receipt;
    }
    player_->save(state_);
    active_ = configuration;
    source_ = source;
  }

  SavedItems& items_;
  std::string url_;
  std::string key_;
  std::string appVersion_;
  std::optional<Configuration> baseline_;
  std::unique_ptr<SavedPlayer> player_;
  SavedState state_;
  std::optional<Configuration> active_;
  Source source_ = Source::Default;
  /** The server gave the latest in this run. */
  bool isLatestGiven_ = false;
  bool isRecovered_ = false;
  bool isStarting_ = false;
  /** In this run a failed configuration is left alone. */
  bool isSkipping_ = false;
  bool isClockSeen_ = false;
};

}  // namespace loadout::detail
