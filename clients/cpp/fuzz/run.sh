#!/bin/sh
# Fuzzes what the client reads from networks and disks, with clang's libFuzzer under AddressSanitizer and
# UndefinedBehaviorSanitizer: run.sh [seconds for each target].
set -eu
seconds="${1:-20}"
here=$(cd "$(dirname "$0")" && pwd)
build="${TMPDIR:-/tmp}/loadout-kit-fuzz-$(id -u)"
mkdir -p "$build"

for target in json event-stream page; do
  source="$here/fuzz-$target.cpp"
  program="$build/fuzz-$target"
  if [ ! -e "$program" ] || [ -n "$(find "$here" "$here/../include" -newer "$program" -name '*pp' | head -1)" ]; then
    clang++ -std=c++17 -g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
      -I"$here/../include" "$source" -o "$program"
  fi
  mkdir -p "$build/corpus-$target"
  echo "== $target, $seconds s"
  "$program" -max_total_time="$seconds" -max_len=4096 -timeout=10 -verbosity=0 -print_final_stats=1 \
    -dict="$here/words.dict" -artifact_prefix="$build/" "$build/corpus-$target" "$here/seeds/$target"
done
