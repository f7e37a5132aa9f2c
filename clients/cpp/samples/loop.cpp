/**
 * The loop of a game with a shop. Build with libcurl: g++ -std=c++17 -I../include loop.cpp -o loop -lcurl
 *
 *   ./loop http://127.0.0.1:8080 demo-key-0123456789abcdef player-1 saves 600
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "loadout/client.hpp"
#include "loadout/curl_transport.hpp"
#include "loadout/file_storage.hpp"

namespace {

void showShop(const loadout::Client& client) {
  const auto price = client.get("shop", "/price", 4.99);
  std::printf("shop: a sword costs %.2f (%s)\n", price.value, loadout::nameOf(price.source));
  std::fflush(stdout);
}

/** The game is usable: from here on, its end is no sign of a wrong configuration. */
void confirm(loadout::Client& client) {
  client.ready();
  std::printf("confirmed\n");
  std::fflush(stdout);
}

void onChange(loadout::Client& client, const loadout::WatchEvent& event) {
  if (event.type == loadout::WatchEvent::Type::Failed) {
    std::printf("server: %s\n", event.code.c_str());
    return;
  }
  // A game waits for its menu here: prices never change between display and purchase.
  if (event.type == loadout::WatchEvent::Type::Waiting && client.activate()) {
    showShop(client);
    confirm(client);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) {
    std::fprintf(stderr, "usage: loop URL KEY USER FOLDER FRAMES\n");
    return 2;
  }
  loadout::Options options;
  options.url = arguments[1];
  options.key = arguments[2];
  options.user = arguments[3];
  options.appVersion = "1.0.0";
  options.transport = std::make_shared<loadout::CurlTransport>();
  options.storage = std::make_shared<loadout::FileStorage>(arguments[4]);
  options.log = [](const std::string& code, const std::string& sentence) {
    std::fprintf(stderr, "%s: %s\n", code.c_str(), sentence.c_str());
  };
  std::string problem;
  const auto client = loadout::Client::create(std::move(options), problem);
  if (client == nullptr) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    return 2;
  }
  client->watch([&client](const loadout::WatchEvent& event) { onChange(*client, event); });
  client->start(2'000, [&client](const loadout::StartResult& result) {
    std::printf("started with sequence %lld\n", static_cast<long long>(result.sequence));
    showShop(*client);
    confirm(*client);
  });
  for (long left = std::atol(arguments[5]); left > 0; --left) {
    client->update();
    std::this_thread::sleep_for(std::chrono::milliseconds(16));
  }
  client->stop();
  client->update();
  return 0;
}
