/** The members of a rule that share players: read, or rejected with the reason. */
import { describe, expect, it } from 'vitest';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';

function read(rule: object) {
  const parsed = parseMapping(Buffer.from(JSON.stringify([{ segment: 's', when: {}, ...rule }])));
  if (!parsed.ok) return parsed.issues.map(({ path, message }) => `${path} ${message}`);
  const [first] = parsed.rules;
  return { layer: first?.layer, slice: first?.slice, salt: first?.salt, holdout: first?.holdout };
}

const layered = { layer: 'shop', slice: [0, 199], salt: 'exp-7' };

describe('a rule', () => {
  it('has a layer with its slice and a salt, and then the holdout unless it says otherwise', () => {
    expect(read(layered)).toEqual({ ...layered, holdout: true });
    expect(read({ ...layered, holdout: false })).toEqual({ ...layered, holdout: false });
  });

  it('without a layer has no holdout unless it says so', () => {
    const none = { layer: null, slice: null, salt: null };
    expect(read({})).toEqual({ ...none, holdout: false });
    expect(read({ holdout: true })).toEqual({ ...none, holdout: true });
  });

  it.each([
    [{ layer: 'shop', salt: 's' }, 'mapping[0].slice is missing: a rule of a layer has one'],
    [
      { layer: 'shop', slice: [0, 9] },
      'mapping[0].salt is missing: a rule of a layer assigns its variants with a salt of its own',
    ],
    [
      { layer: 'shop', slice: [0, 9], salt: null },
      'mapping[0].salt is missing: a rule of a layer assigns its variants with a salt of its own',
    ],
    [{ slice: [0, 9] }, 'mapping[0].slice stands without a layer: it is a slice of one'],
    [
      { ...layered, slice: [0, 1_000] },
      'mapping[0].slice must be [first, last], two whole numbers from 0 to 999',
    ],
    [{ ...layered, slice: [9, 0] }, 'mapping[0].slice must have its lower group first'],
    [{ ...layered, layer: '' }, 'mapping[0].layer must not be empty'],
    [{ ...layered, layer: 7 }, 'mapping[0].layer must be a text'],
    [{ holdout: 'yes' }, 'mapping[0].holdout must be true or false'],
  ])('is rejected as %j', (rule, issue) => {
    expect(read(rule)).toContain(issue);
  });
});
