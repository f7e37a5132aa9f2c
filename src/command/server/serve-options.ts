/** The options of a server as commander has them, each also as LOADOUT_… in the environment, for containers and units. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  bodyBytesMaxDefault,
  combineBytesMaxDefault,
  idsMaxDefault,
  refreshBodyBytesMaxDefault,
  streamsPerAddressDefault,
} from '../../delivery/limits.js';
import {
  type OidcSettings,
  OidcSettingsInvalid,
  oidcSettings,
} from '../../management/oidc/oidc-settings.js';
import {
  type Form,
  fleetOptions,
  type OptionRow,
  type OptionValues,
  type ServeOptions,
  serverOptions,
} from '../../management/serve/options.js';
import { DatabaseUrlInvalid, parseDatabaseUrl } from '../../management/store/postgres/url.js';
import { misuse } from '../terminal/failure.js';
import {
  parseNames,
  parseNetworks,
  parseOrigins,
  parseSwitch,
  wholeNumber,
  wholeNumberOrAll,
} from '../terminal/parse-option.js';
import { readSecret } from '../terminal/secrets.js';
import { readVersion } from '../terminal/version.js';
import { checkFollow } from './check-follow.js';
import { checkService } from './check-service.js';
import { applyOptionFiles } from './option-files.js';
import { isOnTerminal } from './start-lines.js';

/** What commander makes of the options below. */
export interface ServeFlags {
  readonly [name: string]: unknown;
  readonly data?: string;
}

/** Defaults that differ between `serve` and `demo`. */
interface ServeDefaults {
  readonly host: string;
  /** null: the command makes a folder of its own. */
  readonly data: string | null;
  readonly logLevel: string;
  readonly webhooksToLocal: boolean;
  readonly eventAttributes?: readonly string[];
}

type Defaults = Readonly<Record<string, unknown>>;
type Rows = Readonly<Record<string, OptionRow>>;

/** Adds every option of a server to `command`. */
export function withServeOptions(command: Command, defaults: ServeDefaults): Command {
  addRows(command, serverOptions, {
    ...{ ...defaults, bodyBytesMax: bodyBytesMaxDefault },
    ...{ idsMax: idsMaxDefault, combineBytesMax: combineBytesMaxDefault },
    refreshBytesMax: refreshBodyBytesMaxDefault,
    streamsPerAddress: streamsPerAddressDefault,
  });
  const earlier = optionOf({ ...serverOptions.processes, flag: '--listeners <count>' });
  command.addOption(earlier.hideHelp());
  if (defaults.data !== null) return command;
  const data = command.options.find(({ long }) => long === '--data');
  if (data) data.description = 'empty folder to use; else one is made and removed';
  return command;
}

/** Adds the options of a server that shares its store with others. */
export function withFleetOptions(command: Command): Command {
  return addRows(command, fleetOptions, {});
}

/** Names of options whose value may be a secret. */
const secretNames: ReadonlySet<string> = new Set(
  [...Object.values<OptionRow>(serverOptions), ...Object.values<OptionRow>(fleetOptions)]
    .filter(({ form }) => form.kind === 'secret')
    .map(({ flag }) => new Option(flag).name()),
);

/**
 * Sets the options that are in files (`option-files.ts`).
 * @param config path of the configuration file; null: there is none
 * @throws CommandFailure
 */
export function applyServeFiles(command: Command, config: string | null): void {
  applyOptionFiles(command, { secrets: secretNames, config });
}

function addRows(command: Command, rows: Rows, defaults: Defaults): Command {
  for (const [name, row] of Object.entries(rows)) {
    const own = defaults[name];
    const shown = Array.isArray(own) && own.length > 0 ? { presetShown: own.join(',') } : {};
    command.addOption(optionOf({ ...row, ...shown }, own ?? row.preset));
  }
  return command;
}

/** @param preset undefined or null: the option has no default */
function optionOf({ flag, help, form, presetShown }: OptionRow, preset?: unknown): Option {
  const option = new Option(flag, help);
  option.env(`LOADOUT_${option.name().replaceAll('-', '_').toUpperCase()}`);
  if (preset !== undefined && preset !== null) option.default(preset, presetShown);
  // The value is optional, so that LOADOUT_LENIENT_CATALOG=false switches it off.
  if (form.kind === 'switch') option.preset('true');
  if (form.kind === 'choice') return option.choices(form.choices as readonly string[]);
  const isAnyText = form.kind === 'raw' || form.kind === 'secret';
  return isAnyText ? option : option.argParser(parserOf(form));
}

function parserOf(form: Form<unknown>): (text: string) => unknown {
  const { kind, min = 0, max = Number.MAX_SAFE_INTEGER } = form;
  if (kind === 'number') return form.orAll ? wholeNumberOrAll(min, max) : wholeNumber(min, max);
  if (kind === 'switch') return parseSwitch;
  if (kind === 'origins') return parseOrigins;
  if (kind === 'networks') return parseNetworks;
  if (kind === 'names') return parseNames;
  return (text: string) => parseText(text, form.charsMax);
}

function parseText(text: string, charsMax: number | undefined): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  if (charsMax === undefined) return text;
  if (text.trim().length <= charsMax) return text.trim();
  throw new InvalidArgumentError(`It must have at most ${charsMax} characters.`);
}

/** What the server is started with. `data` is the folder in use, since a command may have made its own. */
export function serveOptions(flags: ServeFlags, data: string): ServeOptions {
  const values = valuesOf(serverOptions, flags);
  const { database, databaseReplica, eventsDatabase, ...fleet } = valuesOf(fleetOptions, flags);
  const { tlsCert, tlsKey, textBytesMax } = values;
  if ((tlsCert === null) !== (tlsKey === null)) {
    throw misuse('--tls-cert and --tls-key belong together: give both or neither.');
  }
  checkPortsDiffer({ ...values, ...fleet });
  const { prometheusUrl, prometheusTokenFile, otlpUrl, otlpHeadersFile } = values;
  checkService('--prometheus-url', prometheusUrl, '--prometheus-token-file', prometheusTokenFile);
  checkService('--otlp-url', otlpUrl, '--otlp-headers-file', otlpHeadersFile);
  checkEventsTo(values.eventsTo);
  checkEventsDatabase(values.eventsTo, database, eventsDatabase);
  checkFollow({ ...fleet, database, eventsTo: values.eventsTo });
  const oidc = oidcOf(values);
  if (database === null && databaseReplica !== null) {
    throw misuse('--database-replica needs --database: edits go there.');
  }
  if (database !== null && textBytesMax > databaseTextBytesMax) {
    throw misuse(`--text-bytes-max is at most ${databaseTextBytesMax} with --database.`);
  }
  return {
    ...values,
    ...fleet,
    data,
    processes: processesOf(values.processes, flags),
    database: databaseUrl(database),
    databaseReplica: databaseUrl(databaseReplica),
    eventsDatabase: databaseUrl(eventsDatabase),
    oidc,
    adminToken: readSecret('LOADOUT_ADMIN_TOKEN'),
    ownerTokenToFile: !isOnTerminal(),
    version: readVersion(),
  };
}

function valuesOf<R extends Rows>(rows: R, flags: ServeFlags): OptionValues<R> {
  const values = Object.entries(rows).map(([name, { flag, preset = null, scale = 1 }]) => {
    const value = flags[new Option(flag).attributeName()] ?? preset;
    if (value === 'all') return [name, null];
    return [name, typeof value === 'number' ? value * scale : value];
  });
  return Object.fromEntries(values);
}

function checkPortsDiffer({ port, adminPort, metricsPort, followPort }: PortValues): void {
  const ports: readonly (readonly [flag: string, port: number | null])[] = [
    ['--port', port],
    ['--admin-port', adminPort],
    ['--metrics-port', metricsPort],
    ['--follow-port', followPort],
  ];
  const taken = new Map<number, string>();
  for (const [flag, given] of ports) {
    if (given === null || given === 0) continue;
    const other = taken.get(given);
    if (other !== undefined) throw misuse(`${other} and ${flag} must differ.`);
    taken.set(given, flag);
  }
}

type PortValues = Pick<ServeOptions, 'port' | 'adminPort' | 'metricsPort' | 'followPort'>;

/** No error message repeats the text: there may be a password in it. */
function checkEventsTo(target: string): void {
  if (target === 'local' || target === 'off' || target === 'postgres') return;
  const { protocol } = URL.canParse(target) ? new URL(target) : { protocol: '' };
  if (protocol === 'http:' || protocol === 'https:') return;
  throw misuse(
    '--events-to is local, off, postgres, or a URL that begins with http:// or https://.',
  );
}

function checkEventsDatabase(
  target: string,
  database: string | null,
  eventsDatabase: string | null,
): void {
  if (target === 'postgres' && database === null && eventsDatabase === null) {
    throw misuse('--events-to postgres needs --events-database, or --database.');
  }
  if (target !== 'postgres' && eventsDatabase !== null) {
    throw misuse('--events-database needs --events-to postgres.');
  }
}

function oidcOf(values: OptionValues<typeof serverOptions>): OidcSettings | null {
  try {
    return oidcSettings(values, readSecret('LOADOUT_OIDC_CLIENT_SECRET'));
  } catch (error) {
    if (error instanceof OidcSettingsInvalid) throw misuse(error.message);
    throw error;
  }
}

/** `--listeners` is the earlier name of `--processes`. */
function processesOf(processes: number | null, flags: ServeFlags): number | null {
  const earlier = (flags['listeners'] as number | undefined) ?? null;
  if (processes !== null && earlier !== null && processes !== earlier) {
    throw misuse(
      `--processes (LOADOUT_PROCESSES) is ${processes}, and its earlier name --listeners (LOADOUT_LISTENERS) is ${earlier}: give one of them.`,
    );
  }
  return processes ?? earlier;
}

function databaseUrl(text: string | null): ReturnType<typeof parseDatabaseUrl> | null {
  try {
    return text === null ? null : parseDatabaseUrl(text);
  } catch (error) {
    if (error instanceof DatabaseUrlInvalid) throw misuse(error.message);
    throw error;
  }
}

/** PostgreSQL sends bytes as hexadecimal text, which must fit into one string of the engine (512 MiB). */
const databaseTextBytesMax = 128 * 1024 * 1024;
