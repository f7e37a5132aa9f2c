/** Leaves what the players of the demo's experiments have done so far where the server finds it when it starts. */
import { join } from 'node:path';
import type { AssignedReport } from '../../published/barrier.js';
import { eventsFolderName } from '../../published/event-files.js';
import type { EventLine } from '../../published/event-line.js';
import type { AdminClient } from '../client/admin-client.js';
import { demoExperiments } from './demo-experiments.js';
import { assignedReports } from './past-assigned.js';
import { PastEvents, writeEventFiles } from './past-events.js';

interface SeedOptions {
  readonly client: AdminClient;
  readonly environment: string;
  /** The data folder. */
  readonly data: string;
  readonly nowMs: number;
  readonly streamKey: string;
}

/**
 * @returns which players were given which variant
 * @throws CommandFailure
 */
export async function seedEvents(options: SeedOptions): Promise<AssignedReport[]> {
  const { client, environment, data, nowMs, streamKey } = options;
  const reports: AssignedReport[] = [];
  const lines: EventLine[] = [];
  for (const behaviour of demoExperiments) {
    const params = { env: environment, id: behaviour.id };
    const route = 'GET /environments/:env/experiments/:id';
    const { value: experiment } = await client.request(route, { params });
    const past = new PastEvents({ environment, experiment, behaviour, nowMs });
    lines.push(...past.lines);
    reports.push(...assignedReports(streamKey, environment, experiment, past.players));
  }
  writeEventFiles(join(data, eventsFolderName), lines);
  return reports;
}
