/** A change whose base is not live any more, seen from three sides: the base, what is live now, and this revision. */
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Release, ReleaseChange } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { Dialog } from '../../parts/dialog.js';
import { pathOf } from '../../parts/environments.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { WithdrawWarning } from '../../releases/withdraw-warning.js';
import { nameOfChange, titleOfChange } from '../../releases/words/change-words.js';
import { RevisionsDiff } from './change-diff.js';
import { mergeIntoDraft } from './merge-change.js';

export type RebasedChange = Exclude<ReleaseChange, { readonly kind: 'environment' }>;

export interface RebaseDialogProps {
  readonly env: string;
  readonly release: Release;
  readonly change: RebasedChange;
  readonly onClose: () => void;
}

type View = 'since' | 'mine' | 'result';

export function RebaseDialog({ env, release, change, onClose }: RebaseDialogProps) {
  // What is kept, merged or dropped is what was read when the dialog opened.
  const [seen] = useState(change);
  const [{ version }] = useState(release);
  const [view, setView] = useState<View>('since');
  const queries = useQueryClient();
  const { base, live, revision } = seen;
  const title = titleOfChange(nameOfChange(seen));
  const acting = useReleaseAct(env, () => {
    notifyDone(`${title} is based on what is live now.`);
    onClose();
  });
  const change_ = nameOfChange(seen);
  const { release: number } = release;
  const send = (body: object): void =>
    acting.mutate({
      number,
      send: (params) =>
        request('POST /environments/:env/releases/:release/changes', {
          params,
          body: { ...body, ifVersion: version },
        }),
    });
  // What both sides changed in one text has to be put together by a person.
  const mayMerge =
    seen.kind === 'content' && base !== null && live !== null && seen.revision !== null;
  const merge = (): void =>
    acting.mutate({
      number,
      send: async (params) => {
        const merged = await mergeIntoDraft(queries, env, seen, release);
        return request('POST /environments/:env/releases/:release/changes', {
          params,
          body: {
            put: [{ kind: 'content', id: merged.id, revision: merged.revision }],
            ifVersion: version,
          },
        });
      },
    });
  const views: Record<
    View,
    { readonly label: string; readonly from: number | null; readonly to: number | null }
  > = {
    since: { label: `Live since: ${name(base)} → ${name(live)}`, from: base, to: live },
    mine: { label: `This change: ${name(base)} → ${name(revision)}`, from: base, to: revision },
    result: { label: `Together: ${name(live)} → ${name(revision)}`, from: live, to: revision },
  };
  return (
    <Dialog
      onClose={onClose}
      title={`${title}: live has changed since`}
      size="80rem"
      fullScreen={useIsNarrow()}
    >
      <Stack>
        <Text size="sm">
          The change was made on {name(base)}; {name(live)} is live now. Keep this revision as it
          is: it then undoes what “Together” shows as removed. Or put both together in a new draft.
        </Text>
        <WithdrawWarning state={release.state} />
        <SegmentedControl
          aria-label="Which revisions to compare"
          data={Object.entries(views).map(([value, { label }]) => ({ value, label }))}
          value={view}
          onChange={(value) => setView(value as View)}
          style={{ alignSelf: 'flex-start', flexWrap: 'wrap', maxWidth: '100%' }}
        />
        <RevisionsDiff
          key={view}
          env={env}
          item={seen}
          from={views[view].from}
          to={views[view].to}
          same="No difference."
        />
        {acting.error !== null && <ProblemAlert error={acting.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="default"
            color="red"
            disabled={acting.isPending}
            onClick={() => send({ drop: [change_] })}
          >
            Drop the change
          </Button>
          <Button
            variant="default"
            component={Link}
            href={
              seen.kind === 'content'
                ? pathOf.content(env, seen.id)
                : pathOf.segment(env, seen.name)
            }
          >
            Open the editor
          </Button>
          {mayMerge && (
            <Button variant="default" loading={acting.isPending} onClick={merge}>
              Merge into a new draft
            </Button>
          )}
          <Button loading={acting.isPending} onClick={() => send({ rebase: [change_] })}>
            Keep {name(revision)}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function name(revision: number | null): string {
  return revision === null ? 'nothing' : `r${revision}`;
}
