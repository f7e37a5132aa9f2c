/** Adds tags to the selected items, and removes others. */
import { Stack, TagsInput, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { tagCharsMax, tagsMax } from '../../../contract/limits.js';
import type { EditReport } from '../../../contract/operations/contents/content-edits.js';
import type { ContentSummary } from '../../../contract/operations/contents.js';
import { counted } from '../../parts/counted.js';
import { Dialog } from '../../parts/dialog.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { notifyDone } from '../../parts/notify.js';
import { countTags } from '../list-view.js';
import { sendEdit } from './edit-many.js';
import { EditReportView } from './edit-report.js';

export interface TagsDialogProps {
  readonly env: string;
  readonly contents: readonly ContentSummary[];
  /** Of all items of the environment. */
  readonly known: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function TagsDialog({ env, contents, known, onDone, onClose }: TagsDialogProps) {
  const queries = useQueryClient();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const present = useMemo(() => countTags(contents), [contents]);
  const changed = contents.filter(({ tags }) => isChanged(tags, add, remove)).length;
  const tagging = useMutation({
    mutationFn: () =>
      sendEdit(
        {
          ...{ env, ids: contents.map(({ id }) => id), way: 'publish', note: '' },
          edit: { kind: 'tags', add, remove },
        },
        {},
      ),
    onSuccess: async ({ counts }) => {
      await queries.invalidateQueries({ queryKey: ['environments', env, 'contents'] });
      if (counts.rejected > 0) return;
      notifyDone(`Tags of ${counted(counts.changed, 'item')} are changed.`);
      onDone();
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (changed > 0) tagging.mutate();
  };
  if (tagging.data !== undefined) return <LeftOut report={tagging.data} onClose={onClose} />;
  return (
    <FormDialog
      title={`Tags of ${counted(contents.length, 'item')}`}
      confirm={changed === 0 ? 'Change tags' : `Change tags of ${counted(changed, 'item')}`}
      isDisabled={changed === 0}
      onClose={onClose}
      form={{ submit, isPending: tagging.isPending, error: tagging.error }}
    >
      <Text size="sm">Tags are for people. They apply at once and change nothing for players.</Text>
      <TagsInput
        data-autofocus
        label="Add"
        openOnFocus={false}
        data={known.filter((tag) => !add.includes(tag))}
        maxTags={tagsMax}
        maxLength={tagCharsMax}
        value={add}
        onChange={setAdd}
        clearable
      />
      <TagsInput
        label="Remove"
        openOnFocus={false}
        data={[...present.keys()].filter((tag) => !remove.includes(tag))}
        maxTags={tagsMax}
        value={remove}
        onChange={(tags) => setRemove(tags.filter((tag) => present.has(tag)))}
        clearable
      />
    </FormDialog>
  );
}

/** What could not be changed, row by row; the rest is. */
function LeftOut({
  report,
  onClose,
}: {
  readonly report: EditReport;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Some tags were not changed" size="xl" onClose={onClose}>
      <Stack>
        <EditReportView report={report} kind="tags" />
      </Stack>
    </Dialog>
  );
}

function isChanged(
  tags: readonly string[],
  add: readonly string[],
  remove: readonly string[],
): boolean {
  const isAdded = add.some((tag) => !tags.includes(tag));
  return isAdded || tags.some((tag) => remove.includes(tag) && !add.includes(tag));
}
