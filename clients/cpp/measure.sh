#!/bin/sh
# What the client costs a game: time to compile a file that uses it, and growth of the program. Prints a Markdown table,
# the median of five runs each, after one that is not counted. Needs GNU time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/without.cpp" <<'CPP'
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
int main(int count, char**) {
  std::map<std::string, std::shared_ptr<std::vector<std::string>>> games;
  std::function<void()> add = [&] { games["a"] = std::make_shared<std::vector<std::string>>(); };
  add();
  return count + static_cast<int>(games.size()) == 0 ? 1 : 0;
}
CPP
cat > "$work/with.cpp" <<'CPP'
#include "loadout/client.hpp"
int main(int count, char** arguments) {
  loadout::Options options;
  options.url = arguments[count - 1];
  std::string problem;
  const auto client = loadout::Client::create(std::move(options), problem);
  if (client == nullptr) return 1;
  client->start(2'000, [](const loadout::StartResult&) {});
  client->update();
  const double price = client->get("shop", "/price", 4.99);
  client->ready();
  client->stop();
  return price > 5 ? 1 : 0;
}
CPP

compile() {
  compiler=$1
  name=$2
  shift 2
  "$compiler" -std=c++17 "$@" -I"$here/include" "$work/$name.cpp" -o "$work/$name"
}

# Seconds of CPU, since other programs may run beside this.
seconds() {
  for run in 0 1 2 3 4 5; do
    command time -f '%U %S' "$@" 2>&1 |
      awk -v run="$run" 'run > 0 { print $1 + $2 }'
  done | sort -n | sed -n 3p
}

size() {
  strip -o "$work/stripped" "$work/$1"
  wc -c < "$work/stripped"
}

echo "| compiler | flags | compile, s of CPU | growth of the stripped program, KB |"
echo "| --- | --- | --- | --- |"
for compiler in g++ clang++; do
  command -v "$compiler" > /dev/null || continue
  for flags in "-O2" "-Os -fno-exceptions -fno-rtti"; do
    # shellcheck disable=SC2086
    {
      compile "$compiler" without $flags
      compile "$compiler" with $flags
      with=$(seconds "$compiler" -std=c++17 $flags -I"$here/include" -c "$work/with.cpp" -o "$work/with.o")
      without=$(seconds "$compiler" -std=c++17 $flags -c "$work/without.cpp" -o "$work/without.o")
    }
    growth=$(( ($(size with) - $(size without) + 512) / 1024 ))
    echo "| $("$compiler" --version | head -1) | \`$flags\` | $with (of which $without are the standard headers) | $growth |"
  done
done
