/** Which users a ramp reaches, over a million users and the steps of a ramp. */
import { expect, it } from 'vitest';
import { makeEvaluationContext } from '../../src/content/evaluation-context.js';
import { sliceOf } from '../../src/content/ramp.js';

const users = Math.ceil(1_000_000 * Number(process.env['LOADOUT_SOAK_PART'] ?? 1));
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_127);
const steps = [1, 10, 100, 250, 500, 1_000];

it('only grows from step to step, and has a control of its own size beside it', () => {
  const salt = `release-${seed}`;
  const sizes = steps.map(() => ({ candidate: 0, control: 0 }));
  let left = 0;
  for (let user = 0; user < users; user += 1) {
    const caller = makeEvaluationContext(`player-${user.toString(36)}`, {}, null);
    let wasIn = false;
    for (const [at, permille] of steps.entries()) {
      const slice = sliceOf({ salt, permille }, caller);
      if (slice !== null) (sizes[at] as (typeof sizes)[0])[slice] += 1;
      if (wasIn && slice !== 'candidate') left += 1;
      wasIn = slice === 'candidate';
    }
  }
  console.log(`seed ${seed}: ${JSON.stringify(sizes)}`);
  expect(left).toBe(0);
  for (const { candidate, control } of sizes.slice(0, -1)) {
    expect(Math.abs(candidate - control)).toBeLessThanOrEqual(4 * Math.sqrt(candidate + control));
  }
  expect(sizes.at(-1)).toEqual({ candidate: users, control: 0 });
});
