/** Drives the C++ client through scenarios: JSON lines on standard input and output (clients/conformance/README.md). */
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/client.hpp"
#include "loadout/curl_transport.hpp"
#include "command.hpp"
#include "parts.hpp"

namespace driver {

class Driver {
 public:
  Driver() {
    commands_ = {
        {"create", &Driver::create}, {"start", &Driver::start}, {"get", &Driver::get},
        {"activate", &Driver::activate}, {"ready", &Driver::ready}, {"refresh", &Driver::refresh},
        {"setUser", &Driver::setUser}, {"setContext", &Driver::setContext}, {"expose", &Driver::expose},
        {"track", &Driver::track}, {"setConsent", &Driver::setConsent}, {"flush", &Driver::flush},
        {"suspend", &Driver::suspend}, {"resume", &Driver::resume}, {"stop", &Driver::stop},
        {"watched", &Driver::watched}, {"logged", &Driver::logged}, {"advance", &Driver::advance},
        {"idle", &Driver::idle}, {"setWall", &Driver::setWall},
        {"throwInListeners", &Driver::throwInListeners}, {"failStorage", &Driver::failStorage},
        {"items", &Driver::items}, {"readItem", &Driver::readItem}, {"writeItem", &Driver::writeItem},
        {"corruptItem", &Driver::corruptItem},
    };
  }

  void run() {
    writeLine("{\"driver\":\"cpp\",\"can\":[\"stream\"]}");
    std::string input;
    while (readInput(input)) {
      for (std::size_t end = input.find('\n'); end != std::string::npos; end = input.find('\n')) {
        const Command command(input.substr(0, end));
        input.erase(0, end + 1);
        obey(command);
      }
      update();
    }
  }

 private:
  using Handler = void (Driver::*)(const Command&);

  static void writeLine(const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }

  /** Waits for input or traffic. False: the input has ended. */
  bool readInput(std::string& input) {
    curl_waitfd standardInput{};
    standardInput.fd = STDIN_FILENO;
    standardInput.events = CURL_WAIT_POLLIN;
    curl_multi_poll(transport_->multi(), &standardInput, 1, 1'000, nullptr);
    if (standardInput.revents == 0) return true;
    char piece[65'536];
    const ssize_t count = read(STDIN_FILENO, piece, sizeof piece);
    if (count < 0) return errno == EINTR;
    input.append(piece, static_cast<std::size_t>(count));
    return count > 0;
  }

  void obey(const Command& command) {
    n_ = std::string(command.member("n"));
    const auto found = commands_.find(command.text("command"));
    if (found == commands_.end()) return fail("There is no such command.");
    if (client_ == nullptr && found->first != "create") return fail("No client was created.");
    (this->*found->second)(command);
    update();
  }

  void respond(const std::string& result) { respondTo(n_, result); }
  static void respondTo(const std::string& n, const std::string& result) {
    writeLine("{\"n\":" + n + ",\"ok\":" + result + "}");
  }
  void fail(const std::string& sentence) { writeLine("{\"n\":" + n_ + ",\"error\":" + jsonOf(sentence) + "}"); }

  void update() {
    if (client_ != nullptr) client_->update();
  }

  /** Lets the network work, in real time, until no response is awaited. */
  void settle(bool isPatient) {
    client_->update();
    while (isPatient && client_->isBusy()) {
      curl_multi_poll(transport_->multi(), nullptr, 0, 100, nullptr);
      client_->update();
    }
    client_->update();
  }

  void create(const Command& command) {
    const std::string json(command.member("options"));
    const Command members(json);
    client_.reset();
    events_.clear();
    codes_.clear();
    isThrowing_ = false;
    clock_ = std::make_shared<VirtualClock>(command.integer("wallMs"));
    storage_ = members.text("storage").empty() ? nullptr : std::make_shared<DriverStorage>(members.text("storage"));
    loadout::Options options;
    const std::string problem = readOptions(members, options);
    if (!problem.empty()) return fail(problem);
    options.random = randomOf(command);
    std::string wrong;
    client_ = loadout::Client::create(std::move(options), wrong);
    if (client_ == nullptr) return fail(wrong);
    client_->watch([this](const loadout::WatchEvent& event) {
      events_.push_back(event);
      throwIfWanted();
    });
    respond("null");
  }

  /** @return a sentence on what the language's types would have rejected */
  std::string readOptions(const Command& members, loadout::Options& options) {
    for (const char* name : {"url", "key", "user", "appVersion", "baseline"}) {
      const JsonKind kind = kindOf(members.member(name));
      const bool isText = kind == JsonKind::None || kind == JsonKind::Null || kind == JsonKind::String;
      if (!isText) return std::string(name) + " is no string.";
    }
    options.url = members.text("url");
    options.key = members.text("key");
    options.user = members.text("user");
    options.appVersion = members.text("appVersion");
    options.baseline = members.text("baseline");
    if (!members.member("attributes").empty()) options.attributes = std::string(members.member("attributes"));
    for (JsonElements ids(members.member("ids")); ids.next();) options.ids.push_back(textOf(ids.value));
    const std::string updates = members.text("updates");
    if (updates == "poll") options.updates = loadout::Updates::Poll;
    else if (updates == "none") options.updates = loadout::Updates::None;
    else if (!members.member("updates").empty() && updates != "stream") return "updates is not stream, poll or none.";
    options.pollSeconds = members.number("pollSeconds", members.member("pollSeconds").empty() ? 300 : -1);
    options.autoActivate = members.isTrue("autoActivate");
    options.consentRequired = members.isTrue("consentRequired");
    options.transport = transport_;
    options.storage = storage_;
    options.clock = clock_;
    options.log = [this](const std::string& code, const std::string&) {
      codes_.push_back(code);
      throwIfWanted();
    };
    return {};
  }

  static std::function<double()> randomOf(const Command& command) {
    if (command.member("seed").empty()) {
      return [value = command.number("random", 0.5)] { return value; };
    }
    return [engine = std::mt19937_64(static_cast<std::uint64_t>(command.integer("seed")))]() mutable {
      return static_cast<double>(engine() >> 11) / 9'007'199'254'740'992.0;
    };
  }

  void throwIfWanted() const {
#if defined(__cpp_exceptions)
    if (isThrowing_) throw "as the scenario wants";
#endif
  }

  static std::string describe(const loadout::StartResult& result) {
    std::string out = "{";
    appendMember(out, "source", loadout::nameOf(result.source));
    appendName(out, "sequence");
    out += std::to_string(result.sequence);
    appendName(out, "recovered");
    out += result.isRecovered ? "true" : "false";
    appendName(out, "failure");
    return out + jsonOrNull(result.failure) + '}';
  }

  loadout::StartCallback startResponse() const {
    return [n = n_](const loadout::StartResult& result) { respondTo(n, describe(result)); };
  }

  void start(const Command& command) { client_->start(command.integer("waitMs"), startResponse()); }
  void setUser(const Command& command) {
    client_->setUser(command.text("user"), command.integer("waitMs"), startResponse());
  }
  void refresh(const Command&) {
    client_->refresh([n = n_](loadout::RefreshResult result) { respondTo(n, jsonOf(loadout::nameOf(result))); });
  }
  void flush(const Command&) {
    client_->flush([n = n_] { respondTo(n, "null"); });
  }

  template <typename T>
  void respondValue(const loadout::Value<T>& value, const std::string& json) {
    std::string out = "{";
    appendMember(out, "value", json);
    appendMember(out, "source", loadout::nameOf(value.source));
    appendName(out, "isPastChange");
    respond(out + (value.isPastChange ? "true}" : "false}"));
  }

  void get(const Command& command) {
    const std::string id = command.text("id");
    const std::string pointer = command.text("pointer");
    const std::string type = command.text("type");
    const std::string fallback = command.text("default");
    if (type == "boolean") {
      const auto value = client_->get(id, pointer, fallback == "true");
      respondValue(value, value.value ? "true" : "false");
    } else if (type == "integer") {
      const auto value = client_->get(id, pointer, loadout::detail::toInteger(fallback).value_or(0));
      respondValue(value, std::to_string(value.value));
    } else if (type == "double") {
      const auto value = client_->get(id, pointer, loadout::detail::toDouble(fallback).value_or(0));
      respondValue(value, loadout::detail::formatDouble(value.value));
    } else if (type == "string") {
      const auto value = client_->get(id, pointer, loadout::detail::unquoted(fallback));
      respondValue(value, jsonOf(value.value));
    } else {
      const auto value = client_->getJson(id, pointer, fallback);
      respondValue(value, value.value);
    }
  }

  void activate(const Command&) { respond(client_->activate() ? "true" : "false"); }
  void ready(const Command&) {
    client_->ready();
    respond("null");
  }
  void setContext(const Command& command) {
    client_->setContext(std::string(command.member("attributes")));
    respond("null");
  }
  void expose(const Command& command) {
    client_->expose(command.text("id"));
    respond("null");
  }
  void track(const Command& command) {
    // JSON has no NaN; a scenario sends null for it.
    client_->track(command.text("name"), command.number("value", std::numeric_limits<double>::infinity()));
    respond("null");
  }
  void setConsent(const Command& command) {
    client_->setConsent(command.isTrue("isGiven"));
    respond("null");
  }
  void suspend(const Command&) {
    client_->suspend();
    respond("null");
  }
  void resume(const Command&) {
    client_->resume();
    respond("null");
  }
  void stop(const Command&) {
    client_->stop();
    respond("null");
  }

  void watched(const Command&) {
    update();
    std::string out = "[";
    for (const loadout::WatchEvent& event : std::exchange(events_, {})) {
      if (out.size() > 1) out += ',';
      std::string entry = "{";
      appendMember(entry, "type", loadout::nameOf(event.type));
      appendName(entry, "ids");
      entry += listOf(event.ids);
      appendName(entry, "sequence");
      entry += std::to_string(event.sequence);
      appendName(entry, "code");
      out += entry + jsonOrNull(event.code) + '}';
    }
    respond(out + ']');
  }

  void logged(const Command&) {
    update();
    respond(listOf(std::exchange(codes_, {})));
  }

  void advance(const Command& command) {
    const std::string n = n_;
    const bool isPatient = command.isTrue("patient", true);
    const std::int64_t targetMs = clock_->monotonicMs() + command.integer("ms");
    for (;;) {
      settle(isPatient);
      const std::int64_t dueMs = client_->nextDueMs();
      if (dueMs > targetMs && clock_->monotonicMs() == targetMs) break;
      if (dueMs > clock_->monotonicMs()) clock_->moveTo(dueMs < targetMs ? dueMs : targetMs);
      client_->update();
    }
    respondTo(n, "null");
  }

  void idle(const Command&) {
    const std::string n = n_;
    settle(true);
    respondTo(n, "null");
  }

  void setWall(const Command& command) {
    clock_->moveWall(command.integer("ms"));
    respond("null");
  }
  void throwInListeners(const Command& command) {
    isThrowing_ = command.isTrue("isOn");
    respond("null");
  }

  void failStorage(const Command& command) {
    if (storage_ == nullptr) return fail("There is no storage.");
    storage_->isFailing = command.isTrue("isOn");
    respond("null");
  }

  void items(const Command&) { respond(listOf(storage_ == nullptr ? std::vector<std::string>() : storage_->names())); }

  /** False: there is no such item. */
  bool load(const std::string& name, std::string& text) {
    return storage_ != nullptr && storage_->files().getItem(name, text) == loadout::StorageResult::Done;
  }

  void readItem(const Command& command) {
    std::string text;
    respond(load(command.text("name"), text) ? jsonOf(text) : "null");
  }

  void writeItem(const Command& command) {
    if (storage_ == nullptr) return fail("There is no storage.");
    const std::string name = command.text("name");
    loadout::FileStorage& files = storage_->files();
    const bool isRemoved = kindOf(command.member("text")) == JsonKind::Null;
    const bool isDone = isRemoved ? files.removeItem(name) : files.setItem(name, command.text("text"));
    if (!isDone) return fail("The item cannot be written.");
    respond("null");
  }

  void corruptItem(const Command& command) {
    const std::string name = command.text("name");
    std::string text;
    if (!load(name, text)) return fail("There is no such item.");
    if (!command.member("length").empty()) {
      text.resize(static_cast<std::size_t>(command.integer("length")));
    } else {
      const std::int64_t at = command.integer("at");
      const auto place = static_cast<std::size_t>(at < 0 ? static_cast<std::int64_t>(text.size()) + at : at);
      if (place >= text.size()) return fail("The item is shorter.");
      text[place] = static_cast<char>(text[place] ^ static_cast<char>(command.integer("xor")));
    }
    if (!storage_->files().setItem(name, text)) return fail("The item cannot be written.");
    respond("null");
  }

  std::map<std::string, Handler> commands_;
  std::string n_;
  std::shared_ptr<loadout::CurlTransport> transport_ = std::make_shared<loadout::CurlTransport>();
  std::shared_ptr<VirtualClock> clock_;
  std::shared_ptr<DriverStorage> storage_;
  std::unique_ptr<loadout::Client> client_;
  std::vector<loadout::WatchEvent> events_;
  std::vector<std::string> codes_;
  bool isThrowing_ = false;
};

}  // namespace driver

int main() {
  driver::Driver().run();
  return 0;
}
