/** Reads the address of a PostgreSQL database as an operator writes it: one server or several, with what libpq's URIs may say. */
import { type ConnectionOptions, parse } from 'pg-connection-string';

export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

export interface DatabaseUrl {
  /** Tried in this order; the first that does what is asked is used. */
  readonly servers: readonly DatabaseServer[];
  /** Everything else that is needed to connect, the password included: never to be logged. */
  readonly options: Omit<ConnectionOptions, 'host' | 'port'>;
  /** For people: without user and password. */
  readonly shown: string;
}

/** The address cannot be used. The message is for the operator and has no password in it. */
export class DatabaseUrlInvalid extends Error {
  readonly code = 'database_url_invalid';
}

const uri = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s;
const hostAndPort = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/;
const portDefault = 5432;
const hostsMax = 16;

/**
 * `postgres://user:password@host1:port1,host2:port2/database?sslmode=…`. Parts left out come from PGUSER, PGPASSWORD,
 * PGDATABASE and ~/.pgpass, as with psql (libpq, "Connection URIs").
 * @throws DatabaseUrlInvalid
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const found = uri.exec(text);
  if (found === null) {
    throw new DatabaseUrlInvalid('A database is written as postgres://user@host:5432/name.');
  }
  const [, scheme = '', user = '', hosts = '', rest = ''] = found;
  const parts = hosts === '' ? [] : hosts.split(',');
  if (parts.length > hostsMax) {
    throw new DatabaseUrlInvalid(`A database has at most ${hostsMax} servers.`);
  }
  const options = parseOptions(`${scheme}${user}${parts[0] ?? ''}${rest}`);
  const servers =
    parts.length > 1 ? parts.map(parseServer) : [serverOf(options.host, options.port)];
  const { host: _host, port: _port, ...others } = options;
  const shown = servers.map(({ host, port }) => `${host}:${port}`).join(',');
  return { servers, options: others, shown: `${shown}/${options.database ?? ''}` };
}

/** The driver takes each for verify-full, as libpq does not, and warns of it in the operator's terminal at each start. */
const checkedMode = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;
const libpqModes = /[?&]uselibpqcompat=/;

function parseOptions(text: string): ConnectionOptions {
  try {
    return parse(libpqModes.test(text) ? text : text.replace(checkedMode, '$1verify-full'));
  } catch (cause) {
    // The cause names the text, in which there may be a password.
    const what = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new DatabaseUrlInvalid(`The address of the database cannot be read${what}.`);
  }
}

function parseServer(text: string): DatabaseServer {
  const found = hostAndPort.exec(text);
  if (found === null) throw new DatabaseUrlInvalid(`"${text}" is no host and port of a database.`);
  return serverOf(found[1]?.replaceAll(/[[\]]/g, ''), found[2]);
}

function serverOf(
  host: string | null | undefined,
  port: string | null | undefined,
): DatabaseServer {
  const number = port === null || port === undefined || port === '' ? portDefault : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new DatabaseUrlInvalid(`${port} is no port of a database.`);
  }
  return {
    host: host === null || host === undefined || host === '' ? 'localhost' : host,
    port: number,
  };
}
