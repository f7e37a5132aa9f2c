/**
 * Random contents against the delivery path's own splice, over every combination of rules and variants: what is delivered is
 * inside the envelope, and what the envelope claims is delivered.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainObject } from '../json/arbitrary-json.js';
import { printRaw } from '../json/raw-tree.js';
import { arbitraryMapping } from './arbitrary-mapping.js';
import { choicesOf, deliveries, envelope, rulesOf } from './enveloping.js';
import { isReached, outsideOf, type Reached } from './inside.js';

const line = plainObject.map(printRaw);

describe('an envelope', () => {
  it('holds every value that any combination of rules and variants delivers', () => {
    const property = fc.property(line, arbitraryMapping(4), (text, mapping) => {
      const bounds = envelope(text, mapping);
      for (const json of deliveries(text, choicesOf(rulesOf(mapping)))) {
        const outside = outsideOf(bounds, json);
        if (outside !== null) throw new Error(`${outside}\n${json}`);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('claims, at 95 of 100 paths or more, only types and bounds that some combination delivers', () => {
    let paths = 0;
    let tight = 0;
    const property = fc.property(line, arbitraryMapping(4), (text, mapping) => {
      const bounds = envelope(text, mapping);
      const reached = new Map<string, Reached>();
      for (const json of deliveries(text, choicesOf(rulesOf(mapping)))) {
        outsideOf(bounds, json, reached);
      }
      for (const [path, claimed] of bounds.paths) {
        paths++;
        if (isReached(claimed, reached.get(path))) tight++;
      }
    });
    fc.assert(property, { numRuns: 500, seed: 19 });
    expect(tight / paths).toBeGreaterThan(0.95);
  });
});
