/** The options of a server: each also as LOADOUT_… in the environment, where container set-ups want them. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { deletedDaysKeptMax, revisionsKeptMax } from '../../contract/limits.js';
import {
  bodyBytesMaxDefault,
  combineBytesMaxDefault,
  idsMaxDefault,
  refreshBodyBytesMaxDefault,
} from '../../delivery/limits.js';
import {
  auditDaysKeptDefault,
  auditDaysKeptMax,
  defaultLimits,
  deletedDaysKeptDefault,
  lastUsedEveryMs,
  lastUsedEveryMsMax,
  sessionHoursDefault,
  sessionHoursMax,
  storedLevelsMax,
} from '../../management/limits.js';
import type { ServeOptions } from '../../management/serve/serve.js';
import { DatabaseUrlInvalid, parseDatabaseUrl } from '../../management/store/postgres/url.js';
import type { NativeChoice } from '../../native/native-choice.js';
import { misuse } from '../terminal/failure.js';
import {
  allAsNull,
  type NumberOrAll,
  parseNetworks,
  parseOrigins,
  parsePort,
  parseSwitch,
  wholeNumber,
  wholeNumberOrAll,
} from '../terminal/parse-option.js';
import { readSecret } from '../terminal/secrets.js';
import { readVersion } from '../terminal/version.js';
import { isOnTerminal } from './start-lines.js';

/** What commander makes of the options below. */
export interface ServeFlags {
  readonly port: number;
  readonly adminPort: number;
  readonly host: string;
  readonly adminHost: string;
  readonly data?: string;
  readonly listeners?: number;
  readonly workers?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly corsOrigins: readonly string[];
  readonly lenientCatalog: boolean;
  readonly logLevel: string;
  readonly bodyBytesMax: number;
  readonly idsMax: number;
  readonly combineBytesMax: number;
  readonly refreshBytesMax: number;
  readonly textBytesMax: number;
  readonly textLevelsMax: number;
  readonly keyRateMax?: number;
  readonly native: NativeChoice;
  readonly adminTrustProxy: readonly string[];
  readonly auditDays: number | null;
  readonly lastUsedSeconds: number;
  readonly webhooksToLocal: boolean;
  readonly keepRevisions: NumberOrAll;
  readonly keepDeletedDays: NumberOrAll;
  readonly sessionHours: number;
  readonly database?: string;
  readonly databaseReplica?: string;
  readonly nodeName?: string;
  readonly acceptEmptyStore?: boolean;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

// A machine has fewer cores than this; a typing slip has not.
const processesMax = 1024;

/** Defaults that differ between `serve` and `demo`. */
export interface ServeDefaults {
  readonly host: string;
  /** null: the command makes a folder of its own. */
  readonly data: string | null;
  readonly logLevel: string;
  readonly webhooksToLocal: boolean;
}

/** Adds every option of a server to `command`. */
export function withServeOptions(command: Command, defaults: ServeDefaults): Command {
  const data =
    defaults.data === null
      ? option(
          '--data <folder>',
          'empty folder to use; else one is made and removed',
          'LOADOUT_DATA',
        )
      : option('--data <folder>', 'folder of the store', 'LOADOUT_DATA').default(defaults.data);
  const options = [
    option('--port <port>', 'delivery port; 0 takes a free one', 'LOADOUT_PORT')
      .default(8080)
      .argParser(parsePort),
    option('--admin-port <port>', 'admin port; 0 takes a free one', 'LOADOUT_ADMIN_PORT')
      .default(8081)
      .argParser(parsePort),
    option('--host <address>', 'address of the delivery port', 'LOADOUT_HOST')
      .default(defaults.host)
      .argParser(parseText),
    option('--admin-host <address>', 'address of the admin port', 'LOADOUT_ADMIN_HOST')
      .default('127.0.0.1')
      .argParser(parseText),
    data.argParser(parseText),
    option(
      '--listeners <count>',
      'delivery processes; else by cores',
      'LOADOUT_LISTENERS',
    ).argParser(wholeNumber(1, processesMax)),
    option(
      '--workers <count>',
      'render threads of each; else by cores',
      'LOADOUT_WORKERS',
    ).argParser(wholeNumber(1, processesMax)),
    option('--tls-cert <file>', 'certificate chain (PEM) of the delivery port', 'LOADOUT_TLS_CERT'),
    option('--tls-key <file>', 'private key (PEM) of the certificate', 'LOADOUT_TLS_KEY'),
    option('--cors-origins <origins>', 'origins, by comma; * or off', 'LOADOUT_CORS_ORIGINS')
      .default(['*'], '*')
      .argParser(parseOrigins),
    // An optional value, so that LOADOUT_LENIENT_CATALOG=false means what it says.
    option(
      '--lenient-catalog [switch]',
      'accept a catalog GET without Content-Type, as the Unity SDK sends it',
      'LOADOUT_LENIENT_CATALOG',
    )
      .preset('true')
      .default(false)
      .argParser(parseSwitch),
    option('--log-level <level>', 'least severe log line', 'LOADOUT_LOG_LEVEL')
      .choices(logLevels)
      .default(defaults.logLevel),
    option('--body-bytes-max <bytes>', 'largest request body', 'LOADOUT_BODY_BYTES_MAX')
      .default(bodyBytesMaxDefault)
      .argParser(wholeNumber(KiB, 64 * MiB)),
    option('--ids-max <count>', 'most content ids of one combine call', 'LOADOUT_IDS_MAX')
      .default(idsMaxDefault)
      .argParser(wholeNumber(1, 10_000)),
    option(
      '--combine-bytes-max <bytes>',
      'largest response of a combine call; a single content is delivered whatever its size',
      'LOADOUT_COMBINE_BYTES_MAX',
    )
      .default(combineBytesMaxDefault)
      .argParser(wholeNumber(KiB, 1024 * MiB)),
    option(
      '--refresh-bytes-max <bytes>',
      'largest request body of a refresh',
      'LOADOUT_REFRESH_BYTES_MAX',
    )
      .default(refreshBodyBytesMaxDefault)
      .argParser(wholeNumber(KiB, 64 * MiB)),
    option('--text-bytes-max <bytes>', 'largest stored text', 'LOADOUT_TEXT_BYTES_MAX')
      .default(defaultLimits.textBytesMax)
      .argParser(wholeNumber(KiB, 256 * MiB)),
    option('--text-levels-max <count>', 'deepest stored text', 'LOADOUT_TEXT_LEVELS_MAX')
      .default(defaultLimits.textLevelsMax)
      .argParser(wholeNumber(1, storedLevelsMax)),
    option(
      '--key-rate-max <count>',
      'most requests per second of one key on each listener (default: no limit)',
      'LOADOUT_KEY_RATE_MAX',
    ).argParser(wholeNumber(1, 10_000_000)),
    option('--native <choice>', 'whether the native addon does the document work', 'LOADOUT_NATIVE')
      .choices(['auto', 'on', 'off'])
      .default('auto'),
    option(
      '--admin-trust-proxy <addresses>',
      'proxies of the admin port whose X-Forwarded-For counts: addresses or networks, by comma; or off',
      'LOADOUT_ADMIN_TRUST_PROXY',
    )
      .default([], 'off')
      .argParser(parseNetworks),
    option('--audit-days <days>', 'days that the audit is kept; or all', 'LOADOUT_AUDIT_DAYS')
      .default(auditDaysKeptDefault)
      .argParser(wholeNumberOrAll(1, auditDaysKeptMax)),
    option(
      '--last-used-seconds <seconds>',
      'how often it is written when keys and tokens were used last',
      'LOADOUT_LAST_USED_SECONDS',
    )
      .default(lastUsedEveryMs / 1_000)
      .argParser(wholeNumber(1, lastUsedEveryMsMax / 1_000)),
    option(
      '--webhooks-to-local [switch]',
      'let webhooks go to loopback and link-local addresses',
      'LOADOUT_WEBHOOKS_TO_LOCAL',
    )
      .preset('true')
      .default(defaults.webhooksToLocal)
      .argParser(parseSwitch),
    option(
      '--keep-revisions <count>',
      'newest revisions kept of each content; or all',
      'LOADOUT_KEEP_REVISIONS',
    )
      .default('all')
      .argParser(wholeNumberOrAll(1, revisionsKeptMax)),
    option(
      '--keep-deleted-days <days>',
      'days that deleted contents can be brought back; or all',
      'LOADOUT_KEEP_DELETED_DAYS',
    )
      .default(deletedDaysKeptDefault)
      .argParser(wholeNumberOrAll(0, deletedDaysKeptMax)),
    option(
      '--session-hours <hours>',
      'after so long without use, the console asks to sign in again',
      'LOADOUT_SESSION_HOURS',
    )
      .default(sessionHoursDefault)
      .argParser(wholeNumber(1, sessionHoursMax)),
  ];
  for (const each of options) command.addOption(each);
  return command;
}

/** Adds the options of a server that shares its store with others. */
export function withFleetOptions(command: Command): Command {
  const options = [
    // Read where no error message repeats it: there may be a password in it.
    option(
      '--database <url>',
      'PostgreSQL database that servers share: postgres://user@host:port/name, more hosts by comma; else the store is in the data folder',
      'LOADOUT_DATABASE',
    ),
    option(
      '--database-replica <url>',
      'standby of it whose changes this server follows; edits still go to --database',
      'LOADOUT_DATABASE_REPLICA',
    ),
    option(
      '--node-name <name>',
      'what this server is called; else its host',
      'LOADOUT_NODE_NAME',
    ).argParser(parseNodeName),
    option(
      '--accept-empty-store [switch]',
      'let an empty store replace the contents that are served',
      'LOADOUT_ACCEPT_EMPTY_STORE',
    )
      .preset('true')
      .default(false)
      .argParser(parseSwitch),
  ];
  for (const each of options) command.addOption(each);
  return command;
}

/** What the server is started with. `data` is the folder in use, since a command may have made its own. */
export function serveOptions(flags: ServeFlags, data: string): ServeOptions {
  const { tlsCert = null, tlsKey = null } = flags;
  if ((tlsCert === null) !== (tlsKey === null)) {
    throw misuse('--tls-cert and --tls-key belong together: give both or neither.');
  }
  if (flags.port !== 0 && flags.port === flags.adminPort) {
    throw misuse('--port and --admin-port must differ.');
  }
  return {
    port: flags.port,
    adminPort: flags.adminPort,
    host: flags.host,
    adminHost: flags.adminHost,
    data,
    listeners: flags.listeners ?? null,
    workers: flags.workers ?? null,
    tlsCert,
    tlsKey,
    adminToken: readSecret('LOADOUT_ADMIN_TOKEN'),
    corsOrigins: flags.corsOrigins,
    lenientCatalog: flags.lenientCatalog,
    logLevel: flags.logLevel,
    bodyBytesMax: flags.bodyBytesMax,
    idsMax: flags.idsMax,
    combineBytesMax: flags.combineBytesMax,
    refreshBytesMax: flags.refreshBytesMax,
    textBytesMax: flags.textBytesMax,
    textLevelsMax: flags.textLevelsMax,
    keyRateMax: flags.keyRateMax ?? null,
    native: flags.native,
    trustedProxies: flags.adminTrustProxy,
    auditDaysKept: flags.auditDays,
    lastUsedEveryMs: flags.lastUsedSeconds * 1_000,
    webhooksToLocal: flags.webhooksToLocal,
    keepRevisions: allAsNull(flags.keepRevisions),
    keepDeletedDays: allAsNull(flags.keepDeletedDays),
    sessionIdleMs: flags.sessionHours * 3_600_000,
    ...databases(flags),
    nodeName: flags.nodeName ?? null,
    acceptEmptyStore: flags.acceptEmptyStore ?? false,
    ownerTokenToFile: !isOnTerminal(),
    version: readVersion(),
  };
}

function databases(flags: ServeFlags): Pick<ServeOptions, 'database' | 'databaseReplica'> {
  if (flags.database === undefined) {
    if (flags.databaseReplica === undefined) return { database: null, databaseReplica: null };
    throw misuse('--database-replica needs --database: edits go there.');
  }
  if (flags.textBytesMax > databaseTextBytesMax) {
    throw misuse(`--text-bytes-max is at most ${databaseTextBytesMax} with --database.`);
  }
  try {
    return {
      database: parseDatabaseUrl(flags.database),
      databaseReplica:
        flags.databaseReplica === undefined ? null : parseDatabaseUrl(flags.databaseReplica),
    };
  } catch (error) {
    if (error instanceof DatabaseUrlInvalid) throw misuse(error.message);
    throw error;
  }
}

function option(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable);
}

/** PostgreSQL sends bytes as hexadecimal text, which must fit into one string of the engine (512 MiB). */
const databaseTextBytesMax = 128 * MiB;

const nodeNameCharsMax = 100;

function parseNodeName(text: string): string {
  const name = parseText(text).trim();
  if (name.length > nodeNameCharsMax) {
    throw new InvalidArgumentError(`It must have at most ${nodeNameCharsMax} characters.`);
  }
  return name;
}

function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}
