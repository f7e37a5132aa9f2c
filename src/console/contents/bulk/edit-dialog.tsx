/**
 * Shows what an edit would change in each item, and carries exactly that out: the plan of the dry run goes along, so that nothing
 * is done that was not shown.
 */
import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EditReport } from '../../../contract/operations/contents/content-edits.js';
import { ApiProblem } from '../../api/call.js';
import { useAskedConfirmation } from '../../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../../findings/confirmation-notice.js';
import { confirmSuffix } from '../../findings/confirmation-words.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import type { ActName } from '../../parts/acts/protected-acts.js';
import { counted } from '../../parts/counted.js';
import { Dialog } from '../../parts/dialog.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { AddToRelease } from '../../releases/add/add-to-release.js';
import { usePublishReason } from '../../session/edit-rights.js';
import { type EditMany, sendEdit } from './edit-many.js';
import { EditReportView } from './edit-report.js';

export interface EditWords {
  readonly title: string;
  readonly act: ActName;
  /** On the button, such as `Delete 3 items`. */
  readonly confirm: (items: string) => string;
  /** Of the release, such as `3 deletions`. */
  readonly what: (count: number) => string;
  readonly done: (items: string) => string;
}

export interface EditDialogProps {
  readonly edit: EditMany;
  readonly words: EditWords;
  readonly color?: string;
  /** Above what changes. */
  readonly children?: ReactNode;
  /** Leads to the step before; left out: there is none. */
  readonly onBack?: () => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function EditDialog(props: EditDialogProps) {
  const { words, onClose } = props;
  const publishReason = usePublishReason(props.edit.env);
  const [isReleased, setIsReleased] = useState(false);
  const mayChoose = props.edit.way === 'publish' && publishReason === null;
  const way =
    props.edit.way === 'publish' && (!mayChoose || isReleased) ? 'release' : props.edit.way;
  const edit = { ...props.edit, way };
  const looked = useDryRun(edit);
  if (looked.data === undefined) {
    return (
      <Dialog title={words.title} size="xl" onClose={onClose}>
        {looked.error === null ? (
          <Group gap="xs" role="status">
            <Loader size="sm" />
            <Text size="sm">Comparing {counted(edit.ids.length, 'item')}…</Text>
          </Group>
        ) : (
          <ProblemAlert error={looked.error} onRetry={() => void looked.refetch()} />
        )}
        <BackTo onBack={props.onBack} />
      </Dialog>
    );
  }
  const shown = { ...props, edit, report: looked.data };
  return way === 'release' ? (
    <ReleaseStep {...shown} reason={publishReason} />
  ) : (
    <ConfirmStep
      {...shown}
      onLookAgain={() => void looked.refetch()}
      {...(mayChoose && { onRelease: () => setIsReleased(true) })}
    />
  );
}

function useDryRun(edit: EditMany) {
  const { env, ids, ...rest } = edit;
  return useQuery({
    queryKey: ['environments', env, 'contents', 'edit', rest, ids],
    queryFn: ({ signal }) => sendEdit(edit, { dryRun: true }, signal),
    // Another dry run has another plan: a person looks again first.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

type StepProps = EditDialogProps & { readonly report: EditReport };

interface ConfirmStepProps extends StepProps {
  readonly onLookAgain: () => void;
  readonly onRelease?: () => void;
}

function ConfirmStep(props: ConfirmStepProps) {
  const { edit, words, color, report, children, onBack, onRelease, onLookAgain, onClose } = props;
  const applying = useApply(props);
  const asked = useAskedConfirmation(report.confirmation, applying.error);
  const { changed } = report.counts;
  const items = counted(changed, 'item');
  const isNarrow = useIsNarrow();
  const isStale = applying.error instanceof ApiProblem && applying.error.code === 'plan_stale';
  return (
    <GuardedForm
      {...{ env: edit.env, title: words.title, size: 'xl', fullScreen: isNarrow, onClose }}
      {...(color !== undefined && { color })}
      act={words.act}
      isFelt={edit.way === 'publish' && changed > 0}
      confirm={words.confirm(items)}
      confirmSuffix={confirmSuffix(asked.confirmation)}
      isDisabled={changed === 0 || asked.needsApproval || isStale}
      focusName="appearing"
      form={{
        submit: (event) => {
          event.preventDefault();
          applying.mutate(asked.confirmation?.digest);
        },
        isPending: applying.isPending,
        error: asked.isRejected ? null : applying.error,
      }}
    >
      {children}
      <EditReportView report={report} kind={edit.edit.kind} />
      <ConfirmationNotice asked={asked} hasContents />
      {isStale && (
        <Button variant="default" onClick={onLookAgain}>
          Compare again
        </Button>
      )}
      <Group gap="md">
        <BackTo onBack={onBack} />
        {onRelease !== undefined && changed > 0 && (
          <Anchor component="button" type="button" size="sm" onClick={onRelease}>
            Use a release instead
          </Anchor>
        )}
      </Group>
    </GuardedForm>
  );
}

function ReleaseStep(props: StepProps & { readonly reason: string | null }) {
  const { edit, words, report, children, reason, onBack, onDone, onClose } = props;
  const { changed } = report.counts;
  return (
    <AddToRelease
      env={edit.env}
      what={words.what(changed)}
      add={async (target) => {
        const done = await sendEdit(edit, { plan: report.plan, release: target });
        if (done.release === null) throw new Error('The server put nothing into the release.');
        return done.release;
      }}
      disabledReason={changed === 0 ? 'No item changes.' : null}
      onAdded={onDone}
      onClose={onClose}
    >
      {reason !== null && <Text size="sm">{reason}</Text>}
      {children}
      <EditReportView report={report} kind={edit.edit.kind} />
      <BackTo onBack={onBack} />
    </AddToRelease>
  );
}

function BackTo({ onBack }: { readonly onBack: (() => void) | undefined }) {
  if (onBack === undefined) return null;
  return (
    <Stack align="flex-start">
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        Change what is set
      </Anchor>
    </Stack>
  );
}

function useApply({ edit, words, report, onDone, onClose }: StepProps) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (confirm: string | undefined) =>
      sendEdit(edit, { plan: report.plan, ...(confirm !== undefined && { confirm }) }),
    onSuccess: async ({ counts }) => {
      const { changed, rejected } = counts;
      const left = rejected === 0 ? '' : ` ${counted(rejected, 'item')} left out.`;
      notifyDone(`${words.done(counted(changed, 'item'))}${left}`);
      onDone();
      onClose();
      await queries.invalidateQueries({
        queryKey: ['environments', edit.env],
        predicate: ({ queryKey }) => queryKey[3] !== 'edit',
      });
    },
  });
}
