/**
 * The options of a server, one row each. The flags of `serve` and `demo`, their LOADOUT_… variables, their help and
 * `ServeOptions` derive from these tables.
 */
import type { Logger } from 'pino';
import { deletedDaysKeptMax, revisionsKeptMax } from '../../contract/limits.js';
import type { NativeChoice } from '../../native/native-choice.js';
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
} from '../limits.js';
import type { DatabaseUrl } from '../store/postgres/url.js';

/** What the text of an option may be, and what it becomes (`T`). */
export interface Form<T> {
  /** `raw`: any text, checked where no error message repeats it. */
  readonly kind: 'raw' | 'text' | 'switch' | 'origins' | 'networks' | 'number' | 'choice';
  /** Of a number, both inclusive. */
  readonly min?: number;
  readonly max?: number;
  /** A number may be `all` as well: no limit, null. */
  readonly orAll?: boolean;
  /** Of a text. */
  readonly charsMax?: number;
  readonly choices?: readonly T[];
}

export interface OptionRow<T = unknown> {
  /** Its name, and what is shown for its value. */
  readonly flag: string;
  readonly help: string;
  readonly form: Form<T>;
  /** In the unit of the flag. Absent: the command has its own default, or the option is `optional`. */
  readonly preset?: unknown;
  /** The default as the help shows it, where it is a list. */
  readonly presetShown?: string;
  /** Null unless given. */
  readonly optional?: true;
  /** Units of the option per unit of the flag. */
  readonly scale?: number;
}

const raw: Form<string> = { kind: 'raw' };
const text: Form<string> = { kind: 'text' };
const onOff: Form<boolean> = { kind: 'switch' };
const origins: Form<readonly string[]> = { kind: 'origins' };
const networks: Form<readonly string[]> = { kind: 'networks' };
const from = (min: number, max: number): Form<number> => ({ kind: 'number', min, max });
const allOrFrom = (min: number, max: number): Form<number | null> => ({
  ...{ kind: 'number', min, max, orAll: true },
});
const oneOf = <T extends string>(...choices: readonly T[]): Form<T> => ({
  kind: 'choice',
  choices,
});

const port = from(0, 65_535);
const KiB = 1024;
const MiB = 1024 * KiB;
/** A machine has fewer cores than this; anything larger is a typo. */
const processes = from(1, 1024);
const nodeNameCharsMax = 100;

/** Of every server, in the order of the help. */
export const serverOptions = {
  port: {
    flag: '--port <port>',
    help: 'delivery port; 0 takes a free one',
    form: port,
    preset: 8080,
  },
  adminPort: {
    flag: '--admin-port <port>',
    help: 'admin port; 0 takes a free one',
    form: port,
    preset: 8081,
  },
  host: { flag: '--host <address>', help: 'address of the delivery port', form: text },
  adminHost: {
    flag: '--admin-host <address>',
    help: 'address of the admin port',
    form: text,
    preset: '127.0.0.1',
  },
  data: { flag: '--data <folder>', help: 'folder of the store', form: text },
  processes: {
    flag: '--processes <count>',
    help: 'delivery processes; else by cores',
    form: processes,
    optional: true,
  },
  workers: {
    flag: '--workers <count>',
    help: 'render threads of each; else by cores',
    form: processes,
    optional: true,
  },
  tlsCert: {
    flag: '--tls-cert <file>',
    help: 'certificate chain (PEM) of the delivery port',
    form: raw,
    optional: true,
  },
  tlsKey: {
    flag: '--tls-key <file>',
    help: 'private key (PEM) of the certificate',
    form: raw,
    optional: true,
  },
  corsOrigins: {
    flag: '--cors-origins <origins>',
    help: 'origins, by comma; * or off',
    form: origins,
    preset: ['*'],
    presetShown: '*',
  },
  lenientCatalog: {
    flag: '--lenient-catalog [switch]',
    help: 'accept a catalog GET without Content-Type, as the Unity SDK sends it',
    form: onOff,
    preset: false,
  },
  logLevel: {
    flag: '--log-level <level>',
    help: 'least severe log line',
    form: oneOf<string>('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  },
  bodyBytesMax: {
    flag: '--body-bytes-max <bytes>',
    help: 'largest request body',
    form: from(KiB, 64 * MiB),
  },
  idsMax: {
    flag: '--ids-max <count>',
    help: 'most content ids of one combine call',
    form: from(1, 10_000),
  },
  combineBytesMax: {
    flag: '--combine-bytes-max <bytes>',
    help: 'largest response of a combine call; a single content is delivered whatever its size',
    form: from(KiB, 1024 * MiB),
  },
  textBytesMax: {
    flag: '--text-bytes-max <bytes>',
    help: 'largest stored text',
    form: from(KiB, 256 * MiB),
    preset: defaultLimits.textBytesMax,
  },
  textLevelsMax: {
    flag: '--text-levels-max <count>',
    help: 'deepest stored text',
    form: from(1, storedLevelsMax),
    preset: defaultLimits.textLevelsMax,
  },
  keyRateMax: {
    flag: '--key-rate-max <count>',
    help: 'most requests per second of one key in each delivery process (default: no limit)',
    form: from(1, 10_000_000),
    optional: true,
  },
  native: {
    flag: '--native <choice>',
    help: 'whether the native addon does the document work',
    form: oneOf<NativeChoice>('auto', 'on', 'off'),
    preset: 'auto',
  },
  trustedProxies: {
    flag: '--admin-trust-proxy <addresses>',
    help: 'proxies of the admin port whose X-Forwarded-For counts: addresses or networks, by comma; or off',
    form: networks,
    preset: [],
    presetShown: 'off',
  },
  auditDaysKept: {
    flag: '--audit-days <days>',
    help: 'days that the audit is kept; or all',
    form: allOrFrom(1, auditDaysKeptMax),
    preset: auditDaysKeptDefault,
  },
  lastUsedEveryMs: {
    flag: '--last-used-seconds <seconds>',
    help: 'how often the last use of keys and tokens is stored',
    form: from(1, lastUsedEveryMsMax / 1_000),
    preset: lastUsedEveryMs / 1_000,
    scale: 1_000,
  },
  webhooksToLocal: {
    flag: '--webhooks-to-local [switch]',
    help: 'let webhooks go to loopback and link-local addresses',
    form: onOff,
  },
  keepRevisions: {
    flag: '--keep-revisions <count>',
    help: 'newest revisions kept of each content; or all',
    form: allOrFrom(1, revisionsKeptMax),
    preset: 'all',
  },
  keepDeletedDays: {
    flag: '--keep-deleted-days <days>',
    help: 'days that deleted contents can be brought back; or all',
    form: allOrFrom(0, deletedDaysKeptMax),
    preset: deletedDaysKeptDefault,
  },
  sessionIdleMs: {
    flag: '--session-hours <hours>',
    help: 'hours without use after which the console asks to sign in again',
    form: from(1, sessionHoursMax),
    preset: sessionHoursDefault,
    scale: 3_600_000,
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** Of a server that may share its store with others. */
export const fleetOptions = {
  // There may be a password in it.
  database: {
    flag: '--database <url>',
    help: 'PostgreSQL database that servers share: postgres://user@host:port/name, more hosts by comma; else the store is in the data folder',
    form: raw,
    optional: true,
  },
  databaseReplica: {
    flag: '--database-replica <url>',
    help: 'standby of it whose changes this server follows; edits still go to --database',
    form: raw,
    optional: true,
  },
  nodeName: {
    flag: '--node-name <name>',
    help: 'what this server is called; else its host',
    form: { ...text, charsMax: nodeNameCharsMax },
    optional: true,
  },
  acceptEmptyStore: {
    flag: '--accept-empty-store [switch]',
    help: 'let an empty store replace the contents that are served',
    form: onOff,
    preset: false,
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

type ValueOf<R extends OptionRow> =
  | (R['form'] extends Form<infer T> ? T : never)
  | (R extends { readonly optional: true } ? null : never);

/** The values of a table, each in the unit of its name; an option that was not given is null. */
export type OptionValues<Rows extends Readonly<Record<string, OptionRow>>> = {
  readonly [Name in keyof Rows]: ValueOf<Rows[Name]>;
};

type DatabaseOptions = { readonly [Name in 'database' | 'databaseReplica']: DatabaseUrl | null };

/** What a server is started with. */
export interface ServeOptions
  extends OptionValues<typeof serverOptions>,
    Omit<OptionValues<typeof fleetOptions>, keyof DatabaseOptions>,
    DatabaseOptions {
  /** LOADOUT_ADMIN_TOKEN; null: the first start makes a token. */
  readonly adminToken: string | null;
  /** Whether an owner token that is made goes to a file of the data folder: nothing shows it on a terminal. */
  readonly ownerTokenToFile: boolean;
  /** Of Loadout. */
  readonly version: string;
}

/** What every stage of a start works with. */
export interface Start {
  readonly options: ServeOptions;
  readonly log: Logger;
  /** Ends what was started, last one first. */
  readonly undo: (() => unknown)[];
}
