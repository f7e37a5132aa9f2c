/** Compares what is typed with what players get now. */
import { useDraft } from '../../draft/draft-context.js';
import { Dialog } from '../../parts/dialog.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { Waiting } from '../../parts/waiting.js';
import { StateDiff } from './state-diff.js';
import { useRevisionState } from './use-revision-state.js';

export function CompareDialog({ onClose }: { readonly onClose: () => void }) {
  const { saved, state, isDirty } = useDraft();
  const { state: live, error, retry } = useRevisionState(saved.live);
  const isNarrow = useIsNarrow();
  return (
    <Dialog
      onClose={onClose}
      title={`Compare with live r${saved.live}`}
      size="80rem"
      fullScreen={isNarrow}
    >
      {error !== null && <ProblemAlert error={error} onRetry={retry} />}
      {live === null && error === null && <Waiting label="Loading what is live" height={200} />}
      {live !== null && (
        <StateDiff
          before={live}
          after={state}
          beforeLabel={`Live r${saved.live}`}
          afterLabel={isDirty ? 'As typed' : `Draft r${saved.newest}`}
          same="No differences from live."
        />
      )}
    </Dialog>
  );
}
