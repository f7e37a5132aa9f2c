/** How a game gets its content, ready to paste, with key and address filled in: over HTTP, and with each client kit. */

export interface SnippetOptions {
  /** Origin of the delivery API. */
  readonly address: string;
  readonly key: string;
  /** A live content item; null: there is none, and curl requests the catalog. */
  readonly content: string | null;
}

export interface Snippet {
  /** For ids of elements. */
  readonly id: 'curl' | 'javascript' | 'csharp' | 'cpp';
  readonly name: 'curl' | 'JavaScript' | 'C# (Unity)' | 'C++';
  readonly text: string;
}

// All snippets are of one player.
const userContext = '{"u":"player-1","p":{"country":"DE"},"v":"1.0.0"}';
/** What the kits read where nothing is live yet: they give the default. */
const contentToCome = 'shop';

export function snippets(options: SnippetOptions): readonly Snippet[] {
  const { address, key, content } = options;
  const origin = address.endsWith('/') ? address.slice(0, -1) : address;
  const id = content ?? contentToCome;
  return [
    { id: 'curl', name: 'curl', text: curl(urlOf(origin, content), key, content !== null) },
    { id: 'javascript', name: 'JavaScript', text: javaScript(origin, key, id) },
    { id: 'csharp', name: 'C# (Unity)', text: cSharp(origin, key, id) },
    { id: 'cpp', name: 'C++', text: cpp(origin, key, id) },
  ];
}

function urlOf(origin: string, content: string | null): string {
  if (content === null) return `${origin}/api/v1/env/catalog`;
  return `${origin}/api/v1/config/${encodeURIComponent(content)}/dynamic`;
}

function curl(url: string, key: string, isPost: boolean): string {
  const lines = [
    `curl -sS ${shellQuoted(url)}`,
    `-H ${shellQuoted(`X-Api-Key: ${key}`)}`,
    "-H 'Content-Type: application/json'",
    ...(isPost ? [`-d ${shellQuoted(userContext)}`] : []),
  ];
  return lines.join(' \\\n  ');
}

function javaScript(url: string, key: string, id: string): string {
  return `import { createClient } from '@loadout/client';

const loadout = createClient({
  url: ${quoted(url)},
  key: ${quoted(key)},
  user: 'player-1', // An account, or a random id that the game keeps.
  attributes: { country: 'DE' },
  appVersion: '1.0.0',
});

// Completes after two seconds at the latest, with or without a network.
const { source } = await loadout.start(2000);

// All of it; a single value, or else your default: get(${quoted(id)}, '/price', 4.99).
const content = loadout.get(${quoted(id)}, '', {});
console.log(source, content.value);

// The menu is on the screen, so this configuration works.
loadout.ready();`;
}

function cSharp(url: string, key: string, id: string): string {
  return `using System;
using Loadout;
using UnityEngine;

public class LoadoutExample : MonoBehaviour
{
    private Client client;

    private async void Start()
    {
        client = new Client(new ClientOptions
        {
            Url = ${doubleQuoted(url)},
            Key = ${doubleQuoted(key)},
            User = "player-1", // An account, or a random id that the game keeps.
            Attributes = new Attributes { { "country", "DE" } },
            AppVersion = "1.0.0",
        });
        // Completes after two seconds at the latest, with or without a network.
        StartResult result = await client.StartAsync(TimeSpan.FromSeconds(2));

        // All of it; a single value, or else your default: Get(${doubleQuoted(id)}, "/price", 4.99).
        string content = client.GetJson(${doubleQuoted(id)}, "", "{}");
        Debug.Log(result.Source + " " + content);

        // The menu is on the screen, so this configuration works.
        client.Ready();
    }

    private void Update()
    {
        client.Update();
    }

    private void OnDestroy()
    {
        client.Stop();
    }
}`;
}

function cpp(url: string, key: string, id: string): string {
  return `#include <cstdio>

#include "loadout/client.hpp"
#include "loadout/curl_transport.hpp"
#include "loadout/file_storage.hpp"

bool playOneFrame();  // Yours.

int main() {
  loadout::Options options;
  options.url = ${doubleQuoted(url)};
  options.key = ${doubleQuoted(key)};
  options.user = "player-1";  // An account, or a random id that the game keeps.
  options.attributes = R"({"country":"DE"})";
  options.appVersion = "1.0.0";
  options.transport = std::make_shared<loadout::CurlTransport>();
  options.storage = std::make_shared<loadout::FileStorage>("saves/loadout");

  std::string problem;
  const auto client = loadout::Client::create(options, problem);
  if (client == nullptr) {
    std::fprintf(stderr, "%s\\n", problem.c_str());  // The options are wrong.
    return 1;
  }
  // Called after two seconds at the latest, with or without a network.
  client->start(2'000, [&](const loadout::StartResult& result) {
    // All of it; a single value, or else your default: get(${doubleQuoted(id)}, "/price", 4.99).
    const auto content = client->getJson(${doubleQuoted(id)}, "", "{}");
    std::printf("%s %s\\n", loadout::nameOf(result.source), content.value.c_str());

    // The menu is on the screen, so this configuration works.
    client->ready();
  });
  while (playOneFrame()) client->update();
}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** As C# and C++ have it: their escapes are those of JSON, as far as these texts need any. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text);
}
