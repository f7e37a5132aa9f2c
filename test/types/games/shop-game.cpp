// A game that reads a content item through its generated types, and prints what it reads.
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "contents.hpp"
#include "loadout/client.hpp"
#include "loadout/curl_transport.hpp"

int main(int, char** arguments) {
  loadout::Options options;
  options.url = arguments[1];
  options.key = arguments[2];
  options.user = "player-1";
  options.updates = loadout::Updates::None;
  options.transport = std::make_shared<loadout::CurlTransport>();
  std::string problem;
  const auto client = loadout::Client::create(options, problem);
  if (client == nullptr) return std::fprintf(stderr, "%s\n", problem.c_str()), 1;

  bool isStarted = false;
  client->start(10'000, [&](const loadout::StartResult&) { isStarted = true; });
  while (!isStarted) {
    client->update();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const loadout::Value<GameConfig::Shop> read = GameConfig::getShop(*client, {});
  const GameConfig::Shop& shop = read.value;
  std::string names;
  if (shop.prices) {
    for (const auto& entry : *shop.prices) names += (names.empty() ? "" : ",") + entry.first;
  }
  const bool isEuro = shop.currency == GameConfig::Currency::Eur;
  const GameConfig::Offer& offer = shop.offers.at(0);
  std::printf("%s %s %lld %s %g %s %s\n", loadout::nameOf(read.source), isEuro ? "EUR" : "other",
              static_cast<long long>(shop.gems), offer.id.c_str(), offer.price, shop.opens.value_or("").c_str(),
              names.c_str());
  const GameConfig::Motd motd = GameConfig::getMotd(*client, {});
  std::printf("%s %zu %s\n", motd.text.c_str(), motd.hours.size(), motd.link.value_or("no link").c_str());
}
