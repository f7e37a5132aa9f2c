/** Looks every (player, moment) of a recorded day up, and compares it with what was responded then. */
import { cpuSecondsOf } from '../server/process-cpu.js';
import type { Asked } from './asked-players.js';
import { experimentRule, itemIds } from './day-texts.js';
import type { RecordedDay } from './recorded-day.js';

/** How many lookups are under way at once. */
const abreast = 4;
/** One in so many is looked up with the responses themselves. */
const everyWithResponses = 10;

export interface LookedUpDay {
  /** What was not as it was responded, a line each. */
  readonly faults: readonly string[];
  readonly pairs: number;
  /** Content items that were compared; of them, those that were delivered, and those whose bytes were compared too. */
  readonly items: number;
  readonly delivered: number;
  readonly withBytes: number;
  /** Milliseconds of one request: median and 99th percentile. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time that the server took for one request, milliseconds; what a database took is not in it. */
  readonly cpuMs: number;
}

type Pair = Asked & { readonly edit: string; readonly running: string | null };

// biome-ignore lint/suspicious/noExplicitAny: an item as the admin API shows it; a wrong one is a fault.
type ShownItem = any;

/** Throws when a lookup is rejected. */
export async function lookUpAll(day: RecordedDay): Promise<LookedUpDay> {
  const waiting = [...day.pairs()].entries();
  const faults: string[] = [];
  const tookMs: number[] = [];
  const counts = { pairs: 0, items: 0, delivered: 0, withBytes: 0 };

  const page = async (
    body: object,
  ): Promise<{ text: string; next: string | null; items: ShownItem[] }> => {
    const startedMs = performance.now();
    const path = `${day.game.path}/players/lookup`;
    const { status, text, json } = await day.game.server.admin('POST', path, body);
    tookMs.push(performance.now() - startedMs);
    if (status !== 200) throw new Error(`lookup of ${JSON.stringify(body)}: ${status} ${text}`);
    return { text, next: json.next, items: json.items };
  };
  const lookUp = async (number: number, pair: Pair): Promise<void> => {
    counts.pairs += 1;
    const isNamed = number % everyWithResponses === 0;
    const at = new Date(pair.atMs).toISOString();
    const shown = new Map<string, ShownItem>();
    const texts: string[] = [];
    let rest: object | null = isNamed ? { ids: itemIds } : {};
    // A page that takes long ends early.
    while (rest !== null) {
      const body = { ...day.players.players[pair.player], at, ...rest };
      const { text, next, items } = await page(body);
      texts.push(text);
      for (const item of items) shown.set(item.id, item);
      const following = isNamed
        ? { ids: itemIds.slice(itemIds.indexOf(next ?? '')) }
        : { after: next };
      rest = next === null ? null : following;
    }
    for (const [place, id] of itemIds.entries()) {
      const digest = pair.digests[place] ?? null;
      const item = shown.get(id);
      const fault = differenceOf(item, digest, pair.running);
      counts.items += 1;
      if (digest !== null) counts.delivered += 1;
      if (fault !== null) {
        faults.push(`after ${pair.edit}, player ${pair.player} at ${at}, ${id}: ${fault}`);
      }
      if (!isNamed || digest === null) continue;
      counts.withBytes += 1;
      const response = day.players.bodies.get(digest) ?? '';
      if (!texts.some((text) => text.includes(`"answer":${response}`)))
        faults.push(`${id} at ${at}: other bytes`);
    }
  };
  const { pid } = day.game.server;
  const cpuBefore = cpuSecondsOf(pid);
  const work = async (): Promise<void> => {
    for (const [number, pair] of waiting) await lookUp(number, pair);
  };
  await Promise.all(Array.from({ length: abreast }, work));
  const cpuMs = Number((((cpuSecondsOf(pid) - cpuBefore) * 1_000) / tookMs.length).toFixed(2));
  tookMs.sort((a, b) => a - b);
  const percentile = (share: number): number =>
    Number((tookMs[Math.floor(tookMs.length * share)] ?? 0).toFixed(1));
  const speed = { p50Ms: percentile(0.5), p99Ms: percentile(0.99), cpuMs };
  return { faults, ...counts, ...speed };
}

/** What is wrong; null: it was looked up as it was responded. */
function differenceOf(
  item: ShownItem,
  digest: string | null,
  running: string | null,
): string | null {
  // Of a content item that was never there, nothing is listed.
  if (item === undefined) return digest === null ? null : `not listed, was ${digest}`;
  const outcome = digest === null ? 'not_delivered' : 'delivered';
  if (item.outcome !== outcome) return `${item.outcome} (${item.detail}), was ${outcome}`;
  if (item.digest !== digest) return `${JSON.stringify(item)}, was ${digest}`;
  for (const { segment, experiment } of item.variants) {
    const expected = segment === experimentRule.segment ? running : null;
    if (experiment !== expected) return `experiment ${experiment}, was ${expected}`;
  }
  return null;
}
