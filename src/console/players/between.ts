/** What changed between two moments that may explain another response. Pure. */
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';

export interface Between {
  readonly what: 'outcome' | 'revision' | 'version line' | 'release' | 'segment' | 'rule';
  /** Of the segment or the rule; '' for others. */
  readonly name: string;
  /** For people. */
  readonly before: string;
  readonly after: string;
}

const none = 'none';

export function changesBetween(first: PlayerItem, second: PlayerItem): readonly Between[] {
  const changes: Between[] = [];
  const compare = (what: Between['what'], name: string, before: string, after: string): void => {
    if (before !== after) changes.push({ what, name, before, after });
  };
  compare('outcome', '', outcomeLabels[first.outcome], outcomeLabels[second.outcome]);
  compare('revision', '', revisionText(first.revision), revisionText(second.revision));
  compare('version line', '', first.line ?? none, second.line ?? none);
  compare('release', '', releaseText(first.release), releaseText(second.release));
  compareNamed('segment', segmentsOf(first), segmentsOf(second), compare);
  compareNamed('rule', rulesOf(first), rulesOf(second), compare);
  return changes;
}

export const outcomeLabels: Readonly<Record<PlayerItem['outcome'], string>> = {
  delivered: 'delivered',
  not_delivered: 'not found (404)',
  not_known: 'not known',
  rejected: 'rejected',
};

/** Such as `segment whales r2 → r3`. */
export function describeBetween({ what, name, before, after }: Between): string {
  return `${what}${name === '' ? '' : ` ${name}`} ${before} → ${after}`;
}

function compareNamed(
  what: Between['what'],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  compare: (what: Between['what'], name: string, before: string, after: string) => void,
): void {
  const missing = what === 'rule' ? 'did not apply' : none;
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    compare(what, name, before.get(name) ?? missing, after.get(name) ?? missing);
  }
}

function revisionText(revision: number | null): string {
  return revision === null ? none : `r${revision}`;
}

function releaseText(release: number | null): string {
  return release === null ? none : `#${release}`;
}

function segmentsOf({ segments }: PlayerItem): ReadonlyMap<string, string> {
  return new Map(segments.map(({ name, revision }) => [name, revisionText(revision)]));
}

function rulesOf({ variants }: PlayerItem): ReadonlyMap<string, string> {
  return new Map(variants.map(({ segment, variant }) => [segment, variant ?? 'applied']));
}
