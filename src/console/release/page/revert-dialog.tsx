/**
 * Reverts a release. Where something changed since, it says what, and asks once more; where approvals are asked for, only an
 * owner can go on, in an emergency.
 */
import { Checkbox, List, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { noteCharsMax } from '../../../contract/limits.js';
import type { Release } from '../../../contract/schemas/release.js';
import { ApiProblem, request } from '../../api/call.js';
import { IconAlertTriangle } from '../../icons/icons.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { useSession } from '../../session/session.js';
import { actWords } from '../words/act-words.js';
import { changedSince } from '../words/changed-since.js';

export interface RevertDialogProps {
  readonly env: string;
  readonly release: Release;
  readonly onClose: () => void;
}

export function RevertDialog({ env, release, onClose }: RevertDialogProps) {
  const { release: number, title } = release;
  const [reason, setReason] = useState('');
  const [isForced, setIsForced] = useState(false);
  const isOwner = useSession().role === 'owner';
  const guard = useGuard(env);
  const words = actWords('revert', release, guard.name);
  const sending = useReleaseAct(env, () => {
    notifyDone(`#${number} ${title} is reverted: players get what was live before.`);
    onClose();
  });
  // Known before it is sent, or from the response.
  const known = changedSince(release);
  const problem = sending.error;
  const isRefused = problem instanceof ApiProblem && problem.code === 'release_conflict';
  const refused = isRefused ? problem.errors.map(({ path, message }) => `${path}: ${message}`) : [];
  const since = refused.length > 0 ? refused : known;
  const asksToForce = since.length > 0 || isRefused;
  const isEmergency = asksToForce && release.review.required > 0;
  const isReady = (!asksToForce || isForced) && (!isEmergency || (isOwner && reason.trim() !== ''));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady || sending.isPending) return;
    sending.mutate({
      number,
      send: (params) =>
        request('POST /environments/:env/releases/:release/revert', {
          params,
          body: {
            ...{ reason: reason.trim(), force: isForced },
            ...(isEmergency && { emergency: { reason: reason.trim() } }),
          },
        }),
    });
  };
  return (
    <GuardedForm
      {...{ env, act: 'release.revert' }}
      form={{ submit, isPending: sending.isPending, error: isRefused ? null : problem }}
      title={words.title}
      size="lg"
      onClose={onClose}
      confirm={words.confirm}
      color="red"
      isDisabled={!isReady}
    >
      <Text size="sm">{words.text}</Text>
      {asksToForce && (
        <ChangedSince
          detail={isRefused ? problem.message : null}
          lines={since}
          isEmergency={isEmergency}
          isForced={isForced}
          onForced={setIsForced}
        />
      )}
      <Textarea
        data-autofocus
        label="Reason"
        required={isEmergency}
        description="The timeline and the histories show it."
        autosize
        maxRows={6}
        maxLength={noteCharsMax}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </GuardedForm>
  );
}

interface ChangedSinceProps {
  /** What the server said; null: it was not asked yet. */
  readonly detail: string | null;
  readonly lines: readonly string[];
  readonly isEmergency: boolean;
  readonly isForced: boolean;
  readonly onForced: (isForced: boolean) => void;
}

function ChangedSince(props: ChangedSinceProps) {
  const { detail, lines, isEmergency, isForced, onForced } = props;
  const isOwner = useSession().role === 'owner';
  return (
    <TitledAlert
      color="orange"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title="Some of it changed since"
    >
      {detail !== null && <Text size="sm">{detail}</Text>}
      <List size="sm" mb="xs">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {isEmergency && (
        <Text size="sm" mb="xs">
          {isOwner
            ? 'This is an emergency: it takes a reason and no approvals. Webhooks are notified, and a banner stays for a day.'
            : 'Ask an owner to revert it in an emergency, or make a release that repairs it.'}
        </Text>
      )}
      <Checkbox
        label="Revert these too: players lose what came later"
        disabled={isEmergency && !isOwner}
        checked={isForced}
        onChange={(event) => onForced(event.currentTarget.checked)}
      />
    </TitledAlert>
  );
}
