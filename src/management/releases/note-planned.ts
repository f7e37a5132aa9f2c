/** Notes beside an event of a release which contents it is about, so that the audit of each of them shows it. */
import { noteContents } from '../store/contents/audited-contents.js';
import { contentNamedBy } from '../store/contents/joins.js';
import type { ReleaseId } from '../store/releases/releases.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** What is live stays as it is; the revision of the release is the newest that the event knows. */
export async function notePlanned(
  write: UnitOfWork,
  auditId: string,
  { environment, release }: ReleaseId,
): Promise<void> {
  const rows = await write.db
    .selectFrom('releaseChanges')
    .leftJoin('contents', contentNamedBy('releaseChanges'))
    .where('releaseChanges.environment', '=', environment)
    .where('releaseChanges.release', '=', release)
    .where('releaseChanges.kind', '=', 'content')
    .select(['releaseChanges.id', 'releaseChanges.revision', 'contents.live'])
    .execute();
  const noted = rows.map(({ id, revision: newest, live }) => ({
    ...{ id, before: live, after: live, newest, from: null },
    change:
      newest === null
        ? ('removed' as const)
        : live === null
          ? ('added' as const)
          : ('changed' as const),
  }));
  await noteContents(write, auditId, noted);
}
