/**
 * The golden corpus of the kernel: whether this version renders the inputs of a tag as the version did that wrote the
 * corpus. Where it does not on purpose, raise `tagFormat`, so that clients fetch everything once, and write the corpus anew:
 *
 *     LOADOUT_WRITE_TAG_CORPUS=1 npx vitest run --config test/vitest.config.ts --project pure test/unit/content/tag
 *
 * It is not written while it disagrees and `tagFormat` is still that of the corpus.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestOf } from '../../../../src/content/hash.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import type { MutationKind } from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';
import { mutatedBytesMax } from '../../../../src/content/mutation/splice-limits.js';
import { Selection } from '../../../../src/content/selection.js';
import { tagFormat } from '../../../../src/content/tag.js';
import { seededRandom } from '../../../support/seeded-random.js';
import { documentOf, mutationOf } from '../mutation/splicing.js';

/** The inputs, and what came of them. */
interface Case {
  readonly json: string;
  /** Every rule applies, with its first variant where it has any. */
  readonly mapping: string;
  readonly tag: string;
  readonly rendered: string;
  /** Places of the mutations that could not apply. */
  readonly missed: readonly number[];
  /** The delivered `meta.seg`. */
  readonly seg: string;
}

const file = join(import.meta.dirname, 'tag-corpus.ndjson');
const drawnCount = 300;

/** @throws when this is not a mapping that management accepts */
function caseOf(json: string, mapping: string): Case {
  const parsed = parseMapping(Buffer.from(mapping));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const selection = new Selection(
    parsed.rules,
    parsed.rules.map(() => 0),
  );
  const compiled = selection.mutations.map(({ kind, document }) =>
    mutationOf(kind, Buffer.from(document.bytes).toString()),
  );
  const { bytes, issues } = splice(documentOf(json), compiled, mutatedBytesMax);
  const missed = issues.flatMap((issue, at) => (issue === null ? [] : [at]));
  return {
    json,
    mapping,
    tag: selection.tag(digestOf(json)),
    rendered: Buffer.from(bytes).toString(),
    missed,
    seg: selection.segJsonWithout(missed),
  };
}

/**
 * A document that a patch makes grow to a given length, and a second rule that makes it small again: whether the patch
 * applied shows in `missed`.
 * @param above how many bytes more than `mutatedBytesMax`, 0 to 9
 */
function grownCase(above: number): Case {
  // Each copy of n bytes makes 2n + 5 of them, so 16 copies of 1,019 make 2^26 - 5. The number at /n adds the rest.
  const json = `{"a":"${'x'.repeat(1_005)}","n":1}`;
  const copies = Array.from('bcdefghijklmopqr', (name) => ({
    op: 'copy',
    from: '',
    path: `/${name}`,
  }));
  const last = { op: 'replace', path: '/n', value: 10 ** (5 + above) };
  const patch = { segment: 'grown', when: {}, patch: [...copies, last] };
  const small = { segment: 'small', when: {}, replace: { small: true } };
  return caseOf(json, JSON.stringify([patch, small]));
}

/** Documents and mutations that meet each other: few names, values that are easily taken for one another. */
function* drawnCases(count: number): Iterable<Case> {
  const random = seededRandom(1);
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const names = ['a', 'b', '', '__proto__', 'a/b', 'm~n', 'é', '10'];
  const scalars = [
    '1.10',
    '-0',
    '1e400',
    '9007199254740993',
    '"x"',
    '"\\u00e9\\n"',
    'true',
    'null',
  ];
  const value = (levels: number): string => {
    const kind = levels === 0 ? 0 : random();
    if (kind < 0.4) return of(scalars);
    const size = Math.floor(random() * 4);
    const items = Array.from({ length: size }, () => value(levels - 1));
    if (kind < 0.6) return `[${items.join()}]`;
    const unique = [...new Set(items.map(() => JSON.stringify(of(names))))];
    return `{${unique.map((name, at) => `${name}:${items[at]}`).join()}}`;
  };
  const pointer = (): string => {
    const tokens = [...names.map((n) => n.replaceAll('~', '~0').replaceAll('/', '~1')), '0', '-'];
    return Array.from({ length: Math.floor(random() * 3) }, () => `/${of(tokens)}`).join('');
  };
  const operation = (): string => {
    const op = of(['add', 'remove', 'replace', 'move', 'copy', 'test']);
    const path = JSON.stringify(pointer());
    if (op === 'remove') return `{"op":"remove","path":${path}}`;
    if (op === 'move' || op === 'copy') {
      return `{"op":"${op}","from":${JSON.stringify(pointer())},"path":${path}}`;
    }
    return `{"op":"${op}","path":${path},"value":${value(1)}}`;
  };
  const rule = (at: number): string => {
    const kind = of<MutationKind>(['merge', 'merge', 'patch', 'patch', 'patch', 'replace']);
    const operations = Array.from({ length: 1 + Math.floor(random() * 2) }, operation);
    const mutation = `"${kind}":${kind === 'patch' ? `[${operations.join()}]` : value(2)}`;
    const info = random() < 0.3 ? `,"info":"i\u00e9${at}"` : '';
    const start = `{"segment":"s${at}","when":{}${info}`;
    if (random() < 0.6) return `${start},${mutation}}`;
    const effect = random() < 0.3 ? '' : `,${mutation}`;
    return `${start},"variants":[{"name":"v","groups":[0,999]${effect}}]}`;
  };
  for (let made = 0; made < count; ) {
    const rules = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => rule(at));
    try {
      yield caseOf(value(3), `[${rules.join()}]`);
      made += 1;
    } catch {
      // A move into itself and the like: not a mutation that a mapping may have.
    }
  }
}

function readCorpus(): { readonly format: unknown; readonly cases: readonly Case[] } {
  const [head, ...cases] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { format: head.tagFormat, cases };
}

function writeCorpus(): void {
  const cases = [...drawnCases(drawnCount), grownCase(0), grownCase(1)];
  const lines = [{ tagFormat }, ...cases].map((line) => JSON.stringify(line));
  writeFileSync(file, `${lines.join('\n')}\n`);
}

it('renders what it rendered when the corpus was written', () => {
  const isWriting = process.env['LOADOUT_WRITE_TAG_CORPUS'] !== undefined;
  const before = readCorpus();
  if (!isWriting) expect(before.format).toBe(tagFormat);
  if (before.format === tagFormat) {
    for (const known of before.cases) expect(caseOf(known.json, known.mapping)).toEqual(known);
  }
  if (isWriting) writeCorpus();
});

it('has a corpus that mutates, misses and reaches the limit of a mutated document', () => {
  const { cases } = readCorpus();
  const count = (is: (one: Case) => boolean): number => cases.filter(is).length;
  expect(cases.length).toBe(drawnCount + 2);
  expect(count(({ json, rendered }) => json !== rendered)).toBeGreaterThan(150);
  expect(count(({ missed }) => missed.length > 0)).toBeGreaterThan(50);
  expect(count(({ mapping }) => mapping.includes('"variants"'))).toBeGreaterThan(50);
  expect(cases.slice(-2)).toEqual([grownCase(0), grownCase(1)]);
  expect(cases.slice(-2).map(({ missed }) => missed)).toEqual([[], [0]]);
});
