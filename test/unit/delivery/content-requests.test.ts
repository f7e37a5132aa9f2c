import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Piscina } from 'piscina';
import { expect, it } from 'vitest';
import { makeCaller } from '../../../src/content/caller.js';
import { SelectionBudget } from '../../../src/content/selection-budget.js';
import type { ApiKeys } from '../../../src/delivery/api-keys.js';
import { Clock } from '../../../src/delivery/clock.js';
import { ContentRequests } from '../../../src/delivery/content-requests.js';
import { chooseDocumentWork } from '../../../src/delivery/document-work.js';
import type { Exchange } from '../../../src/delivery/exchange.js';
import { combineBytesMaxDefault, renderedFreshBytesMax } from '../../../src/delivery/limits.js';
import { LoopTurns } from '../../../src/delivery/loop-turns.js';
import type { Measures } from '../../../src/delivery/measures.js';
import { parseCombineQuery } from '../../../src/delivery/query.js';
import { Refusal } from '../../../src/delivery/refusals.js';
import { Form, type PoolTask } from '../../../src/delivery/render-task.js';
import { Renderer } from '../../../src/delivery/renderer.js';
import type { SequenceWaits } from '../../../src/delivery/sequence-waits.js';
import { ServedContent } from '../../../src/delivery/served-content.js';

const work = chooseDocumentWork('off');
const filler = 'x'.repeat(200_000);
const caller = makeCaller('u', {}, null);

/** A content of 200 KB whose one rule writes `mark`. */
function contentOf(id: string, mark: string): ServedContent {
  const json = jsonOf(id);
  const mapping = Buffer.from(JSON.stringify([{ segment: 's', when: {}, merge: { mark } }]));
  const line = { version: '0.0.0', digest: id, hash: id, bytes: json.byteLength };
  const row = { environment: 'e', id, lines: [line], mapping, mappingDigest: mark };
  return new ServedContent(row, () => undefined, new SelectionBudget(1e6, true));
}

function jsonOf(id: string): Buffer {
  return Buffer.from(JSON.stringify({ id, filler }));
}

it('a combined answer keeps what was at hand while it waits for the rest', async () => {
  const asked: { readonly task: PoolTask; readonly finish: (reply: unknown) => void }[] = [];
  const pool = {
    run: (task: PoolTask) => new Promise((finish) => asked.push({ task, finish })),
  } as unknown as Piscina;
  const renderer = new Renderer(pool, work, new LoopTurns(), (error) => {
    throw error;
  });
  const contents = new Map<string, ServedContent>();
  const exchange = (answer: (bytes: Uint8Array) => void): Exchange =>
    ({
      environment: { content: (id: string) => contents.get(id) },
      sequenceMin: -1,
      accepts: 0,
      choosingAtMs: 0,
      ended: false,
      answer,
    }) as unknown as Exchange;
  const measures = { rulesMissed: 0 } as Measures;
  const requests = new ContentRequests(
    {} as ApiKeys,
    renderer,
    {} as SequenceWaits,
    measures,
    new Clock(),
    combineBytesMaxDefault,
  );
  const finishDocuments = async (): Promise<void> => {
    for (const { task, finish } of asked) {
      if (task.type === 'document') finish(work.index(jsonOf(task.bodyDigest)));
    }
    await nextTurn();
  };

  contents.set('ready', contentOf('ready', 'mine'));
  requests.answerOne(exchange(ignore), 'ready', caller, Form.Wrapped);
  await finishDocuments();

  contents.set('late', contentOf('late', 'late'));
  const query = parseCombineQuery('c=["ready","late"]&dynamic=true', 100);
  if (query instanceof Refusal) throw new Error('the query is valid');
  let answer = '';
  requests.answerMany(
    exchange((bytes) => {
      answer = Buffer.from(bytes).toString();
    }),
    query,
    caller,
  );
  await nextTurn();
  // Others pass through the cache meanwhile, until the memory of the first is theirs.
  for (let at = 0; at < (2 * renderedFreshBytesMax) / filler.length; at += 1) {
    contents.set('ready', contentOf('ready', `other-${at}`));
    requests.answerOne(exchange(ignore), 'ready', caller, Form.Wrapped);
    if (at % 20 === 0) await nextTurn();
  }
  const late = asked.find(
    ({ task }) =>
      task.type === 'render' && task.tasks.some(({ bodyDigest }) => bodyDigest === 'late'),
  );
  late?.finish([rendered('late')]);
  await nextTurn();
  const parsed = JSON.parse(answer) as Record<string, { data: { id: string; mark: string } }>;
  expect(parsed['ready']?.data).toEqual({ id: 'ready', filler, mark: 'mine' });
  expect(parsed['late']?.data.id).toBe('late');
});

const ignore = (): void => undefined;

/** What the pool would answer, without the mutation. */
function rendered(id: string): unknown {
  const raw = Buffer.from(`{"data":${jsonOf(id)},"hash":"${id}","meta":{"uid":${' '.repeat(200)}`);
  const rawLength = raw.byteLength - 200;
  return { raw, rawLength, packed: null, packedLength: 0, crc: 0, crcShift: 0, missed: [] };
}
