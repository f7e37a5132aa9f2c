#!/bin/sh
# Installs Loadout into an image, as root: prepare.sh FOLDER, which has loadout.tgz (of `npm pack`) and healthy.mjs.
set -eu
package=$1

# The package brings its modules and binaries, so npm fetches nothing. Whether it runs scripts depends on its version; the
# package's own one, which says whether the binaries load here, is run below.
npm install --global --offline --ignore-scripts --no-audit --no-fund --cache /tmp/npm-cache "$package/loadout.tgz"
rm -rf /tmp/npm-cache
# Loads each binary once. Where glibc is older than the front end's, this also makes its patched copy, which a process without
# permission to write here would make for itself at each start.
node "$(npm root --global)/loadout/native/install.mjs"
install -D -m 644 "$package/healthy.mjs" /usr/local/lib/loadout/healthy.mjs
install -d -o 1000 -g 1000 -m 700 /var/lib/loadout

# What a first start would find, as the user that starts it.
setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs \
  loadout serve --check --native on --data /var/lib/loadout --port 0 --admin-port 0
# npm leaves files of its own with the first two calls, and Node's compiled code lies there.
rm -rf /root/.npm /tmp/node-compile-cache
