/** Rows of phases: what assigned the players of an experiment, from when to when. */
import type { Selectable } from 'kysely';
import type { FrozenRule } from '../../../content/experiments/frozen-rule.js';
import type { Db } from '../dialect.js';
import type { ExperimentPhasesTable } from '../tables/experiments.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { ExperimentId } from './experiments.js';

export interface PhaseRecord extends Readonly<Omit<ExperimentPhasesTable, 'rule'>> {
  readonly rule: FrozenRule;
}

/** By number. */
export async function listPhases(
  db: Db,
  { environment, id: experiment }: ExperimentId,
): Promise<PhaseRecord[]> {
  const rows = await db
    .selectFrom('experimentPhases')
    .selectAll()
    .where((where) => where.and({ environment, experiment }))
    .orderBy('number')
    .execute();
  return rows.map(phaseOf);
}

/** Of all experiments of an environment, by experiment and number. */
export async function listAllPhases(db: Db, environment: string): Promise<PhaseRecord[]> {
  const rows = await db
    .selectFrom('experimentPhases')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('experiment')
    .orderBy('number')
    .execute();
  return rows.map(phaseOf);
}

/** The present phase of each running experiment, by id of the experiment. */
export async function listOpenPhases(
  db: Db,
  environment: string,
): Promise<ReadonlyMap<string, PhaseRecord>> {
  const rows = await db
    .selectFrom('experimentPhases')
    .selectAll()
    .where('environment', '=', environment)
    .where('endedAt', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.experiment, phaseOf(row)]));
}

/** The number of the last phase; 0: there is none. */
export async function lastPhase(
  db: Db,
  { environment, id: experiment }: ExperimentId,
): Promise<number> {
  const { last } = await db
    .selectFrom('experimentPhases')
    .select((select) => select.fn.max('number').as('last'))
    .where((where) => where.and({ environment, experiment }))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Ends the present phase, if there is one. */
export async function endPhase(
  write: UnitOfWork,
  { environment, id: experiment }: ExperimentId,
): Promise<void> {
  await write.db
    .updateTable('experimentPhases')
    .set({ endedAt: write.at })
    .where((where) => where.and({ environment, experiment }))
    .where('endedAt', 'is', null)
    .execute();
}

/** @returns the number of the phase that begins with this write */
export async function beginPhase(
  write: UnitOfWork,
  { environment, id: experiment }: ExperimentId,
  rule: FrozenRule,
  reason: string,
): Promise<number> {
  const number = (await lastPhase(write.db, { environment, id: experiment })) + 1;
  const times = { startedAt: write.at, endedAt: null };
  await write.db
    .insertInto('experimentPhases')
    .values({ environment, experiment, number, ...times, reason, rule: JSON.stringify(rule) })
    .execute();
  return number;
}

/** Keeps what changed of the rule without another phase. */
export async function updatePhaseRule(
  write: UnitOfWork,
  { environment, experiment, number }: PhaseRecord,
  rule: FrozenRule,
): Promise<void> {
  await write.db
    .updateTable('experimentPhases')
    .set({ rule: JSON.stringify(rule) })
    .where((where) => where.and({ environment, experiment, number }))
    .execute();
}

function phaseOf(row: Selectable<ExperimentPhasesTable>): PhaseRecord {
  return { ...row, rule: JSON.parse(row.rule) as FrozenRule };
}
