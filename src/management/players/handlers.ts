/** Players: what a player was given at a moment. */
import { contentKey } from '../../content/content-id.js';
import { parseInstant } from '../../content/mapping/instant.js';
import { lookUpPlayer } from '../../contract/operations/players/lookup.js';
import { Moment } from '../evaluation/moment.js';
import { readContext } from '../evaluation/read-context.js';
import { rawList, rawObject } from '../http/body/raw-json.js';
import { rawMembers } from '../http/body/raw-members.js';
import { type Handler, handle } from '../http/handlers.js';
import { bodyIssue } from '../http/problem.js';
import { playerLookUpBytesMax, playerLookUpMsMax } from '../limits/evaluation.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { listExperimentsAt } from '../store/experiments/experiments-at.js';
import { toIso } from '../to-iso.js';
import { lookUpItem } from './look-up-item.js';

export const playerHandlers: readonly Handler[] = [
  handle(lookUpPlayer, async ({ params: { env }, body, context, request }) => {
    const { store, work, limits } = context;
    const nowMs = context.now();
    const atMs = body.at === undefined ? nowMs : (parseInstant(body.at) ?? nowMs);
    if (atMs > nowMs) return bodyIssue('at', 'must not be in the future');
    const { u, v = null, ids } = body;
    if (ids !== undefined && body.after !== undefined) {
      return bodyIssue('after', 'must not be combined with "ids"');
    }
    // The attributes as they were sent: parsing and writing them again could lose what decides.
    const p = rawMembers(request.rawBody ?? new Uint8Array()).get('p') ?? '{}';
    const userContext = rawObject({ u, v }, { p });
    const caller = readContext(userContext);
    if (typeof caller === 'string') return bodyIssue('p', caller);
    const found = await store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      const page = ids ?? (await listIds(db, env, contentKey(body.after ?? ''), body.limit + 1));
      return { page, experiments: await listExperimentsAt(db, env, atMs) };
    });
    if (!('page' in found)) return found;
    const { page, experiments } = found;
    const wanted = ids ?? page.slice(0, body.limit);
    const player = { moment: new Moment(env, atMs), caller, context: userContext, experiments };
    const deps = { store, work, levelsMax: limits.textLevelsMax };
    const until = performance.now() + playerLookUpMsMax;
    const pace = new EventLoopYielder();
    const items: Uint8Array[] = [];
    let bytesLeft = playerLookUpBytesMax;
    let next: string | null = page.length > wanted.length ? (wanted.at(-1) ?? null) : null;
    for (const [index, id] of wanted.entries()) {
      const { item, response } = await lookUpItem(deps, player, id);
      const isNamed = ids !== undefined;
      const shown = isNamed ? item : { ...item, rules: null };
      items.push(rawObject(shown, { answer: (isNamed ? response : null) ?? 'null' }));
      bytesLeft -= items.at(-1)?.byteLength ?? 0;
      await pace.step();
      const isLast = index + 1 === wanted.length;
      if (isLast || (bytesLeft > 0 && performance.now() < until)) continue;
      next = isNamed ? (wanted[index + 1] ?? null) : id;
      break;
    }
    const { uid, mod } = caller;
    return rawList({ at: toIso(atMs), uid, mod, next }, 'items', items);
  }),
];

/** By lower-case id, deleted content items too. */
async function listIds(
  db: Db,
  environment: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('contents')
    .select('id')
    .where('environment', '=', environment)
    .where('idLower', '>', after)
    .orderBy('idLower')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
