#!/bin/sh
# Fuzzes the native core under AddressSanitizer and UndefinedBehaviorSanitizer: run.sh [seconds].
# With clang and its libFuzzer where they are installed, else with g++ and the driver beside this file.
set -eu
seconds="${1:-20}"
here=$(cd "$(dirname "$0")" && pwd)
build="${TMPDIR:-/tmp}/loadout-fuzz"
mkdir -p "$build/work"
cd "$here"
simdjson=$(node -p "require('node:path').dirname(require.resolve('simdjson/package.json'))")/src
xxhash=$(node -p "require('node:path').dirname(require.resolve('xxhash-addon/package.json'))")/xxHash
cd "$build"

flags="-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
probe='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
if command -v clang++ >/dev/null && echo "$probe" | clang++ -x c++ -fsanitize=fuzzer -o probe - 2>/dev/null; then
  cc=clang cxx=clang++ engine="-fsanitize=fuzzer" compile="$flags -fsanitize=fuzzer-no-link"
else
  cc=gcc cxx=g++ engine="" compile="$flags"
fi
echo "$cxx $engine"

objects=""
for source in "$here"/../src/*.c "$here"/../src/*.cc "$here"/driver.cc "$here"/fuzz-strip.cc; do
  name=$(basename "$source")
  case "$name" in
    addon.cc) continue ;;
    driver.cc) [ -z "$engine" ] || continue ;;
  esac
  object="$cxx-$name.o"
  # Headers are few: any that is newer than the object makes it compile again.
  if [ ! -e "$object" ] || [ -n "$(find "$here/../src" "$here" -newer "$object" -name '*.[chi]*' | head -1)" ]; then
    case "$name" in
      *.c) $cc -g -O1 -I"$xxhash" -c "$source" -o "$object" ;;
      *) $cxx -std=c++17 $compile -I"$here/../src" -I"$simdjson" -I"$xxhash" -c "$source" -o "$object" ;;
    esac
  fi
  objects="$objects $object"
done

node "$here/seeds.mjs" "$build/seeds"
$cxx $flags $engine $objects -o fuzz-strip
echo "== strip, $seconds s"
cd work
if [ -n "$engine" ]; then
  mkdir -p corpus-strip
  ../fuzz-strip -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 -verbosity=0 \
    corpus-strip ../seeds/strip
else
  ../fuzz-strip "$seconds" ../seeds/strip/*
fi
