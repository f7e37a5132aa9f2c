import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  brakeOf,
  type RampOptions,
  withRamp,
} from '../../../../src/command/release/ramp-options.js';

function parse(...args: string[]): RampOptions {
  const command = withRamp(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse(args, { from: 'user' }).opts();
}

describe('--step', () => {
  it('is a share of the users and a duration, in the order given', () => {
    expect(parse('--step', '0.5%:10m', '--step', '10%:1h', '--step', '100%:0').step).toEqual([
      { percent: 0.5, holdMinutes: 10 },
      { percent: 10, holdMinutes: 60 },
      { percent: 100, holdMinutes: 0 },
    ]);
  });

  it.each(['', '1', '1%', '1:10m', '1%:', '1%:10', '1%:10s', '-1%:10m', '0.55%:1h', '%:1h'])(
    'rejects %j',
    (text) => {
      expect(() => parse('--step', text)).toThrow();
    },
  );
});

describe('the brake', () => {
  it('is what the options say, and nothing without them', () => {
    expect(brakeOf(parse())).toBeUndefined();
    expect(brakeOf(parse('--brake-receipts', '10m'))).toEqual({
      action: undefined,
      receipts: { minutes: 10 },
      query: null,
    });
    const query = ['--brake-query', 'up', '--below', '-0.5', '--for', '2m'];
    expect(brakeOf(parse(...query, '--brake-action', 'pause'))).toEqual({
      action: 'pause',
      receipts: null,
      query: { query: 'up', above: undefined, below: -0.5, minutes: 2 },
    });
  });

  it.each([
    ['a bound without a query', ['--above', '5'], '--above, --below and --for need --brake-query.'],
    ['a query without a bound', ['--brake-query', 'up'], 'needs either --above or --below'],
    [
      'a query with two bounds',
      ['--brake-query', 'up', '--above', '5', '--below', '1'],
      'needs either --above or --below',
    ],
    ['an action of no brake', ['--brake-action', 'stop'], '--brake-action needs'],
  ])('rejects %s', (_name, args, message) => {
    expect(() => brakeOf(parse(...args))).toThrow(message);
  });
});
