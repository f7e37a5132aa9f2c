/** Asks before an act on a release, with its reason. */
import { Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { noteCharsMax } from '../../../contract/limits.js';
import type { Release } from '../../../contract/schemas/release.js';
import { ApiProblem } from '../../api/call.js';
import { confirmationOf, useAskedConfirmation } from '../../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../../findings/confirmation-notice.js';
import { confirmSuffix } from '../../findings/confirmation-words.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import type { ActName } from '../../parts/acts/protected-acts.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { stateLabels } from '../../releases/words/release-states.js';
import { ReleaseWarnings } from '../review/release-warnings.js';
import { type AskedAct, actWords } from '../words/act-words.js';
import { sendAct } from './act-requests.js';

export interface ActDialogProps {
  readonly env: string;
  readonly release: Release;
  readonly act: Exclude<AskedAct, 'revert'>;
  readonly onClose: () => void;
}

export function ActDialog({ env, release, act, onClose }: ActDialogProps) {
  // What was read stays, while the release behind is read again.
  const [seen] = useState(release);
  const [text, setText] = useState('');
  const guard = useGuard(env);
  const words = actWords(act, seen, guard.name);
  const sending = useReleaseAct(env, ({ state }) => {
    notifyDone(`#${seen.release} ${seen.title}: ${stateLabels[state].toLowerCase()}.`);
    onClose();
  });
  const asked = useAskedConfirmation(undefined, sending.error);
  const { confirmation } = asked;
  // Without a review policy nothing has to be submitted, unless a guard wants the approval of a second person.
  const [mustSubmit, setMustSubmit] = useState(false);
  if (!mustSubmit && isApprovalMissing(sending.error) && seen.state === 'draft')
    setMustSubmit(true);
  const sent = mustSubmit ? 'submit' : act;
  const isReady = !(words.isFieldRequired === true && text.trim() === '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady || sending.isPending) return;
    const number = seen.release;
    const options = { text: text.trim(), confirm: confirmation?.digest };
    sending.mutate({ number, send: (params) => sendAct(sent, seen, params, options) });
  };
  // Reviewers have approved what was confirmed then: what is found since takes another review.
  const mayConfirm = sent === 'submit' || act === 'emergency' || seen.review.required === 0;
  const error = confirmationOf(sending.error) !== null && mayConfirm ? null : sending.error;
  return (
    <GuardedForm
      {...{ env, act: mustSubmit ? null : guardedActs[act] }}
      form={{ submit, isPending: sending.isPending, error }}
      title={words.title}
      size="lg"
      onClose={onClose}
      confirm={mustSubmit ? 'Submit for review' : words.confirm}
      confirmSuffix={confirmSuffix(mayConfirm ? confirmation : null)}
      color={words.color}
      isDisabled={!isReady || (confirmation !== null && !mayConfirm)}
      focus={words.field === null ? 'confirm' : undefined}
      focusName={words.field === null ? 'opening' : 'never'}
    >
      <Text size="sm">{words.text}</Text>
      {words.field !== null && (
        <Textarea
          data-autofocus
          label={words.field}
          description="The timeline shows it."
          required={words.isFieldRequired === true}
          autosize
          maxRows={6}
          maxLength={noteCharsMax}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {reachesPlayers(act) && <ReleaseWarnings {...{ env }} release={seen} />}
      <ConfirmationNotice
        asked={asked}
        hasContents
        approvalText="Reviewers see what you confirm."
      />
    </GuardedForm>
  );
}

/** Or asks others to let it. */
function reachesPlayers(act: ActDialogProps['act']): boolean {
  return act !== 'cancel' && act !== 'stop';
}

/** Submitting and cancelling a release change nothing for players. */
const guardedActs = {
  ...{ submit: null, cancel: null },
  ...{ start: 'release.start', live: 'release.live', emergency: 'release.emergency' },
  ...{ stop: 'release.stop', resume: 'release.resume' },
} as const satisfies Readonly<Record<ActDialogProps['act'], ActName | null>>;

function isApprovalMissing(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'approvals_missing';
}
