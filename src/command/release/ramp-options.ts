/** `--step` and `--brake-…`: how a release ramps, and what stops it by itself. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReleaseStep } from '../../contract/schemas/release.js';
import { misuse } from '../terminal/failure.js';
import { parseMinutes, parseNumber } from '../terminal/parse-option.js';

export interface RampOptions {
  readonly step?: readonly ReleaseStep[];
  readonly brakeReceipts?: number;
  readonly brakeQuery?: string;
  readonly above?: number;
  readonly below?: number;
  readonly for?: number;
  readonly brakeAction?: 'stop' | 'pause';
}

const stepForm = /^(\d{1,3}(?:\.\d)?)%:(\w+)$/;

export function withRamp(command: Command): Command {
  return command
    .option(
      '--step <percent:duration>',
      'a step of the ramp, such as 1%:10m; repeatable, in order',
      collectStep,
    )
    .option(
      '--brake-receipts <duration>',
      'stop when players that are in miss a healthy start more often after this time, such as 10m',
      parseMinutes,
    )
    .option('--brake-query <promql>', 'stop when the result of this Prometheus query is bad')
    .option('--above <number>', 'the query is bad above this number', parseNumber)
    .option('--below <number>', 'the query is bad below this number', parseNumber)
    .option('--for <duration>', 'for how long without interruption, such as 2m', parseMinutes)
    .addOption(
      new Option('--brake-action <action>', 'what a brake that trips does').choices([
        'stop',
        'pause',
      ]),
    );
}

function collectStep(text: string, earlier: readonly ReleaseStep[] | undefined): ReleaseStep[] {
  const [, percent, duration] = stepForm.exec(text) ?? [];
  if (percent === undefined || duration === undefined) {
    throw new InvalidArgumentError(
      'It must be a share of the users and a duration, such as 1%:10m, 0.5%:1h or 100%:0.',
    );
  }
  return [...(earlier ?? []), { percent: Number(percent), holdMinutes: parseMinutes(duration) }];
}

/** The brake that the options describe, as the server takes it; undefined: no option is about one. */
export function brakeOf(options: RampOptions) {
  const { brakeReceipts, brakeQuery, above, below, for: minutes, brakeAction } = options;
  if (brakeQuery === undefined && [above, below, minutes].some((value) => value !== undefined)) {
    throw misuse('--above, --below and --for need --brake-query.');
  }
  if (brakeReceipts === undefined && brakeQuery === undefined) {
    if (brakeAction === undefined) return undefined;
    throw misuse('--brake-action needs --brake-receipts or --brake-query.');
  }
  if (brakeQuery !== undefined && (above === undefined) === (below === undefined)) {
    throw misuse('--brake-query needs either --above or --below.');
  }
  return {
    action: brakeAction,
    receipts: brakeReceipts === undefined ? null : { minutes: brakeReceipts },
    query:
      brakeQuery === undefined ? null : { query: brakeQuery, above, below, minutes: minutes ?? 0 },
  };
}
