/** Sends a release back to its author. */
import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { noteCharsMax } from '../../../contract/limits.js';
import { request } from '../../api/call.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { notifyDone } from '../../parts/notify.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import type { ReviewDialogProps } from './approve-dialog.js';

export function RejectDialog({ env, release, onClose }: ReviewDialogProps) {
  const [comment, setComment] = useState('');
  const sending = useReleaseAct(env, ({ release: number }) => {
    notifyDone(`#${number} is a draft again.`);
    onClose();
  });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    sending.mutate({
      number: release.release,
      send: (params) =>
        request('POST /environments/:env/releases/:release/reject', {
          params,
          body: { comment: comment.trim() },
        }),
    });
  };
  return (
    <FormDialog
      form={{ submit, isPending: sending.isPending, error: sending.error }}
      title={`Send #${release.release} back`}
      onClose={onClose}
      confirm="Send back"
    >
      <Text size="sm">It is a draft again, without approvals or schedule.</Text>
      <Textarea
        data-autofocus
        label="What should change"
        description="The timeline shows it."
        autosize
        maxRows={6}
        maxLength={noteCharsMax}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
