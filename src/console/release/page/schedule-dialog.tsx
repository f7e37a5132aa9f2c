/** Chooses when a release starts: in the time zone of the user, and in UTC. */
import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { toleranceMinutesMax } from '../../../contract/limits.js';
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { confirmationOf, useAskedConfirmation } from '../../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../../findings/confirmation-notice.js';
import { confirmSuffix } from '../../findings/confirmation-words.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import { notifyDone } from '../../parts/notify.js';
import { InstantInput } from '../../parts/time/instant-input.js';
import { formatZoned } from '../../parts/time/zoned.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { formatMinutes } from '../../releases/words/steps.js';
import { ReleaseWarnings } from '../review/release-warnings.js';

export interface ScheduleDialogProps {
  readonly env: string;
  readonly release: Release;
  readonly onClose: () => void;
}

export function ScheduleDialog({ env, release, onClose }: ScheduleDialogProps) {
  // What is scheduled is what was read when the dialog opened.
  const [{ release: number, schedule, steps, version }] = useState(release);
  const [at, setAt] = useState<string | null>(schedule?.at ?? null);
  const [tolerance, setTolerance] = useState<number | string>(schedule?.toleranceMinutes ?? 60);
  const sending = useReleaseAct(env, () => {
    notifyDone(at === null ? 'Schedule removed.' : `Scheduled for ${formatZoned(at)}.`);
    onClose();
  });
  const isPast = at !== null && Date.parse(at) <= Date.now();
  const asked = useAskedConfirmation(undefined, sending.error);
  const { confirmation, needsApproval } = asked;
  const isReady = at !== null && !isPast && typeof tolerance === 'number' && !needsApproval;
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (!isReady || sending.isPending) return;
    sending.mutate({
      number,
      send: (params) =>
        request('POST /environments/:env/releases/:release/schedule', {
          params,
          query: { strict: 'true' },
          body: {
            ...{ at, toleranceMinutes: tolerance, ifVersion: version },
            confirm: confirmation?.digest,
          },
        }),
    });
  };
  const first = steps[0];
  return (
    <GuardedForm
      {...{ env, act: 'release.schedule' }}
      form={{
        ...{ submit, isPending: sending.isPending },
        error: confirmationOf(sending.error) === null ? sending.error : null,
      }}
      title="Schedule this release"
      size="lg"
      onClose={onClose}
      confirm="Schedule"
      confirmSuffix={confirmSuffix(confirmation)}
      isDisabled={!isReady}
    >
      <Text size="sm">
        {first === undefined
          ? 'At that time it goes live for all players.'
          : `At that time the ramp starts with ${first.percent} %.`}
      </Text>
      <InstantInput
        label={first === undefined ? 'Goes live at' : 'Starts at'}
        value={at}
        onChange={setAt}
        error={isPast ? 'This time has passed.' : null}
      />
      {at !== null && !isPast && (
        <Text size="sm" role="status">
          {formatZoned(at)}
        </Text>
      )}
      <NumberInput
        label="May be late by, minutes"
        description={`If the servers are down for longer, the release fails instead of starting late${typeof tolerance === 'number' ? ` (${formatMinutes(tolerance)})` : ''}.`}
        min={1}
        max={toleranceMinutesMax}
        allowDecimal={false}
        required
        value={tolerance}
        onChange={setTolerance}
      />
      <ReleaseWarnings {...{ env, release }} />
      <ConfirmationNotice asked={asked} hasContents approvalText="Submit the release first." />
    </GuardedForm>
  );
}
