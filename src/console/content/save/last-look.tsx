/** The last look before players get a state: who gets something different, what changes, and every open warning. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense } from 'react';
import { elementSources } from '../../api/raw-json.js';
import { useDraft } from '../../draft/draft-context.js';
import { confirmationOf, useAskedConfirmation } from '../../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../../findings/confirmation-notice.js';
import { confirmLabel } from '../../findings/confirmation-words.js';
import type { ActName } from '../../parts/acts/protected-acts.js';
import { useGuardedAct } from '../../parts/acts/use-guarded-act.js';
import { Dialog } from '../../parts/dialog.js';
import styles from '../../parts/dialog-foot.module.css';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { Waiting } from '../../parts/waiting.js';
import { usePublishReason } from '../../session/edit-rights.js';
import { StateDiff } from '../compare/state-diff.js';
import { useRevisionState } from '../compare/use-revision-state.js';
import { OldEditsNotice } from './old-edits-notice.js';
import { OpenWarnings } from './open-warnings.js';
import { usePublishCheck } from './publish-check.js';

const EditEffect = lazy(async () => ({
  default: (await import('../../preview/effect/edit-effect.js')).EditEffect,
}));

export interface LastLookProps {
  readonly act: ActName;
  readonly title: string;
  readonly intro: string;
  /** A saved revision, or null for what is typed. */
  readonly revision: number | null;
  /** What the state is called beside the live one. */
  readonly label: string;
  readonly failure: { readonly title: string; readonly error: Error } | null;
  /** Of the last request; findings that it was rejected for are shown, and asked about. */
  readonly error: Error | null;
  readonly confirm: string;
  /** It brings back what was live: findings are shown, and none has to be confirmed. */
  readonly isReturn?: boolean;
  readonly isPending: boolean;
  /** Why it is not possible; null: it is. */
  readonly disabledReason: string | null;
  /** @param digest of the findings that are shown; undefined: there are none */
  readonly onConfirm: (digest?: string) => void;
  /** Puts it into a release instead. */
  readonly onRelease: () => void;
  readonly onClose: () => void;
  /** Fields that are filled in before confirming. */
  readonly children?: ReactNode;
}

export function LastLook(props: LastLookProps) {
  const { title, intro, revision, label, failure, error, children } = props;
  const { act, confirm, isReturn = false, isPending } = props;
  const { disabledReason, onConfirm, onRelease, onClose } = props;
  const { saved, state: typed, validation } = useDraft();
  const target = useRevisionState(revision);
  const live = useRevisionState(saved.live);
  const state = revision === null ? typed : target.state;
  const failed = [target, live].filter(({ error }) => error !== null);
  // The introduction says it: there is nothing to compare, and no rule distinguishes users.
  const isFirstForAll =
    saved.live === null && state !== null && elementSources(state.mapping)?.length === 0;
  const isLoading = state === null || (saved.live !== null && live.state === null);
  const check = usePublishCheck(saved, state, live.state, validation);
  const guarded = useGuardedAct({ env: saved.env, act });
  const asked = useAskedConfirmation(check.validation?.confirmation, error);
  const { confirmation } = asked;
  const isAsking = confirmation !== null && (!isReturn || asked.isRejected);
  const publishReason = usePublishReason(saved.env);
  const directReason =
    publishReason ??
    (isAsking && asked.needsApproval ? 'A second person has to approve it.' : null);
  const send = (): void => {
    if (disabledReason === null && guarded.isConfirmed && !isPending)
      onConfirm(isAsking ? confirmation.digest : undefined);
  };
  useHotkeys(directReason === null && !isAsking ? [['mod+Enter', send]] : [], [], true);
  return (
    <Dialog onClose={onClose} title={title} size="70rem" fullScreen={useIsNarrow()}>
      <Stack>
        <Text size="sm">{intro}</Text>
        {guarded.notice}
        {!isFirstForAll && (
          <section aria-labelledby="last-look-effect">
            <Title order={3} size="h5" mb="xs" id="last-look-effect">
              Who gets something different
            </Title>
            <Suspense fallback={<Waiting label="Loading" height={60} />}>
              <EditEffect saved={saved} state={state ?? saved} revision={revision} />
            </Suspense>
          </section>
        )}
        <section>
          {saved.live !== null && (
            <Title order={3} size="h5" mb="xs">
              What changes
            </Title>
          )}
          {failed.map(({ error, retry }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: at most two, in a fixed order.
            <ProblemAlert key={index} error={error} onRetry={retry} />
          ))}
          {isLoading && failed.length === 0 && (
            <Waiting label="Loading the revisions" height={120} />
          )}
          {live.state !== null && state !== null && (
            <StateDiff
              before={live.state}
              after={state}
              beforeLabel={`Live r${saved.live}`}
              afterLabel={label}
              same="No differences from live."
            />
          )}
        </section>
        {children}
        {failure !== null && confirmationOf(failure.error) === null && (
          <ProblemAlert {...failure} />
        )}
        <Stack gap="xs" className={styles['foot'] ?? ''}>
          {revision === null && <OldEditsNotice />}
          {failed.length === 0 && <OpenWarnings {...check} lines={state?.lines.length ?? 1} />}
          <ConfirmationNotice
            asked={asked}
            approvalText="Add the change to a release; a second person approves it there."
          />
          <Group justify="flex-end">
            {(disabledReason ?? directReason) !== null && !isPending && (
              <Text size="sm" c="dimmed" role="status">
                {disabledReason ?? directReason}
              </Text>
            )}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              variant={directReason === null ? 'default' : 'filled'}
              onClick={onRelease}
              disabled={disabledReason !== null || isPending}
            >
              Add to release…
            </Button>
            {directReason === null && (
              <Button
                onClick={send}
                color={guarded.color}
                loading={isPending}
                disabled={(disabledReason !== null || !guarded.isConfirmed) && !isPending}
                data-autofocus={(!children && !isAsking) || undefined}
              >
                {confirmLabel(guarded.confirm(confirm), isAsking ? confirmation : null)}
              </Button>
            )}
          </Group>
        </Stack>
      </Stack>
    </Dialog>
  );
}
