/** Puts saved drafts into a release: content items and segments whose newest revision is not live. */
import { Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { counted } from '../../parts/counted.js';
import { Loaded } from '../../parts/data/loaded.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { notifyDone } from '../../parts/notify.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { WithdrawWarning } from '../../releases/withdraw-warning.js';
import { matching, type UnpublishedItem } from './unpublished.js';
import { useUnpublished } from './unpublished-query.js';

export interface AddChangesProps {
  readonly env: string;
  readonly release: Release;
  readonly onClose: () => void;
}

export function AddChanges({ env, release, onClose }: AddChangesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const unpublished = useUnpublished(env, release);
  const adding = useReleaseAct(env, () => {
    notifyDone(`Added ${counted(chosen.size, 'change')}.`);
    onClose();
  });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    const put = (unpublished.data ?? [])
      .filter(({ key }) => chosen.has(key))
      .map(({ change }) => change);
    if (put.length === 0) return;
    adding.mutate({
      number: release.release,
      send: (params) =>
        request('POST /environments/:env/releases/:release/changes', {
          params,
          body: { put, ifVersion: release.version },
        }),
    });
  };
  return (
    <FormDialog
      form={{ submit, isPending: adding.isPending, error: adding.error }}
      title={`Add changes to #${release.release} ${release.title}`}
      size="lg"
      onClose={onClose}
      confirm={chosen.size === 0 ? 'Add' : `Add ${counted(chosen.size, 'change')}`}
      isDisabled={chosen.size === 0}
    >
      <WithdrawWarning state={release.state} />
      <Loaded query={unpublished} label="Loading the drafts" rows={3} rowHeight={36}>
        {(items) =>
          items.length === 0 ? (
            <Text size="sm">
              No saved drafts are left to add. Open a content item, edit it, and choose “Add to
              release”.
            </Text>
          ) : (
            <Choice items={items} chosen={chosen} onChange={setChosen} />
          )
        }
      </Loaded>
    </FormDialog>
  );
}

interface ChoiceProps {
  readonly items: readonly UnpublishedItem[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Beyond it, people search. */
const shownMax = 200;
const searchFrom = 9;

function Choice({ items, chosen, onChange }: ChoiceProps) {
  const [search, setSearch] = useState('');
  const shown = matching(items, search);
  return (
    <Stack gap="xs">
      {items.length >= searchFrom && (
        <TextInput
          label="Search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group
        label="Saved drafts"
        value={[...chosen]}
        onChange={(keys) => onChange(new Set(keys))}
      >
        <ScrollArea.Autosize mah={340} mt="xs">
          <Stack gap="xs">
            {shown.slice(0, shownMax).map(({ key, title, detail }) => (
              <Checkbox key={key} value={key} label={title} description={detail} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Checkbox.Group>
      {shown.length > shownMax && (
        <Group>
          <Text size="xs" c="dimmed">
            {shown.length - shownMax} more: search for them.
          </Text>
        </Group>
      )}
    </Stack>
  );
}
