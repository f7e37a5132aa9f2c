/** What is typed against what players get now. */

import { Modal, Text } from '@mantine/core';
import { useEditing } from '../../draft/editing.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { Waiting } from '../../parts/waiting.js';
import { StateDiff } from './state-diff.js';
import { useLiveState } from './use-live-state.js';

export function CompareDialog({ onClose }: { readonly onClose: () => void }) {
  const { saved, state, isDirty } = useEditing();
  const { live, error, retry } = useLiveState();
  const isNarrow = useIsNarrow();
  const mine = isDirty ? 'As typed' : `Draft r${saved.newest}`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Compare with live r${saved.live}`}
      size="80rem"
      fullScreen={isNarrow}
    >
      {error !== null && <ProblemAlert error={error} onRetry={retry} />}
      {live === null && error === null && <Waiting label="Loading what is live" height={200} />}
      {live !== null && (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            Comments count as differences here, though they are not delivered.
          </Text>
          <StateDiff
            before={live}
            after={state}
            beforeLabel={`Live r${saved.live}`}
            afterLabel={mine}
            same="What is shown is what is live."
          />
        </>
      )}
    </Modal>
  );
}
