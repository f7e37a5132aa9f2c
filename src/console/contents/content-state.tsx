/** Whether a content item is live, and whether it has a newer draft. */
import type { ContentSummary } from '../../contract/operations/contents.js';
import styles from './contents.module.css';

export function ContentStateBadges({
  content: { live, newest },
}: {
  readonly content: Pick<ContentSummary, 'live' | 'newest'>;
}) {
  if (live === null) {
    return (
      <span className={styles['badges']}>
        <span
          className={styles['badge']}
          data-state="unpublished"
          title={`Revision ${newest} is a draft. Players do not get it yet.`}
        >
          Not published
        </span>
      </span>
    );
  }
  return (
    <span className={styles['badges']}>
      <span className={styles['badge']} data-state="live" title={`Players get revision ${live}.`}>
        Live r{live}
      </span>
      {newest > live && (
        <span
          className={styles['badge']}
          data-state="draft"
          title={`Revision ${newest} is saved, not published.`}
        >
          Draft r{newest}
        </span>
      )}
    </span>
  );
}
