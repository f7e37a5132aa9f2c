/** `loadout env layers`: the layers and the holdout of an environment, shown and changed. */
import { type Command, InvalidArgumentError } from 'commander';
import type { EnvironmentLayers, LayersInput } from '../../contract/schemas/experiments/layers.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
  withFleetWait,
} from '../client/connection.js';
import { counted } from '../terminal/counted.js';
import { misuse } from '../terminal/failure.js';
import { oneLine } from '../terminal/output.js';
import { type Column, formatTable } from '../terminal/table.js';

interface LayersOptions extends ConnectionOptions {
  /** Names, each with a salt or without. */
  readonly add: readonly Added[];
  readonly remove: readonly string[];
  /** Undefined: it stays. */
  readonly holdout?: HoldoutRange | 'none';
}

interface Added {
  readonly name: string;
  readonly salt?: string;
}

type HoldoutRange = readonly [first: number, last: number];
type Use = EnvironmentLayers['uses'][number];

const columns: readonly Column<EnvironmentLayers['layers'][number]>[] = [
  { title: 'LAYER', text: ({ name }) => name },
  { title: 'SALT', text: ({ salt }) => salt },
];

const useColumns: readonly Column<Use>[] = [
  { title: 'LAYER', text: ({ layer }) => layer ?? '-' },
  { title: 'SLICE', text: ({ slice }) => (slice === null ? '-' : slice.join('-')) },
  { title: 'CONTENT', text: ({ content, revision }) => `${content} r${revision}` },
  { title: 'RULE', text: ({ rule, segment }) => `${rule + 1}. ${oneLine(segment)}` },
  { title: 'HOLDOUT', text: ({ holdout }) => (holdout ? 'left out' : 'takes part') },
];

export function addLayersCommand(parent: Command): void {
  withFleetWait(withConnection(parent.command('layers <environment>')))
    .description('show the layers and the holdout of an environment, or change them')
    .option('--add <name[=salt]>', 'add a layer, with a random salt unless one is given', added, [])
    .option('--remove <name>', 'remove a layer that no rule uses', listed, [])
    .option('--holdout <first-last>', 'buckets of players who take part in no experiment', range)
    .action(layers);
}

async function layers(env: string, options: LayersOptions): Promise<void> {
  const client = openClient(options);
  const params = { env };
  const present = await client.request('GET /environments/:env/layers', { params });
  const { add, remove, holdout } = options;
  if (add.length + remove.length === 0 && holdout === undefined) {
    printResponse(options, present, ({ value }) => formatLayers(value));
    return;
  }
  const body = edited(present.value, options);
  const response = await client.request('PUT /environments/:env/layers', { params, body });
  printResponse(options, response, ({ value }) => formatLayers(value));
}

function edited(
  { layers: present, holdout: held, etag }: EnvironmentLayers,
  { add, remove, holdout }: LayersOptions,
): LayersInput {
  const names = present.map(({ name }) => name);
  const unknown = remove.find((name) => !names.includes(name));
  if (unknown !== undefined) throw misuse(`There is no layer ${unknown}.`);
  const twice = add.find(({ name }) => names.includes(name));
  if (twice !== undefined) throw misuse(`There is a layer ${twice.name} already.`);
  const kept = present.filter(({ name }) => !remove.includes(name));
  return {
    layers: [...kept, ...add],
    holdout: holdout === undefined ? held : holdoutOf(holdout, held),
    ifEtag: etag,
  };
}

function holdoutOf(
  wanted: HoldoutRange | 'none',
  held: EnvironmentLayers['holdout'],
): LayersInput['holdout'] {
  if (wanted === 'none') return null;
  return { ...(held !== null && { salt: held.salt }), groups: [...wanted] };
}

function formatLayers({ layers: all, holdout, uses }: EnvironmentLayers): string {
  const held =
    holdout === null
      ? 'No holdout.\n'
      : `Holdout: buckets ${holdout.groups.join('-')}, salt ${holdout.salt}.\n`;
  const used =
    uses.length === 0
      ? ''
      : `\n${counted(uses.length, 'rule')} of live and newest revisions:\n${formatTable(useColumns, uses, '')}`;
  return `${formatTable(columns, all, 'No layers.')}${held}${used}`;
}

function added(text: string, before: readonly Added[]): readonly Added[] {
  const at = text.indexOf('=');
  if (at === -1) return [...before, { name: text }];
  return [...before, { name: text.slice(0, at), salt: text.slice(at + 1) }];
}

function listed(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

const rangeText = /^(\d{1,3})-(\d{1,3})$/;

function range(text: string): HoldoutRange | 'none' {
  if (text === 'none') return text;
  const [, first = '', last = ''] = rangeText.exec(text) ?? [];
  if (first === '' || Number(first) > Number(last)) {
    throw new InvalidArgumentError(
      'It must be two buckets from 0 to 999, such as 950-999, or none.',
    );
  }
  return [Number(first), Number(last)];
}
