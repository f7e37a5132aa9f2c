/** The selection of the list at work: the bar, and the dialog of the act that was chosen in it. */
import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ContentSummary } from '../../../contract/operations/contents.js';
import { askForChoice } from '../../parts/asked-sync.js';
import { pathOf, useEnvironments } from '../../parts/environments.js';
import { useGuard } from '../../parts/guard.js';
import { type RowSelection, useSelected } from '../rows/row-selection.js';
import { type BulkAct, BulkBar, type CopyTarget } from './bulk-bar.js';
import { deleteWords, publishWords } from './bulk-words.js';
import { EditDialog } from './edit-dialog.js';
import { SetValueDialog } from './set-value-dialog.js';
import { TagsDialog } from './tags-dialog.js';

export interface BulkActsProps {
  readonly env: string;
  readonly selection: RowSelection;
  /** All that there are. */
  readonly contents: readonly ContentSummary[];
  /** Ids of those that match the filters, in their order. */
  readonly shownIds: readonly string[];
  readonly tags: readonly string[];
  readonly readOnlyReason: string | null;
}

export function BulkActs(props: BulkActsProps) {
  const { env, selection, contents, shownIds, readOnlyReason } = props;
  const ids = useSelected(selection);
  const [act, setAct] = useState<BulkAct | null>(null);
  const [, go] = useLocation();
  const { data: environments = [] } = useEnvironments();
  const targets = environments.filter(({ id }) => id !== env);
  const selected = useMemo(() => contents.filter(({ id }) => ids.has(id)), [contents, ids]);
  const shown = useMemo(() => shownIds.filter((id) => ids.has(id)).length, [shownIds, ids]);
  const copy = (target: CopyTarget): void => {
    askForChoice({ from: env, to: target.id, ids: [...ids] });
    go(`${pathOf.sync(target.id)}?from=${encodeURIComponent(env)}`);
    window.scrollTo(0, 0);
  };
  return (
    <>
      <BulkBar
        selected={selected.length}
        hidden={selected.length - shown}
        drafts={selected.filter(hasDraft).length}
        matching={shownIds.length}
        readOnlyReason={readOnlyReason}
        targets={targets}
        onAct={setAct}
        onCopy={copy}
        onSelectAll={() => selection.set(shownIds, true)}
        onClear={() => selection.clear()}
      />
      {act !== null && selected.length > 0 && (
        <ActDialog {...props} {...{ act, selected }} onClose={() => setAct(null)} />
      )}
    </>
  );
}

function hasDraft({ live, newest }: ContentSummary): boolean {
  return live === null || newest > live;
}

interface ActDialogProps extends BulkActsProps {
  readonly act: BulkAct;
  readonly selected: readonly ContentSummary[];
  readonly onClose: () => void;
}

function ActDialog({ env, selection, act, selected, tags, onClose }: ActDialogProps) {
  const guard = useGuard(env);
  // The list is read again while a dialog is open; what was selected stays.
  const [contents] = useState(selected);
  const ids = useMemo(() => contents.map(({ id }) => id), [contents]);
  const onDone = (): void => selection.clear();
  const edit = { env, ids, way: 'publish', note: '' } as const;
  switch (act) {
    case 'set':
      return <SetValueDialog {...{ env, ids, onDone, onClose }} />;
    case 'tags':
      return <TagsDialog {...{ env, contents, onDone, onClose }} known={tags} />;
    case 'publish':
      return (
        <EditDialog
          edit={{ ...edit, edit: { kind: 'publish' } }}
          words={publishWords}
          {...{ onDone, onClose }}
        >
          <Text size="sm">
            The newest drafts go live in {guard.name}, all at once. A release can be taken back in
            one step.
          </Text>
        </EditDialog>
      );
    case 'delete':
      return (
        <EditDialog
          edit={{ ...edit, edit: { kind: 'delete' } }}
          words={deleteWords}
          color="red"
          {...{ onDone, onClose }}
        >
          <Text size="sm">
            Players stop getting them from {guard.name} at once: requests for them get a 404. Their
            history is kept, and each can be restored under Deleted.
          </Text>
        </EditDialog>
      );
  }
}
