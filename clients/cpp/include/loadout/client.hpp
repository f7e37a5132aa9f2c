/**
 * A game's configuration at every start. `clients/README.md` says what a client does; this is the C++ one.
 *
 *   std::string problem;
 *   auto client = loadout::Client::create(options, problem);
 *   client->start(2'000, [](const loadout::StartResult& result) { … });
 *   client->update();                                   // once a frame
 *   double price = client->get("shop", "/price", 4.99);
 */
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/detail/baseline.hpp"
#include "loadout/detail/callbacks.hpp"
#include "loadout/detail/configurations.hpp"
#include "loadout/detail/event_queue.hpp"
#include "loadout/detail/intake.hpp"
#include "loadout/detail/option_check.hpp"
#include "loadout/detail/random.hpp"
#include "loadout/detail/receipts.hpp"
#include "loadout/detail/refresh.hpp"
#include "loadout/detail/run.hpp"
#include "loadout/detail/stream.hpp"
#include "loadout/options.hpp"
#include "loadout/reader.hpp"
#include "loadout/result.hpp"
#include "loadout/value.hpp"

namespace loadout {

/**
 * All methods are called on one thread, which calls `update` once a frame. Every callback runs inside `update`; it may
 * call any method but must not destroy the client. No method throws.
 */
class Client final : public Reader, private detail::Owner {
 public:
  /** @param problem a sentence on options that are wrong @return nullptr: they are */
  static std::unique_ptr<Client> create(Options options, std::string& problem) {
    problem = detail::problemOf(options);
    if (!problem.empty()) return nullptr;
    if (options.clock == nullptr) options.clock = std::make_shared<SystemClock>();
    if (options.random == nullptr) options.random = detail::Random(options.clock->wallMs());
    return std::unique_ptr<Client>(new Client(std::move(options)));
  }

  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() override { stop(); }

  /** Moves everything on: requests, timers, callbacks. Never waits. */
  void update() {
    if (isUpdating_) return;
    isUpdating_ = true;
    network_.pump();
    if (!run_.isStopped && !run_.isSuspended) timers_.run(run_.nowMs());
    callbacks_.run();
    isUpdating_ = false;
  }

  /**
   * Loads what is stored, applies it, and asks the server. `get` has values as soon as this returns.
   * @param waitMs the callback comes when the server's configuration was applied or cannot be had, at the latest after
   *     this time; 0: at once
   */
  void start(std::int64_t waitMs, StartCallback callback = nullptr) {
    if (run_.isStarted || run_.isStopped) return complete(std::move(callback), run_.isStopped ? "stopped" : "");
    run_.isStarted = true;
    begin(waitMs, std::move(callback));
  }

  /** Another player: as `start`, with that player's stored configuration. */
  void setUser(const std::string& user, std::int64_t waitMs, StartCallback callback = nullptr) {
    if (run_.isStopped) return complete(std::move(callback), "stopped");
    if (!detail::isUtf8(user)) return complete(std::move(callback), "user_invalid");
    if (run_.isStarted) leave("abandoned");
    run_.options.user = user;
    run_.isStarted = true;
    run_.isUnauthorized = false;
    intake_.forgetPages();
    begin(waitMs, std::move(callback));
  }

  /** Other attributes of the same player, as JSON text of an object. What differs waits for `activate`. */
  void setContext(const std::string& attributes) {
    if (!detail::isJsonObject(attributes)) {
      callbacks_.log("attributes_invalid", "The attributes are no JSON object; the former ones stay.");
      return;
    }
    run_.options.attributes = attributes;
    if (run_.isQuiet()) return;
    refresh_.abandon();
    stream_.close();
    refresh_.ask(nullptr);
  }

  /** Asks the server now. */
  void refresh(RefreshCallback callback = nullptr) {
    if (!run_.isStarted || run_.isSuspended || run_.isStopped) {
      if (callback != nullptr) callbacks_.post([callback = std::move(callback)] { callback(RefreshResult::Failed); });
      return;
    }
    run_.isUnauthorized = false;
    refresh_.ask([this, callback = std::move(callback)](const detail::Refresh::Outcome& outcome) {
      if (callback == nullptr) return;
      const auto result = !outcome.failure.empty() ? RefreshResult::Failed
                          : outcome.isChanged      ? RefreshResult::Changed
                                                   : RefreshResult::Unchanged;
      callbacks_.post([callback, result] { callback(result); });
    });
  }

  /** Calls the listener when a configuration waits, was activated, or cannot be had. @return what ends it */
  std::function<void()> watch(Listener listener) {
    const std::uint64_t id = ++lastListener_;
    listeners_->emplace(id, std::make_shared<const Listener>(std::move(listener)));
    // The client may be gone when the game ends it.
    return [listeners = std::weak_ptr<Listeners>(listeners_), id] {
      if (const auto held = listeners.lock()) held->erase(id);
    };
  }

  /** Applies the configuration that waits. @return whether there was one */
  bool activate() {
    if (!run_.isStarted || run_.isStopped || !configurations_.isWaiting()) return false;
    std::vector<std::string> ids = detail::differingIds(configurations_.active(), configurations_.latest());
    configurations_.activate();
    waitingFor_.clear();
    emit(WatchEvent::Type::Activated, std::move(ids), "");
    return true;
  }

  /** The game reached its menu with the active configuration, which is confirmed by that. */
  void ready() {
    if (run_.isStarted && !run_.isStopped) receipts_.add(configurations_.ready(), true);
  }

  /** Reports that the player sees this content item. */
  void expose(std::string_view id) {
    const detail::Content* content = configurations_.contentOf(id);
    if (content != nullptr) events_.expose(*content);
  }

  /** Reports a metric event; `name` has 1 to 100 characters. */
  void track(std::string_view name, double value) { events_.track(name, value); }

  /** Whether exposures and metrics may be kept and sent. */
  void setConsent(bool isGiven) {
    if (!run_.isStopped) events_.setConsent(isGiven);
  }

  /** Sends what is queued now. */
  void flush(std::function<void()> callback = nullptr) {
    const auto post = [this, callback = std::move(callback)] {
      if (callback != nullptr) callbacks_.post(callback);
    };
    if (run_.isStopped) return post();
    events_.flush(post);
  }

  /** The game goes to the background: no requests, no timers. Calls that are pending stay so. */
  void suspend() {
    if (!run_.isStarted || run_.isSuspended || run_.isStopped) return;
    run_.isSuspended = true;
    events_.store();
    halt();
    events_.completeFlushes();
  }

  /** The game came back: asks the server at once. */
  void resume() {
    if (!run_.isSuspended || run_.isStopped) return;
    run_.isSuspended = false;
    run_.isUnauthorized = false;
    receipts_.resume();
    events_.plan();
    refresh_.ask(nullptr);
  }

  /** Ends everything. Pending calls complete as failed with the next `update`; values can still be read. */
  void stop() {
    if (run_.isStopped) return;
    if (run_.isStarted) leave("stopped");
    run_.isStopped = true;
    network_.cancelAll();
  }

  /** When `update` has something to do without traffic, as `Clock::monotonicMs`; the highest value: never. */
  std::int64_t nextDueMs() const {
    return run_.isStopped || run_.isSuspended ? detail::Timer::never : timers_.nextDueMs();
  }

  /** Whether a response or a callback is awaited. An open stream is no reason. */
  bool isBusy() const { return network_.isBusy() || !callbacks_.isEmpty(); }

 private:
  using Listeners = std::map<std::uint64_t, std::shared_ptr<const Listener>>;

  explicit Client(Options options)
      : options_(std::move(options)), callbacks_(options_.log), items_(options_.storage, callbacks_),
        network_(options_.transport, *options_.clock, timers_),
        configurations_(items_, options_.url, options_.key, options_.appVersion, baselineOf(options_, callbacks_)),
        run_{options_, *options_.clock, timers_, callbacks_, network_, configurations_},
        intake_(options_, *options_.clock, configurations_), refresh_(run_, intake_, *this),
        stream_(run_, intake_, *this, [this] { refresh_.planPoll(stream_.isOpen()); }),
        events_(run_, intake_, items_), receipts_(run_), startWait_([this] { endWait(); }) {
    timers_.add(startWait_);
  }

  static std::optional<detail::Configuration> baselineOf(const Options& options, detail::Callbacks& callbacks) {
    if (options.baseline.empty()) return std::nullopt;
    auto baseline = detail::readBaseline(options.baseline);
    if (!baseline) {
      callbacks.log("baseline_invalid", "The baseline cannot be read and does not count.");
    } else if (baseline->appVersion != options.appVersion) {
      callbacks.log("baseline_version", "The baseline was exported for another app version.");
    }
    return baseline;
  }

  /** Loads the player and applies what there is, then asks the server. */
  void begin(std::int64_t waitMs, StartCallback callback) {
    const std::string receipt = configurations_.load(run_.options.user);
    if (configurations_.isRecovered()) {
      callbacks_.log("recovered", "The run before did not reach ready with its configuration.");
    }
    waitingFor_.clear();
    events_.load();
    isStarting_ = waitMs > 0;
    configurations_.setStarting(isStarting_);
    if (!isStarting_) {
      complete(std::move(callback), "");
    } else {
      started_ = std::move(callback);
      constexpr std::int64_t waitMsMax = 3'600'000;
      startWait_.set(run_.nowMs() + (waitMs < waitMsMax ? waitMs : waitMsMax));
    }
    receipts_.add(receipt, false);
    refresh_.ask(!isStarting_ ? detail::Refresh::Callback() : [this](const detail::Refresh::Outcome& outcome) {
      endStart(outcome.failure);
    });
  }

  /** The end of a player's part of the run. */
  void leave(const char* code) {
    events_.store();
    halt();
    events_.completeFlushes();
    refresh_.failCallers(code);
    endStart(code);
    configurations_.leave();
  }

  /** Ends requests and timers. */
  void halt() {
    refresh_.abandon();
    stream_.close();
    events_.pause();
    receipts_.pause();
  }

  void endWait() { endStart(refresh_.lastFailure().empty() ? "timeout" : refresh_.lastFailure()); }

  void endStart(const std::string& failure) {
    if (!isStarting_) return;
    isStarting_ = false;
    configurations_.setStarting(false);
    startWait_.clear();
    complete(std::exchange(started_, nullptr), failure);
  }

  void complete(StartCallback callback, const std::string& failure) {
    if (callback == nullptr) return;
    StartResult result;
    result.source = configurations_.source();
    result.sequence = activeSequence();
    result.isRecovered = configurations_.isRecovered();
    result.failure = failure;
    callbacks_.post([callback = std::move(callback), result] { callback(result); });
  }

  void onComplete() override {
    if (configurations_.isWaiting()) takeWaiting();
    else waitingFor_.clear();
    stream_.want();
    refresh_.planPoll(stream_.isOpen());
    events_.plan();
    receipts_.resume();
  }

  void takeWaiting() {
    if (isStarting_) {
      configurations_.activate();
    } else if (run_.options.autoActivate) {
      activate();
    } else if (waitingFor_ != configurations_.latest()->fingerprint) {
      waitingFor_ = configurations_.latest()->fingerprint;
      emit(WatchEvent::Type::Waiting, detail::differingIds(configurations_.active(), configurations_.latest()), "");
    }
  }

  void onUnusable(const std::string& code) override {
    emit(WatchEvent::Type::Failed, {}, code);
    refresh_.planPoll(stream_.isOpen());
  }

  void onUnauthorized() override {
    run_.isUnauthorized = true;
    stream_.close();
    refresh_.rest();
    events_.pause();
    receipts_.pause();
    events_.completeFlushes();
  }

  void emit(WatchEvent::Type type, std::vector<std::string> ids, const std::string& code) {
    WatchEvent event;
    event.type = type;
    event.ids = std::move(ids);
    event.sequence = type == WatchEvent::Type::Waiting ? configurations_.latest()->sequence : activeSequence();
    event.code = code;
    for (const auto& entry : *listeners_) {
      callbacks_.post([listeners = listeners_, id = entry.first, event] {
        const auto found = listeners->find(id);
        if (found == listeners->end()) return;
        // It may end itself.
        const auto listener = found->second;
        (*listener)(event);
      });
    }
  }

  const detail::Run& running() const override { return run_; }

  std::int64_t activeSequence() const { return configurations_.active() ? configurations_.active()->sequence : 0; }

  Options options_;
  detail::Callbacks callbacks_;
  detail::Timers timers_;
  detail::SavedItems items_;
  detail::Network network_;
  detail::Configurations configurations_;
  detail::Run run_;
  detail::Intake intake_;
  detail::Refresh refresh_;
  detail::Stream stream_;
  detail::EventQueue events_;
  detail::Receipts receipts_;
  detail::Timer startWait_;
  StartCallback started_;
  /** `start` or `setUser` has not completed. */
  bool isStarting_ = false;
  bool isUpdating_ = false;
  /** Fingerprint that the listeners know to wait; empty: none. */
  std::string waitingFor_;
  std::shared_ptr<Listeners> listeners_ = std::make_shared<Listeners>();
  std::uint64_t lastListener_ = 0;
};

}  // namespace loadout
