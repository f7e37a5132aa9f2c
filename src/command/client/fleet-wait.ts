/** `--wait-fleet`: reports which servers do not serve a change yet, and makes the command exit with 1. */

import type { FleetJson } from '../../contract/schemas/common.js';
import { io } from '../terminal/io.js';
import { oneLine, printNote } from '../terminal/output.js';

/**
 * The change is made, so the result is printed anyway: only the exit code and stderr differ.
 * @param value the response to a change; without `fleet` nothing was changed, and nothing is missing
 */
export function noteFleet(value: unknown): void {
  if (typeof value !== 'object' || value === null || !('fleet' in value)) return;
  const { missing, storeUnavailable } = value.fleet as FleetJson;
  const isUncertain = storeUnavailable === true;
  if (missing.length === 0 && !isUncertain) return;
  io().exitCode = 1;
  if (isUncertain) {
    printNote('The change is saved. The store became unavailable before all servers confirmed it.');
  }
  for (const { name, sequence, behindBelow = [] } of missing) {
    const below =
      behindBelow.length > 0
        ? ` Servers below it that are away or behind: ${behindBelow.join(', ')}.`
        : '';
    const note = `The server ${name} does not serve the change yet: it is at sequence ${sequence}.`;
    printNote(oneLine(`${note}${below}`));
  }
}
