/**
 * Options of a server that are not on its command line: a secret in a file that `LOADOUT_…_FILE` names, and everything in a
 * configuration file. A flag counts before the environment, the environment before the configuration file, that before a default.
 */
import { readFileSync, statSync } from 'node:fs';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { TextIssue, textIssueAtUnit } from '../../content/json/text-issue.js';
import { parseTextTree, type TextNode, type TextTree } from '../../content/json/text-tree.js';
import { CommandFailure, misuse, unreadable } from '../terminal/failure.js';
import { readNamedFile, readSecretFile } from '../terminal/secrets.js';

/** A configuration has some fifty short members. */
const fileBytesMax = 256 * 1024;
const fileSuffix = '-file';

/** A value of the configuration file, as its flag would have it. */
interface ConfiguredValue {
  readonly text: string;
  /** `path:line:column`. */
  readonly place: string;
}

export interface OptionFiles {
  /** Names of options (without `--`) whose value may be a secret, and may so be in a file of its own. */
  readonly secrets: ReadonlySet<string>;
  /** Path of the configuration file; null: there is none. */
  readonly config: string | null;
}

/**
 * Sets the options that neither a flag nor a variable gives.
 * @throws CommandFailure
 */
export function applyOptionFiles(command: Command, { secrets, config }: OptionFiles): void {
  const configured = config === null ? null : readConfig(config, command, secrets);
  for (const option of command.options) {
    const name = option.name();
    const source = command.getOptionValueSource(option.attributeName());
    if (source === 'cli') continue;
    const variable = option.envVar;
    const given = source === 'env' && variable !== undefined ? variable : null;
    const secret =
      secrets.has(name) && variable !== undefined ? readNamedFile(variable, given) : null;
    if (secret !== null) set(command, option, secret, `${variable}_FILE`);
    const value = configured?.get(name);
    if (secret !== null || given !== null || value === undefined) continue;
    set(command, option, value.text, value.place);
  }
}

function set(command: Command, option: Option, text: string, place: string): void {
  const { parseArg } = option;
  try {
    const value = parseArg === undefined ? text : parseArg(text, undefined);
    command.setOptionValueWithSource(option.attributeName(), value, 'config');
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw misuse(`${place}: "${option.name()}" is invalid. ${error.message}`);
  }
}

/**
 * Reads a configuration file: an object in JSON with comments, as contents are, whose members are called as the flags are.
 * @returns by name of the option
 * @throws CommandFailure
 */
function readConfig(
  path: string,
  command: Command,
  secrets: ReadonlySet<string>,
): ReadonlyMap<string, ConfiguredValue> {
  const tree = parseTextTree(readText(path));
  if (tree instanceof TextIssue) {
    throw misuse(`${path}:${tree.line}:${tree.column}: ${tree.message}`);
  }
  if (tree.root.kind !== 'object') {
    throw misuse(`${path}: a configuration is an object such as {"port": 8080}.`);
  }
  const known = new Set(command.options.map((option) => option.name()));
  const values = new Map<string, ConfiguredValue>();
  for (const node of tree.root.children) {
    const place = placeOf(path, tree.text, node);
    const member = node.name ?? '';
    const secret = member.endsWith(fileSuffix) ? member.slice(0, -fileSuffix.length) : '';
    const name = secrets.has(secret) && !known.has(member) ? secret : member;
    if (!known.has(name) || notConfigured.has(name)) throw unknownMember(place, member, known);
    if (values.has(name)) throw misuse(`${place}: "${name}" is given twice.`);
    const text = textOf(tree, node, place);
    const isFile = name !== member;
    values.set(name, {
      place,
      text: isFile ? readSecretFile(text, `${place}: "${member}"`) : text,
    });
  }
  return values;
}

/** These say what the command does, not how the server is configured. */
const notConfigured: ReadonlySet<string> = new Set(['config', 'check', 'help']);

function readText(path: string): string {
  try {
    if (statSync(path).size > fileBytesMax) {
      throw new CommandFailure(`${path} is larger than ${fileBytesMax / 1024} KiB.`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw error instanceof CommandFailure ? error : unreadable(path, error);
  }
}

/** As the flag would have it: lists are separated by commas. */
function textOf({ text }: TextTree, node: TextNode, place: string): string {
  const { kind, children, name, start, end } = node;
  if (kind === 'string') return JSON.parse(text.slice(start, end)) as string;
  if (kind === 'number' || kind === 'boolean') return text.slice(start, end);
  if (kind === 'array' && children.every((child) => child.kind === 'string')) {
    return children.map((child) => JSON.parse(text.slice(child.start, child.end))).join(',');
  }
  throw misuse(`${place}: "${name}" is text, a number, true, false or a list of texts.`);
}

const otherPrefix = /^(?:--|LOADOUT_)/;
const camelHump = /([a-z])([A-Z])/g;

function unknownMember(place: string, member: string, known: ReadonlySet<string>): CommandFailure {
  const likely = member
    .replace(otherPrefix, '')
    .replaceAll(camelHump, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  const hint =
    known.has(likely) && !notConfigured.has(likely)
      ? `write it "${likely}"`
      : '"loadout serve --help" lists the options, without their dashes';
  return misuse(`${place}: "${member}" is no option; ${hint}.`);
}

function placeOf(path: string, text: string, { keyStart }: TextNode): string {
  const { line, column } = textIssueAtUnit(text, keyStart, '');
  return `${path}:${line}:${column}`;
}
