/**
 * Goal: what docs/targeting.md says of conditions, changes and rejected rules is what the kernel does.
 * Method: each row of its tables is evaluated; conditions also by the evaluator of the GrowthBook SDK.
 */
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { indexDocument } from '../../../../src/content/json/document.js';
import { parseMapping, type Rule } from '../../../../src/content/mapping/mapping.js';
import { compileMutation, MutationIssue } from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';
import { mutatedBytesMax } from '../../../../src/content/mutation/splice-limits.js';
import { conditionOf, evaluateByGrowthBook } from '../condition/condition-oracle.js';
import { readDocument, readTables } from './markdown-table.js';

const page = readDocument('docs/targeting.md');
const conditions = readTables(page, 'conditions');
const mutations = readTables(page, 'mutations');
const rejected = readTables(page, 'rejected');

describe('conditions of docs/targeting.md', () => {
  it('are there', () => {
    expect(conditions.length).toBeGreaterThan(70);
    expect(conditions.filter(({ matches }) => matches !== 'yes' && matches !== 'no')).toEqual([]);
  });

  it.each(conditions)('$condition on $attributes$context: $matches', (row) => {
    const when = JSON.parse(row['condition'] ?? '');
    const context = row['context'] === undefined ? { p: parsed(row) } : JSON.parse(row['context']);
    const { u = '', p = {}, v = null } = context;
    const expected = row['matches'] === 'yes';
    expect(conditionOf(when)(makeEvaluationContext(u, p, v))).toBe(expected);
    if (row['context'] !== undefined) return;
    expect(evaluateByGrowthBook(p, forGrowthBook(when))).toBe(expected);
  });
});

function parsed(row: Record<string, string>): unknown {
  return JSON.parse(row['attributes'] ?? '');
}

/** The two operators that its JavaScript SDK lacks, as the page explains them. */
function forGrowthBook(when: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(when).map(([name, test]) => {
      const { $notRegex, $notRegexi, ...rest } = Object(test);
      if ($notRegex !== undefined) return [name, { ...rest, $not: { $regex: $notRegex } }];
      if ($notRegexi !== undefined) return [name, { ...rest, $not: { $regexi: $notRegexi } }];
      return [name, test];
    }),
  );
}

describe('changes of docs/targeting.md', () => {
  it('are there', () => expect(mutations.length).toBeGreaterThan(10));

  it.each(mutations)('$content with $change: $result', ({ content, change, result }) => {
    const [rule] = rulesOf(`[{ "segment": "s", "when": {}, ${change} }]`);
    const source = rule?.mutation;
    if (source === undefined || source === null) throw new Error('it changes nothing');
    const mutation = compileMutation(source.kind, source.document);
    if (mutation instanceof MutationIssue) throw new Error(mutation.message);
    const document = indexDocument(Buffer.from(content ?? ''));
    const { bytes, issues } = splice(document, [mutation], mutatedBytesMax);
    const applied = issues[0] === null ? Buffer.from(bytes).toString() : 'does not apply';
    expect(applied).toBe(result);
  });
});

function rulesOf(mapping: string): readonly Rule[] {
  const read = parseMapping(Buffer.from(mapping));
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.rules;
}

describe('rejected rules of docs/targeting.md', () => {
  it('are there', () => expect(rejected.length).toBeGreaterThan(10));

  it.each(rejected)('$place: $reason', (row) => {
    const read = parseMapping(Buffer.from(row['rejected mapping'] ?? ''));
    const [fault, ...others] = read.ok ? [] : read.issues;
    expect(others).toEqual([]);
    expect(fault?.path).toBe(row['place']);
    expect(fault?.message).toContain(row['reason']);
  });
});
