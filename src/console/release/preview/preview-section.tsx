/** Tries a whole release on sample users, pasted user contexts or made-up users, before anyone gets it. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Release } from '../../../contract/schemas/release.js';
import { IconUsers } from '../../icons/icons.js';
import { counted } from '../../parts/counted.js';
import { type Column, DataTable, type Details } from '../../parts/data/data-table.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { ContextsInput } from '../../preview/contexts/contexts-input.js';
import { usePastedContexts } from '../../preview/contexts/pasted-contexts.js';
import { useSampleUsers } from '../../preview/contexts/sample-users.js';
import { readContexts } from '../../preview/contexts/typed-contexts.js';
import { lineOfFirstContext } from '../../preview/preview-call.js';
import { ResponseChanges } from '../../preview/results/response-changes.js';
import {
  madeUpUsers,
  type PreviewedItem,
  previewedItemsMax,
  previewRelease,
} from './release-preview.js';

export interface PreviewSectionProps {
  readonly env: string;
  readonly release: Release;
}

interface Tried {
  readonly items: readonly PreviewedItem[];
  /** Names of the users, in order; empty: they were made up. */
  readonly names: readonly string[];
}

export function PreviewSection({ env, release }: PreviewSectionProps) {
  const [given, setGiven] = usePastedContexts(env);
  const [isPasting, setIsPasting] = useState(given.text !== '');
  const samples = useSampleUsers(env).data ?? [];
  const typed = useMemo(() => readContexts(given.text).contexts, [given]);
  const users =
    typed.length > 0
      ? typed.map(({ source, at }) => ({ name: `line ${at}`, context: source }))
      : samples;
  const trying = useMutation({
    mutationFn: async (): Promise<Tried> => ({
      items: await previewRelease(
        env,
        release,
        users.map(({ context }) => context),
      ),
      names: users.map(({ name }) => name),
    }),
  });
  const { contents } = release.reach;
  const who =
    typed.length > 0
      ? counted(typed.length, 'user')
      : samples.length > 0
        ? counted(samples.length, 'sample user')
        : `${madeUpUsers.toLocaleString('en')} made-up users`;
  return (
    <Stack gap="sm" component="section" aria-labelledby="preview-title">
      <Title order={2} size="h4" id="preview-title">
        Preview
      </Title>
      <Text size="sm" c="dimmed">
        What users would get from {counted(contents.length, 'content item')} if all of this were
        live, against what they get now.
      </Text>
      {isPasting && <ContextsInput env={env} value={given} onChange={setGiven} />}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconUsers size={14} aria-hidden />}
          disabled={contents.length === 0}
          loading={trying.isPending}
          onClick={() => trying.mutate()}
        >
          Preview for {who}
        </Button>
        {!isPasting && (
          <Button size="xs" variant="subtle" onClick={() => setIsPasting(true)}>
            Other users…
          </Button>
        )}
      </Group>
      {trying.error !== null && <ProblemAlert error={trying.error} title="No preview" />}
      {trying.data !== undefined && <Results tried={trying.data} of={contents.length} />}
    </Stack>
  );
}

function Results({ tried, of }: { readonly tried: Tried; readonly of: number }) {
  const { items, names } = tried;
  const details = useMemo(
    (): Details<PreviewedItem> => ({
      label: ({ id }) => `Who gets something different from ${id}`,
      show: ({ preview }) =>
        preview.changed.contexts === 0 ? (
          <Text size="sm">No change.</Text>
        ) : (
          <ResponseChanges
            preview={preview}
            nameOf={(line, u) => names[line - lineOfFirstContext] ?? u}
          />
        ),
    }),
    [names],
  );
  return (
    <>
      <DataTable
        aria-label="Preview by content item"
        verticalSpacing={4}
        columns={columns}
        rows={items}
        keyOf={({ id }) => `preview-${id}`}
        details={details}
      />
      {of > previewedItemsMax && (
        <Text size="sm" c="dimmed">
          The first {previewedItemsMax} of {of} items. Preview the others on their own screens.
        </Text>
      )}
    </>
  );
}

const columns: Column<PreviewedItem>[] = [
  { title: 'Item', isHeader: true, cell: ({ id }) => <Text size="sm">{id}</Text> },
  {
    title: 'Users who get something different',
    cell: ({ preview: { changed, contexts, errors } }) => (
      <Text size="sm">
        {changed.contexts.toLocaleString('en')} of {contexts.toLocaleString('en')}
        {errors.length > 0 && `, ${counted(errors.length, 'user')} left out`}
      </Text>
    ),
  },
];
