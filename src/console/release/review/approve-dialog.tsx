/** Approves a release: shows exactly what the digest names, and sends that digest. */
import { List, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { noteCharsMax } from '../../../contract/limits.js';
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { nameConfirmed } from '../../findings/confirmation-words.js';
import { Facts } from '../../parts/data/facts.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { brakeSentences } from '../../releases/words/brake.js';
import {
  describeChange,
  keyOfChange,
  listNames,
  nameOfChange,
  titleOfChange,
} from '../../releases/words/change-words.js';
import { stateLabels } from '../../releases/words/release-states.js';
import { formatSteps } from '../../releases/words/steps.js';
import { FindingsOf } from './findings-section.js';
import { ReleaseWarnings } from './release-warnings.js';

export interface ReviewDialogProps {
  readonly env: string;
  readonly release: Release;
  readonly onClose: () => void;
}

const reachShownMax = 30;

export function ApproveDialog({ env, release, onClose }: ReviewDialogProps) {
  // What is approved is what was read when the dialog opened.
  const [seen] = useState(release);
  const [comment, setComment] = useState('');
  const { name: place } = useGuard(env);
  const sending = useReleaseAct(env, ({ state, release: number }) => {
    notifyDone(`You approved #${number}. It is ${stateLabels[state].toLowerCase()}.`);
    onClose();
  });
  const { changes, reach, steps, brake, review } = seen;
  const hasMoved = release.review.digest !== review.digest;
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (hasMoved) return;
    sending.mutate({
      number: seen.release,
      send: (params) =>
        request('POST /environments/:env/releases/:release/approve', {
          params,
          body: { digest: review.digest, comment: comment.trim() },
        }),
    });
  };
  return (
    <FormDialog
      form={{ submit, isPending: sending.isPending, error: sending.error }}
      title={`Approve #${seen.release} ${seen.title}`}
      size="xl"
      onClose={onClose}
      confirm="Approve"
      isDisabled={hasMoved}
    >
      <Text size="sm">You approve exactly this for {place}. Any edit withdraws your approval.</Text>
      <List size="sm" aria-label="Changes">
        {changes.map((change) => (
          <List.Item key={keyOfChange(nameOfChange(change))} style={{ overflowWrap: 'anywhere' }}>
            <strong>{titleOfChange(nameOfChange(change))}</strong>:{' '}
            {describeChange(change, seen.state)}
          </List.Item>
        ))}
      </List>
      <Facts
        facts={{
          Reaches: listNames(
            [...reach.contents, ...reach.segments.map((name) => `segment ${name}`)],
            reachShownMax,
          ),
          Ramp: formatSteps(steps),
          Brake: brakeSentences(brake).join(' '),
          Digest: <span className="mono">{review.digest.slice(0, 16)}</span>,
        }}
      />
      {seen.findings.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {seen.confirmed === null
              ? 'What was found in it:'
              : `${review.submittedBy} has confirmed ${nameConfirmed(seen.findings)}, and you approve them:`}
          </Text>
          <FindingsOf release={seen} />
        </div>
      )}
      {hasMoved && (
        <Text size="sm" fw={600} role="alert">
          The release was changed while you looked at it. Close this and look at it again.
        </Text>
      )}
      <Textarea
        data-autofocus
        label="Comment"
        autosize
        maxRows={6}
        maxLength={noteCharsMax}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <ReleaseWarnings env={env} release={seen} />
    </FormDialog>
  );
}
