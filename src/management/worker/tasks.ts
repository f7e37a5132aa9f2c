/** The work of management that is too heavy for the control thread, by name: pure functions of their input. */

import { resultsOf } from '../../analysis/results/results-of.js';
import { findAttributes } from '../attributes/find-attributes.js';
import { planMapping } from '../calendar/plan-mapping.js';
import { diffLine } from '../contents/diff/diff-line.js';
import { diffMappings } from '../contents/diff/diff-mappings.js';
import { listPlaces } from '../contents/diff/list-places.js';
import { locateValue } from '../contents/diff/locate-value.js';
import { prepareText } from '../contents/validate/prepare-text.js';
import { validateState } from '../contents/validate/validate-state.js';
import { findAbTests } from '../contents/warnings/find-ab-tests.js';
import { findInterference } from '../contents/warnings/find-interference.js';
import { setValues } from '../edits/set-values.js';
import { describeEnvelope } from '../evaluation/describe-envelope.js';
import { evaluateContext } from '../evaluation/evaluate-context.js';
import { findSavedSegments } from '../evaluation/find-saved-segments.js';
import { previewContexts } from '../evaluation/preview-contexts.js';
import { findFindings } from '../guards/find-findings.js';
import { evaluateCohort } from '../players/cohort/evaluate-cohort.js';
import { findInMapping } from '../search/find-in-mapping.js';
import { findInText } from '../search/find-in-text.js';
import { nameRules } from '../search/name-rules.js';
import { checkCondition } from '../segments/check-condition.js';
import { compareConditions } from '../segments/compare-conditions.js';
import { testCondition } from '../segments/test-condition.js';
import { readTransferLines } from '../transfer/reading/read-transfer-lines.js';

/**
 * What a worker can be asked. Inputs and results are structured clones, so they hold data only; a task never touches
 * the store.
 */
export const tasks = {
  checkCondition,
  compareConditions,
  describeEnvelope,
  diffLine,
  diffMappings,
  evaluateCohort,
  evaluateContext,
  findAbTests,
  findAttributes,
  findFindings,
  findInMapping,
  findInText,
  findInterference,
  findSavedSegments,
  listPlaces,
  locateValue,
  nameRules,
  planMapping,
  validateState,
  prepareText,
  previewContexts,
  readTransferLines,
  resultsOf,
  setValues,
  testCondition,
} as const;

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;
