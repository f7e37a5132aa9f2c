/** What can be typed after `loadout`, read from commander's own tree: a new command or option is in it by itself. */

import type { Argument, Command, Option } from 'commander';
import { collect } from '../terminal/parse-option.js';
import type { NameKind } from './complete.js';

/** What may stand in a place: one of a few words, something in the file system, or what no shell can know. */
export type Value =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'folder' }
  /** What the server names. */
  | { readonly kind: 'names'; readonly of: NameKind }
  | { readonly kind: 'free' };

export interface CompletionOption {
  /** `-u` and `--user`, as far as there are both. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Null: it takes none, or need not. */
  readonly value: Value | null;
  /** May be given again. */
  readonly repeats: boolean;
}

export interface CompletionNode {
  /** Words from the program's name on: `loadout env create`. */
  readonly path: readonly string[];
  /** Other words that may stand for the last one. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly commands: readonly CompletionNode[];
  readonly options: readonly CompletionOption[];
  /** In order; the last one's value again when it takes several. */
  readonly args: readonly Value[];
}

export function completionTree(command: Command, above: readonly string[] = []): CompletionNode {
  const path = [...above, command.name()];
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((child) => completionTree(child, path));
  return {
    path,
    aliases: command.aliases(),
    description: command.description(),
    commands,
    options: help.visibleOptions(command).map(optionOf),
    args: command.registeredArguments.map((place) => argumentOf(command, place)),
  };
}

/** What may be typed for an alias, and the path that it means. */
export function allAliases(root: CompletionNode): { typed: string; means: string }[] {
  return allNodes(root).flatMap(({ path, aliases }) =>
    aliases.map((alias) => ({
      typed: [...path.slice(0, -1), alias].join(' '),
      means: path.join(' '),
    })),
  );
}

/** The node and all below it, parents first. */
export function allNodes(node: CompletionNode): CompletionNode[] {
  return [node, ...node.commands.flatMap(allNodes)];
}

function optionOf(option: Option): CompletionOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  return {
    flags,
    description: option.description,
    value: option.required ? valueFor(option) : null,
    repeats: option.variadic || option.parseArg === collect,
  };
}

/** The name of what is created is new. */
function argumentOf(command: Command, place: Argument): Value {
  const isNew = command.name() === 'create' && place === command.registeredArguments.at(-1);
  return isNew ? { kind: 'free' } : valueFor(place);
}

/** By its choices, else by the name of its placeholder. */
function valueFor(place: Option | Argument): Value {
  if (place.argChoices !== undefined) return { kind: 'words', words: place.argChoices };
  const name = 'flags' in place ? (placeholder.exec(place.flags)?.[1] ?? '') : place.name();
  if (name === 'file') return { kind: 'file' };
  if (name === 'folder') return { kind: 'folder' };
  if (name === 'switch') return { kind: 'words', words: ['true', 'false'] };
  const of = namedBy.get(name);
  return of === undefined ? { kind: 'free' } : { kind: 'names', of };
}

const namedBy: ReadonlyMap<string, NameKind> = new Map([
  ['environment', 'environments'],
  ['from', 'environments'],
  ['to', 'environments'],
  ['content', 'contents'],
  ['contents', 'contents'],
  ['segment', 'segments'],
  ['release', 'releases'],
  ['experiment', 'experiments'],
  ['profile', 'profiles'],
]);

const placeholder = /[<[]([\w-]+)/;
