/**
 * The options of a server, one row each. The flags of `serve` and `demo`, their LOADOUT_… variables, their help and
 * `ServeOptions` derive from these tables (D79).
 */
import type { Logger } from 'pino';
import { deletedDaysKeptMax, revisionsKeptMax } from '../../contract/limits.js';
import type { NativeChoice } from '../../native/native-choice.js';
import { auditDaysKeptDefault, auditDaysKeptMax } from '../limits/audit.js';
import { defaultLimits, storedLevelsMax } from '../limits/bodies.js';
import {
  analysisMemoryBytesDefault,
  compactionEveryMs,
  eventBytesDefault,
  eventDaysKeptDefault,
  eventDaysKeptMax,
} from '../limits/experiments.js';
import { followersMaxDefault, followersMaxMax } from '../limits/follow.js';
import { deletedDaysKeptDefault } from '../limits/housekeeping.js';
import {
  lastUsedEveryMs,
  lastUsedEveryMsMax,
  providedSessionHoursDefault,
  sessionHoursDefault,
  sessionHoursMax,
} from '../limits/sessions.js';
import type { OidcSettings } from '../oidc/oidc-settings.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import type { Tracing } from '../tracing/tracing.js';

/** What the text of an option may be, and what it becomes (`T`). */
export interface Form<T> {
  /** `raw`: any text. `secret`: the same, perhaps with a password, so that no message repeats it and a file may have it. */
  readonly kind:
    | 'raw'
    | 'secret'
    | 'text'
    | 'switch'
    | 'origins'
    | 'networks'
    | 'names'
    | 'number'
    | 'choice';
  /** Of a number, both inclusive. */
  readonly min?: number;
  readonly max?: number;
  /** A number may be `all` as well: no limit, null. */
  readonly orAll?: boolean;
  /** Of a text. */
  readonly charsMax?: number;
  readonly choices?: readonly T[];
}

interface Preset {
  /** Default, in the unit of the flag. Absent: the command has its own, or the option is null unless given. */
  readonly preset?: unknown;
  /** The default as the help shows it, where it is a list. */
  readonly presetShown?: string;
  /** Units of the option per unit of the flag. */
  readonly scale?: number;
}

export interface OptionRow<T = unknown> extends Preset {
  /** Its name, and what is shown for its value. */
  readonly flag: string;
  readonly help: string;
  readonly form: Form<T>;
}

function option<T>(flag: string, help: string, form: Form<T>, preset: Preset = {}): OptionRow<T> {
  return { flag, help, form, ...preset };
}

/** An option that is null unless it is given. */
function optional<T>(flag: string, help: string, form: Form<T>): OptionRow<T | null> {
  return { flag, help, form };
}

const raw: Form<string> = { kind: 'raw' };
const secret: Form<string> = { kind: 'secret' };
const text: Form<string> = { kind: 'text' };
const onOff: Form<boolean> = { kind: 'switch' };
const origins: Form<readonly string[]> = { kind: 'origins' };
const networks: Form<readonly string[]> = { kind: 'networks' };
const names: Form<readonly string[]> = { kind: 'names' };
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
const nodeName: Form<string> = { kind: 'text', charsMax: 100 };
const label: Form<string> = { kind: 'text', charsMax: 60 };
const logLevels = oneOf(
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
) as Form<string>;

/** Of every server, in the order of the help. */
export const serverOptions = {
  port: option('--port <port>', 'delivery port; 0 takes a free one', port, { preset: 8080 }),
  adminPort: option('--admin-port <port>', 'admin port; 0 takes a free one', port, {
    preset: 8081,
  }),
  host: option('--host <address>', 'address of the delivery port', text),
  adminHost: option('--admin-host <address>', 'address of the admin port', text, {
    preset: '127.0.0.1',
  }),
  metricsPort: optional(
    '--metrics-port <port>',
    'port of its own for /metrics, /healthz and /readyz, which the admin port has as well; 0 takes a free one (default: none)',
    port,
  ),
  metricsHost: option('--metrics-host <address>', 'address of the metrics port', text, {
    preset: '127.0.0.1',
  }),
  data: option('--data <folder>', 'folder of the store', text),
  processes: optional('--processes <count>', 'delivery processes; else by cores', processes),
  workers: optional('--workers <count>', 'render threads of each; else by cores', processes),
  tlsCert: optional('--tls-cert <file>', 'certificate chain (PEM) of the delivery port', raw),
  tlsKey: optional('--tls-key <file>', 'private key (PEM) of the certificate', raw),
  corsOrigins: option('--cors-origins <origins>', 'origins, by comma; * or off', origins, {
    ...{ preset: ['*'], presetShown: '*' },
  }),
  lenientCatalog: option(
    '--lenient-catalog [switch]',
    'accept a catalog GET without Content-Type, as the Unity SDK sends it',
    onOff,
    { preset: false },
  ),
  logLevel: option('--log-level <level>', 'least severe log line', logLevels),
  bodyBytesMax: option('--body-bytes-max <bytes>', 'largest request body', from(KiB, 64 * MiB)),
  idsMax: option('--ids-max <count>', 'most content ids of one combine call', from(1, 10_000)),
  combineBytesMax: option(
    '--combine-bytes-max <bytes>',
    'largest response of a combine call; a single content is delivered whatever its size',
    from(KiB, 1024 * MiB),
  ),
  refreshBytesMax: option(
    '--refresh-bytes-max <bytes>',
    'largest request body of a refresh',
    from(KiB, 64 * MiB),
  ),
  streamsMax: optional(
    '--streams-max <count>',
    'most open streams of each delivery process; else by the descriptors that it may open',
    from(0, 10_000_000),
  ),
  streamsPerKey: optional(
    '--streams-per-key <count>',
    'most open streams of one key in each delivery process (default: no limit)',
    from(0, 10_000_000),
  ),
  streamsPerAddress: option(
    '--streams-per-address <count>',
    'most open streams of one client network (IPv4 /24, IPv6 /48) in each delivery process',
    from(1, 10_000_000),
  ),
  streamWakesPerSecond: optional(
    '--stream-wakes-per-second <count>',
    'streams that each delivery process tells of a change in a second; 0: as many as it can; else all within ten seconds',
    from(0, 10_000_000),
  ),
  streamProxies: option(
    '--trusted-proxies <addresses>',
    'proxies of the delivery port whose X-Forwarded-For counts: addresses or networks, by comma; or off',
    networks,
    { preset: [], presetShown: 'off' },
  ),
  textBytesMax: option('--text-bytes-max <bytes>', 'largest stored text', from(KiB, 256 * MiB), {
    preset: defaultLimits.textBytesMax,
  }),
  textLevelsMax: option(
    '--text-levels-max <count>',
    'deepest stored text',
    from(1, storedLevelsMax),
    {
      preset: defaultLimits.textLevelsMax,
    },
  ),
  keyRateMax: optional(
    '--key-rate-max <count>',
    'most requests per second of one key in each delivery process (default: no limit)',
    from(1, 10_000_000),
  ),
  native: option(
    '--native <choice>',
    'whether the native addon does the document work',
    oneOf<NativeChoice>('auto', 'on', 'off'),
    { preset: 'auto' },
  ),
  trustedProxies: option(
    '--admin-trust-proxy <addresses>',
    'proxies of the admin port whose X-Forwarded-For counts: addresses or networks, by comma; or off',
    networks,
    { preset: [], presetShown: 'off' },
  ),
  auditDaysKept: option(
    '--audit-days <days>',
    'days that the audit is kept; or all',
    allOrFrom(1, auditDaysKeptMax),
    { preset: auditDaysKeptDefault },
  ),
  drainDelayMs: option(
    '--drain-delay <seconds>',
    'how long the server goes on serving after SIGTERM or SIGINT, while its health checks say that it is going to end',
    from(0, 3_600),
    { preset: 0, scale: 1_000 },
  ),
  lastUsedEveryMs: option(
    '--last-used-seconds <seconds>',
    'how often the last use of keys and tokens is stored',
    from(1, lastUsedEveryMsMax / 1_000),
    { preset: lastUsedEveryMs / 1_000, scale: 1_000 },
  ),
  webhooksToLocal: option(
    '--webhooks-to-local [switch]',
    'let webhooks go to loopback and link-local addresses',
    onOff,
  ),
  prometheusUrl: optional(
    '--prometheus-url <url>',
    'Prometheus server that the queries of releases are asked of (default: none)',
    secret,
  ),
  prometheusTokenFile: optional(
    '--prometheus-token-file <file>',
    'file with the bearer token for it, read for each query',
    raw,
  ),
  otlpUrl: optional(
    '--otlp-url <url>',
    'OpenTelemetry collector that traces of the admin API go to, as OTLP over HTTP (default: none)',
    secret,
  ),
  otlpHeadersFile: optional(
    '--otlp-headers-file <file>',
    'file with headers for it, one "Name: value" a line, read for each request',
    raw,
  ),
  otlpSample: option(
    '--otlp-sample <percent>',
    'share of the traces that begin here which are sent; a caller decides about its own',
    from(0, 100),
    { preset: 100 },
  ),
  keepRevisions: option(
    '--keep-revisions <count>',
    'newest revisions kept of each content; or all',
    allOrFrom(1, revisionsKeptMax),
    { preset: 'all' },
  ),
  keepDeletedDays: option(
    '--keep-deleted-days <days>',
    'days that deleted contents can be brought back; or all',
    allOrFrom(0, deletedDaysKeptMax),
    { preset: deletedDaysKeptDefault },
  ),
  sessionIdleMs: option(
    '--session-hours <hours>',
    'hours without use after which the console asks to sign in again',
    from(1, sessionHoursMax),
    { preset: sessionHoursDefault, scale: 3_600_000 },
  ),
  oidcIssuer: optional(
    '--oidc-issuer <url>',
    'OpenID provider that people sign in to the console through; its secret is LOADOUT_OIDC_CLIENT_SECRET (default: none)',
    raw,
  ),
  oidcClientId: optional('--oidc-client-id <id>', 'what this server is called there', text),
  oidcPublicUrl: optional(
    '--oidc-public-url <url>',
    'address of the console in browsers, to which the provider sends people back',
    raw,
  ),
  oidcRoles: optional(
    '--oidc-roles <table>',
    'roles by groups of the provider: "group=role;group=role:environment,environment"',
    raw,
  ),
  oidcGroupsClaim: option('--oidc-groups-claim <name>', 'claim with the groups', text, {
    preset: 'groups',
  }),
  oidcScopes: option(
    '--oidc-scopes <names>',
    'scopes to ask for beside openid and profile, by comma; or off',
    names,
    { preset: [], presetShown: 'off' },
  ),
  oidcLabel: option('--oidc-label <text>', 'what people call the provider', label, {
    preset: 'single sign-on',
  }),
  oidcSessionMs: option(
    '--oidc-session-hours <hours>',
    'hours after which people who came through the provider sign in again',
    from(1, sessionHoursMax),
    { preset: providedSessionHoursDefault, scale: 3_600_000 },
  ),
  eventsTo: option(
    '--events-to <target>',
    'where events of players go: local, off, postgres, or a URL that takes NDJSON',
    secret,
    { preset: 'local' },
  ),
  eventAttributes: option(
    '--event-attributes <names>',
    'attributes that are stored with events, by comma; or off',
    names,
    { preset: [], presetShown: 'off' },
  ),
  eventIds: option(
    '--event-ids <form>',
    'how user ids are stored with events',
    oneOf<'plain' | 'hashed'>('plain', 'hashed'),
    { preset: 'plain' },
  ),
  eventsEveryMs: option(
    '--events-store-seconds <seconds>',
    'how often events that were received are stored',
    from(1, 3_600),
    { preset: compactionEveryMs / 1_000, scale: 1_000 },
  ),
  eventsDays: option(
    '--events-days <days>',
    'days that events are kept; or all',
    allOrFrom(1, eventDaysKeptMax),
    { preset: eventDaysKeptDefault },
  ),
  eventsBytesMax: option(
    '--events-bytes-max <bytes>',
    'room of event files and what is made of them; the oldest events go',
    from(64 * MiB, Number.MAX_SAFE_INTEGER),
    { preset: eventBytesDefault },
  ),
  analysisMemoryBytes: option(
    '--analysis-memory <MiB>',
    'memory of the database of the analysis process',
    from(128, 1024 * 1024),
    { preset: analysisMemoryBytesDefault / MiB, scale: MiB },
  ),
} satisfies Rows;

/** Of a server that may share its store with others. */
export const fleetOptions = {
  database: optional(
    '--database <url>',
    'PostgreSQL database that servers share: postgres://user@host:port/name, more hosts by comma; else the store is in the data folder',
    secret,
  ),
  databaseReplica: optional(
    '--database-replica <url>',
    'standby of it whose changes this server follows; edits still go to --database',
    secret,
  ),
  eventsDatabase: optional(
    '--events-database <url>',
    'PostgreSQL database of --events-to postgres; else that of --database',
    secret,
  ),
  follow: optional(
    '--follow <urls>',
    'follow a server instead of a store: the address of its --follow-port, further ones by comma',
    raw,
  ),
  followTokenFile: optional(
    '--follow-token-file <file>',
    'file with the token for it, read for each request',
    raw,
  ),
  followCa: optional(
    '--follow-ca <file>',
    'certificates (PEM) that it is verified with; else those of Node',
    raw,
  ),
  followInsecure: option(
    '--follow-insecure [switch]',
    'follow over http:// beyond this machine as well',
    onOff,
    { preset: false },
  ),
  followPort: optional(
    '--follow-port <port>',
    'port for servers that follow this one; 0 takes a free one (default: none)',
    port,
  ),
  followHost: option('--follow-host <address>', 'address of that port', text, {
    preset: '127.0.0.1',
  }),
  followAccept: optional(
    '--follow-accept <file>',
    'file with the tokens that it takes, a name and a SHA-256 a line ("loadout follow token")',
    raw,
  ),
  followersMax: option(
    '--followers-max <count>',
    'most servers that follow this one directly',
    from(1, followersMaxMax),
    { preset: followersMaxDefault },
  ),
  nodeName: optional('--node-name <name>', 'what this server is called; else its host', nodeName),
  acceptEmptyStore: option(
    '--accept-empty-store [switch]',
    'let an empty store replace the contents that are served',
    onOff,
    { preset: false },
  ),
} satisfies Rows;

type Rows = Readonly<Record<string, OptionRow>>;

/** The values of a table, each in the unit of its name. */
export type OptionValues<R extends Rows> = {
  readonly [Name in keyof R]: R[Name] extends OptionRow<infer T> ? T : never;
};

type DatabaseOptions = {
  readonly [Name in 'database' | 'databaseReplica' | 'eventsDatabase']: DatabaseUrl | null;
};

/** What a server is started with. */
export interface ServeOptions
  extends OptionValues<typeof serverOptions>,
    Omit<OptionValues<typeof fleetOptions>, keyof DatabaseOptions>,
    DatabaseOptions {
  /** Of the OpenID provider; null: none is named. */
  readonly oidc: OidcSettings | null;
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
  /** Null: no collector is named. */
  readonly tracing: Tracing | null;
  /** Ends what was started, last one first. */
  readonly undo: (() => unknown)[];
}
