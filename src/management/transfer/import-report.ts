/** Describes an import for people: counts, and what changes in each content as far as a response shows it. */

import { changesShownMax } from '../../contract/limits.js';
import type { ImportReport as FullReport } from '../../contract/operations/transfer.js';
import { noGuards } from '../store/contents/content-guards.js';
import { type DescribedChange, outlineChange } from './describe-change.js';
import type { ImportOutcome } from './import-environment.js';
import type { PlannedContent } from './plan-import.js';

/** What the response holds, but for what the request itself says. */
export type ImportReport = Omit<FullReport, 'mode' | 'dryRun' | 'fleet'>;

export function reportImport(outcome: ImportOutcome): ImportReport {
  const { plan, warnings, sequence, described } = outcome;
  const counts = { added: 0, changed: 0, unchanged: plan.unchanged, removed: 0 };
  for (const { change } of plan.contents) counts[change]++;
  const contents = plan.contents.slice(0, changesShownMax).map((content) => {
    const { id, change, save } = content;
    const live = save?.live ?? null;
    const outline = described.get(id.toLowerCase()) ?? outlineOf(content);
    return { id, change, revision: save?.newest ?? null, live, ...outline };
  });
  const contentsCut = plan.contents.length > contents.length;
  const { segments, layers, experiments } = plan;
  const facts = {
    ...{ segments, layers: layers.added },
    metrics: experiments.metrics.map(({ name, change }) => ({ name, change })),
    experiments: experiments.experiments.map(({ id }) => id),
  };
  return { plan: plan.id, counts, contents, contentsCut, ...facts, warnings, sequence };
}

/** By the first new revision: the live one, or the draft where that is all there is. */
function outlineOf({ before, save }: PlannedContent): DescribedChange {
  const present = before === undefined || before.deleted ? null : before;
  const state = present?.live ?? present?.draft ?? null;
  const stored = present === null ? null : { ...present, state };
  const about = save?.about ?? present ?? noAbout;
  const after = save === null ? noState : (save.revisions[0] ?? state ?? noState);
  return outlineChange(stored, { about, state: after });
}

const noState = { lines: [], mapping: null, flags: [] } as const;
const noAbout = { description: '', tags: [], schema: null, guards: noGuards } as const;
