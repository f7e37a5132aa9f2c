/**
 * What the C++ client adds to what all clients do, without a network: types of values, callbacks, storages that fail.
 * Prints what does not hold, and ends with 1 then.
 */
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/client.hpp"
#include "loadout/file_storage.hpp"

namespace {

int broken = 0;

void expect(bool isKept, const char* promise) {
  if (isKept) return;
  std::printf("broken: %s\n", promise);
  ++broken;
}

/** Requests that never come back. */
class SilentTransport final : public loadout::Transport {
 public:
  void send(const loadout::Request&, loadout::Receiver&) override { ++sent; }
  void cancel(std::uint64_t) override { ++cancelled; }
  void pump() override {}
  bool canStream() const override { return false; }

  int sent = 0;
  int cancelled = 0;
};

std::string baselineOf(const std::string& data) {
  std::string quoted;
  loadout::detail::appendQuoted(quoted, data);
  return "{\"format\":1,\"store\":\"s\",\"sequence\":7,\"appVersion\":null,\"contents\":{\"Shop\":{\"data\":" + quoted +
         ",\"hash\":\"0000000000000000\",\"tag\":\"0123456789abcdef\",\"crc\":\"" + loadout::detail::crcText(data) +
         "\",\"seg\":[]}}}";
}

loadout::Options optionsWith(const std::string& data, std::shared_ptr<loadout::Transport> transport) {
  loadout::Options options;
  options.url = "http://127.0.0.1:1/";
  options.key = "key";
  options.baseline = baselineOf(data);
  options.transport = std::move(transport);
  return options;
}

std::unique_ptr<loadout::Client> started(const std::string& data) {
  std::string problem;
  auto client = loadout::Client::create(optionsWith(data, std::make_shared<SilentTransport>()), problem);
  client->start(0);
  return client;
}

void checkTypes() {
  const auto client = started(
      R"({"on":true,"small":-5,"large":9007199254740993,"wide":4294967295,"price":4.5,"exact":5.0,)"
      R"("name":"a\u00e9\ud83d\ude00","list":[ 1 ]})");
  const bool isOn = client->get("shop", "/on", false);
  const int small = client->get("SHOP", "/small", 0);
  const std::int64_t large = client->get("shop", "/large", std::int64_t{0});
  const double price = client->get("shop", "/price", 1.0);
  const std::string name = client->get("shop", "/name", "none");
  expect(isOn && small == -5 && large == 9'007'199'254'740'993 && price == 4.5, "values have the type of the default");
  expect(name == "a\xC3\xA9\xF0\x9F\x98\x80", "strings are UTF-8");
  expect(client->get("shop", "/price", 1.0F).value == 4.5, "a float asks for a double");
  expect(client->get("shop", "/exact", 0L).value == 5, "a number without a fraction is an integer");
  expect(client->get("shop", "/wide", 1).value == 1, "an integer that the default's type cannot hold is the default");
  expect(client->get("shop", "/wide", 1U).value == 4'294'967'295U, "an unsigned default takes what it can hold");
  expect(client->get("shop", "/wide", std::int16_t{3}).source == loadout::Source::Default, "and says so");
  expect(client->get("shop", "/small", 1U).value == 1U, "a negative integer is none for an unsigned default");
  expect(client->get("shop", "/none", std::string("x")).value == "x", "a default may be a std::string");
  expect(client->get("shop", "/none", std::string_view("y")).value == "y", "or a view of one");
  expect(client->getJson("shop", "/list", "[]").value == "[ 1 ]", "a list is its JSON text");
  expect(client->getJson("shop", "", "{}").source == loadout::Source::Baseline, "the root is a value");
}

void checkCallbacks() {
  const auto transport = std::make_shared<SilentTransport>();
  std::string problem;
  auto client = loadout::Client::create(optionsWith("1", transport), problem);
  int starts = 0;
  client->start(0, [&](const loadout::StartResult& result) {
    ++starts;
    expect(result.source == loadout::Source::Baseline && result.sequence == 7, "start says what is active");
  });
  expect(client->get("shop", "", 0).value == 1, "values are there when start returns");
  expect(starts == 0, "no callback runs outside of update");
  client->update();
  expect(starts == 1, "the callback runs in the next update");
  std::string failure;
  std::vector<loadout::RefreshResult> refreshes;
  client->setUser("ada", 5'000, [&](const loadout::StartResult& result) { failure = result.failure; });
  client->refresh([&](loadout::RefreshResult result) { refreshes.push_back(result); });
  client->stop();
  client->update();
  expect(failure == "stopped", "a pending start completes as failed when the client stops");
  expect(refreshes == std::vector<loadout::RefreshResult>{loadout::RefreshResult::Failed}, "and so does a refresh");
  expect(transport->sent == transport->cancelled, "no request outlives the client");
  expect(client->get("shop", "", 0).value == 1, "values can be read after stop");
  const auto end = client->watch([](const loadout::WatchEvent&) {});
  client.reset();
  end();
}

void checkOptions() {
  std::string problem;
  auto options = optionsWith("1", nullptr);
  expect(loadout::Client::create(options, problem) == nullptr && !problem.empty(), "a client needs a transport");
  options.transport = std::make_shared<SilentTransport>();
  options.user = "\xFF";
  expect(loadout::Client::create(options, problem) == nullptr, "a user is UTF-8");
  options.user = "";
  options.key = "a\r\nX-Other: 1";
  expect(loadout::Client::create(options, problem) == nullptr, "a key cannot add a header");
  options.key = "key";
  expect(loadout::Client::create(options, problem) != nullptr && problem.empty(), "the rest is right");
}

/** A folder that forgets at the end, and can break off after some writes. */
class Memory final : public loadout::Storage {
 public:
  loadout::StorageResult getItem(const std::string& name, std::string& text) override {
    const auto found = items.find(name);
    if (found == items.end()) return loadout::StorageResult::Absent;
    text = found->second;
    return loadout::StorageResult::Done;
  }
  bool setItem(const std::string& name, const std::string& text) override {
    if (writesLeft == 0) return false;
    --writesLeft;
    items[name] = text;
    return true;
  }
  bool removeItem(const std::string& name) override {
    items.erase(name);
    return true;
  }

  std::map<std::string, std::string> items;
  int writesLeft = 1'000;
};

loadout::detail::Configuration configurationOf(std::int64_t sequence) {
  using namespace loadout::detail;
  const std::string data = std::to_string(sequence);
  Content content{"shop", data, "", hexOf(static_cast<std::uint64_t>(sequence), 16), crcText(data), "[]"};
  Contents contents;
  contents["shop"] = std::make_shared<const Content>(std::move(content));
  Configuration configuration;
  configuration.store = "s";
  configuration.sequence = sequence;
  configuration.fingerprint = fingerprintOf(contents);
  configuration.contents = std::make_shared<const Contents>(std::move(contents));
  return configuration;
}

/** @return the sequence that is active after a crash; 0: none */
std::int64_t sequenceAfter(const std::shared_ptr<Memory>& memory) {
  using namespace loadout::detail;
  memory->writesLeft = 1'000;
  Callbacks callbacks(nullptr);
  SavedItems items(memory, callbacks);
  Configurations next(items, "url", "key", "", std::nullopt);
  next.load("ada");
  return next.active() ? next.active()->sequence : 0;
}

/** What was stored in an earlier run is not sent in one whose player refuses. */
void checkConsent() {
  const auto memory = std::make_shared<Memory>();
  for (const bool isRefusing : {false, true}) {
    auto options = optionsWith("1", std::make_shared<SilentTransport>());
    options.user = "ada";
    options.storage = memory;
    std::string problem;
    const auto client = loadout::Client::create(options, problem);
    if (isRefusing) client->setConsent(false);
    client->start(0);
    client->track("level", 1);
    client->stop();
    bool isKept = false;
    for (const auto& item : memory->items) isKept = isKept || item.first.find("-events") != std::string::npos;
    expect(isKept != isRefusing, "events are kept for the next run, but not against the player's will");
  }
}

/** The process ends after each number of writes: what was confirmed last, or before that, is there. */
void checkConfirmed() {
  using namespace loadout::detail;
  bool isWhole = false;
  for (int writes = 0; !isWhole; ++writes) {
    const auto memory = std::make_shared<Memory>();
    Callbacks callbacks(nullptr);
    SavedItems items(memory, callbacks);
    Configurations configurations(items, "url", "key", "", std::nullopt);
    configurations.load("ada");
    configurations.take(configurationOf(1));
    configurations.activate();
    configurations.ready();
    configurations.take(configurationOf(2));
    configurations.activate();
    configurations.take(configurationOf(3));
    memory->writesLeft = writes;
    configurations.ready();
    isWhole = memory->writesLeft > 0;
    configurations.activate();
    std::int64_t sequence = sequenceAfter(memory);
    // What waited had no mark yet, so it is tried, once.
    if (sequence == 3) sequence = sequenceAfter(memory);
    expect(sequence == 1 || sequence == 2, "a crash finds a configuration that was confirmed");
    if (isWhole) expect(sequence == 2, "and the one that was confirmed last, though another one waited then");
  }
}

void checkStorage(const std::string& folder) {
  loadout::FileStorage storage(folder + "/kept");
  std::string text = "before";
  expect(storage.getItem("a", text) == loadout::StorageResult::Absent, "what was never stored is absent");
  expect(storage.setItem("a", std::string("x\0y", 3)) && storage.setItem("a", "z"), "an item can be replaced");
  expect(storage.getItem("a", text) == loadout::StorageResult::Done && text == "z", "and is read whole");
  expect(storage.removeItem("a") && storage.removeItem("a"), "an item that is not there is removed");
  loadout::FileStorage deep(folder + "/saves/config/");
  expect(deep.setItem("a", "z"), "a folder is made with those above it");
  const std::string noFolder = folder + "/kept/file/folder";
  expect(storage.setItem("file", "z"), "an item is a file");
  loadout::FileStorage nowhere(noFolder);
  expect(!nowhere.setItem("a", "z"), "a folder that cannot be made is a failure");
  auto options = optionsWith("1", std::make_shared<SilentTransport>());
  std::vector<std::string> codes;
  options.storage = std::make_shared<loadout::FileStorage>(noFolder);
  options.log = [&](const std::string& code, const std::string&) { codes.push_back(code); };
  std::string problem;
  const auto client = loadout::Client::create(options, problem);
  client->start(0);
  client->update();
  expect(codes == std::vector<std::string>{"storage_failed"}, "a storage that fails is logged once");
  expect(client->get("shop", "", 0).value == 1, "and the client works in memory");
}

}  // namespace

int main(int count, char** arguments) {
  checkTypes();
  checkCallbacks();
  checkOptions();
  checkConfirmed();
  checkConsent();
  checkStorage(count > 1 ? arguments[1] : ".");
  return broken == 0 ? 0 : 1;
}
