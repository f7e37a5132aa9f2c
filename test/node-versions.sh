#!/usr/bin/env bash
# What differs between versions of Node: whether all that is compiled loads, the hot paths, and one content's life over HTTP.
# The default Node runs everything else; each other supported one, from npm, runs this in at most three minutes. node_modules are the same for all: what they have for Node 22 and newer is bound to no version (D52).
# Usage: test/node-versions.sh [major version...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds_max=180
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
platform=$(node -p 'process.platform + "-" + process.arch')
default=$(node -p 'process.versions.node.split(".")[0]')

for version in ${*:-22 24 26}; do
  [ "$version" != "$default" ] || continue
  npm install --no-save --no-audit --no-fund --loglevel=error --prefix "$folder/$version" "node-$platform@$version"
  node="$folder/$version/node_modules/node-$platform/bin/node"
  echo "== Node $("$node" --version)"
  timeout "$seconds_max" "$node" node_modules/vitest/vitest.mjs run --config test/vitest.config.ts --project pure --project server \
    test/unit/content test/unit/delivery test/unit/published test/server/life-of-content.test.ts
done
