#!/bin/sh
# Makes the secrets of compose.yaml in the folder `secrets` beside it. Does nothing if that is there: PostgreSQL keeps the passwords
# that it was started with first.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "secrets/ is there already; nothing is made." >&2
  exit 0
fi

# 32 hexadecimal digits, which need no escape in an address or in SQL.
secret() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
owner=$(secret)
server=$(secret)

umask 077
mkdir secrets.new
cd secrets.new
secret >admin-token
secret >grafana-password
secret >postgres-password
printf 'postgres://loadout_owner:%s@database:5432/loadout' "$owner" >owner-database
printf 'postgres://loadout:%s@database:5432/loadout' "$server" >server-database
cat >roles.sql <<SQL
CREATE ROLE loadout_owner LOGIN PASSWORD '$owner';
CREATE ROLE loadout LOGIN PASSWORD '$server';
CREATE DATABASE loadout OWNER loadout_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE loadout FROM PUBLIC;
GRANT CONNECT ON DATABASE loadout TO loadout;
SQL
# The folder is closed; its files are mounted one by one, for users of other numbers.
chmod 644 ./*
cd ..
mv secrets.new secrets
echo "The owner's token is in secrets/admin-token, Grafana's password (user admin) in secrets/grafana-password."
