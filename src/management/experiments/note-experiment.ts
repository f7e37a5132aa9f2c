/** Notes beside an event of an experiment which content it is about, so that the audit of the content shows it. */
import { noteContents } from '../store/contents/audited-contents.js';
import { findContent } from '../store/contents/contents.js';
import type { ExperimentRecord } from '../store/experiments/experiments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export async function noteExperiment(
  write: UnitOfWork,
  auditId: string,
  { environment, content }: Pick<ExperimentRecord, 'environment' | 'content'>,
): Promise<void> {
  const found = await findContent(write.db, environment, content);
  if (found === null) return;
  const { id, live, newest } = found;
  const facts = { before: live, after: live, newest: live ?? newest, from: null };
  await noteContents(write, auditId, [{ id, change: 'changed', ...facts }]);
}
