/** `--wait-fleet`: says which servers do not serve a change yet, and lets the command end with 1. */

import type { FleetJson } from '../../contract/schemas/common.js';
import { io } from '../terminal/io.js';
import { printNote } from '../terminal/output.js';

/**
 * The change is made, so the result is printed all the same: only the exit code and stderr differ.
 * @param value the response to a change; without `fleet` nothing was changed, and nothing is missing
 */
export function noteFleet(value: unknown): void {
  if (typeof value !== 'object' || value === null || !('fleet' in value)) return;
  const { missing, storeUnavailable } = value.fleet as FleetJson;
  const unsure = storeUnavailable === true;
  if (missing.length === 0 && !unsure) return;
  io().exitCode = 1;
  if (unsure) {
    printNote('The change is saved. The store went away before all servers were heard of.');
  }
  for (const { name, sequence } of missing) {
    printNote(`The server ${name} does not serve the change yet: it is at sequence ${sequence}.`);
  }
}
