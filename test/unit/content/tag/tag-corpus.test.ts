/**
 * The golden corpus of the kernel: whether this version renders the inputs of a tag as the version did that wrote the
 * corpus. Where it does not on purpose, raise `tagFormat`, so that clients fetch everything once, and write the corpus anew:
 *
 *     LOADOUT_WRITE_TAG_CORPUS=1 npx vitest run --config test/vitest.config.ts --project pure test/unit/content/tag
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestOf } from '../../../../src/content/hash.js';
import type { MutationKind } from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';
import { tagFormat, tagOf } from '../../../../src/content/tag.js';
import { seededRandom } from '../../../support/seeded-random.js';
import { documentOf, mutationOf } from '../mutation/splicing.js';

/** The inputs, and what came of them. */
interface Case {
  readonly json: string;
  readonly mutations: readonly (readonly [kind: MutationKind, value: string])[];
  readonly tag: string;
  readonly rendered: string;
}

const file = join(import.meta.dirname, 'tag-corpus.ndjson');

function caseOf(json: string, mutations: Case['mutations']): Case {
  const rules = mutations.map(([kind, value]) => ({
    seg: '{"n":"segment","v":null}',
    mutationDigest: digestOf(`${kind}${value}`),
  }));
  const compiled = mutations.map(([kind, value]) => mutationOf(kind, value));
  const { bytes } = splice(documentOf(json), compiled, 1e6);
  const rendered = Buffer.from(bytes).toString();
  return { json, mutations, tag: tagOf(digestOf(json), rules), rendered };
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
  for (let made = 0; made < count; ) {
    const mutations = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const kind = of<MutationKind>(['merge', 'merge', 'patch', 'patch', 'patch', 'replace']);
      const operations = Array.from({ length: 1 + Math.floor(random() * 2) }, operation);
      return [kind, kind === 'patch' ? `[${operations.join()}]` : value(2)] as const;
    });
    try {
      yield caseOf(value(3), mutations);
      made += 1;
    } catch {
      // A move into itself and the like: not a mutation that a mapping may have.
    }
  }
}

it('renders what it rendered when the corpus was written', () => {
  if (process.env['LOADOUT_WRITE_TAG_CORPUS'] !== undefined) {
    const lines = [{ tagFormat }, ...drawnCases(300)].map((line) => JSON.stringify(line));
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
  const [head, ...cases] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(head).toEqual({ tagFormat });
  expect(cases.length).toBe(300);
  for (const known of cases as Case[]) {
    expect(caseOf(known.json, known.mutations)).toEqual(known);
  }
  // A corpus of mutations that miss would promise nothing.
  const changed = (cases as Case[]).filter(({ json, rendered }) => json !== rendered);
  expect(changed.length).toBeGreaterThan(150);
});
