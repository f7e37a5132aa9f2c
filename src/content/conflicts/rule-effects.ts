/** What a rule changes, and for which players: what two rules of a mapping are compared by. */
import type { Layers } from '../layers.js';
import type { MutationSource, Rule } from '../mapping/rule.js';
import { compileMutation } from '../mutation/mutation.js';
import { MutationIssue } from '../mutation/mutation-issue.js';
import { type Bounds, both, boundsOf, everyone } from './attribute-bounds.js';
import { compileBound } from './bound-test.js';
import { commonPaths } from './common-paths.js';
import { boundsOfLayers } from './layer-bounds.js';
import { bucketName, type ComparisonBudget, hasBucket, sharedPlayers } from './shared-players.js';
import { writtenPaths } from './written-paths.js';

/** What some players of a rule receive: all of them, or those of one variant. */
interface Effect {
  /** JSON Pointers, as `writtenPaths` gives them. */
  readonly paths: readonly string[];
  readonly players: readonly Bounds[];
}

export interface RuleEffects {
  readonly players: readonly Bounds[];
  readonly paths: readonly string[];
  /** Those that change something. */
  readonly effects: readonly Effect[];
}

/** What two rules both change for a player who meets both. */
export interface Touch {
  /** JSON Pointers, ascending. */
  readonly paths: readonly string[];
  /** Attributes of which such a player must have a list of values; none: any player may meet both. */
  readonly lists: readonly string[];
}

/** Pairs of variants that are looked at for two tests. With more, all of their variants are taken to meet. */
const variantPairsMax = 400;

/**
 * @param when the condition of the rule, its own or the saved one, as `JSON.parse` gave it; null: it is not known
 * @param layers of the environment
 */
export function effectsOf(rule: Rule, when: unknown, layers: Layers): RuleEffects {
  const players = both(when === null ? everyone : boundsOf(when), boundsOfLayers(rule, layers));
  const effects: Effect[] = [];
  for (const { from, to, mutation } of rule.variants ?? []) {
    if (mutation === null) continue;
    const name = bucketName(rule.salt);
    const range = [{ $gte: from }, { $lte: to }].map((operand) => compileBound(name, operand));
    const bucket = new Map([[name, range.filter((test) => test !== null)]]);
    // A salt that is that of the layer as well places no player in a variant outside the slice.
    const inVariant = both(players, [bucket]).filter((bounds) => hasBucket(bounds, name));
    effects.push({ paths: pathsOf(mutation), players: inVariant });
  }
  if (rule.mutation !== null) effects.push({ paths: pathsOf(rule.mutation), players });
  const paths = [...new Set(effects.flatMap((effect) => effect.paths))];
  return { players, paths, effects };
}

/** Null: they change nothing that is the same, or no player can meet both. */
export function touchOf(a: RuleEffects, b: RuleEffects, budget: ComparisonBudget): Touch | null {
  const all = commonPaths(a.paths, b.paths);
  if (all.length === 0) return null;
  if (a.effects.length * b.effects.length <= variantPairsMax) return touchOfEffects(a, b, budget);
  const lists = sharedPlayers(a.players, b.players, budget);
  return lists && { paths: all, lists };
}

function touchOfEffects(a: RuleEffects, b: RuleEffects, budget: ComparisonBudget): Touch | null {
  const paths = new Set<string>();
  let fewest: readonly string[] | null = null;
  for (const one of a.effects) {
    for (const other of b.effects) {
      const common = commonPaths(one.paths, other.paths);
      if (common.length === 0) continue;
      const lists = sharedPlayers(one.players, other.players, budget);
      if (lists === null) continue;
      for (const path of common) paths.add(path);
      if (fewest === null || lists.length < fewest.length) fewest = lists;
    }
  }
  return fewest && { paths: [...paths].sort(), lists: fewest };
}

function pathsOf({ kind, document }: MutationSource): readonly string[] {
  const mutation = compileMutation(kind, document);
  // A mapping that was read holds mutations that compile.
  return mutation instanceof MutationIssue ? [''] : writtenPaths(mutation);
}
