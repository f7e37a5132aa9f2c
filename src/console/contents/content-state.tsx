/** What of a content players get, and whether a draft waits: in words, with a colour beside them. */
import type { ContentSummary } from '../../contract/operations/contents.js';
import styles from './contents.module.css';

export function ContentStateBadges({
  content: { live, newest },
}: {
  readonly content: Pick<ContentSummary, 'live' | 'newest'>;
}) {
  if (live === null) {
    return (
      <span
        className={styles['badge']}
        data-state="unpublished"
        title={`Revision ${newest} is a draft. Players get nothing of this content yet.`}
      >
        Not published
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
          title={`Revision ${newest} is saved and not published.`}
        >
          Draft r{newest}
        </span>
      )}
    </span>
  );
}
