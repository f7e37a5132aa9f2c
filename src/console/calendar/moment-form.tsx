/** Opens the preview of a content item as it will be at a moment, for a player somewhere in the world. */
import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { InstantInput } from '../parts/time/instant-input.js';
import { OffsetSelect } from '../preview/contexts/offset-select.js';
import { previewPath } from './preview-path.js';

export interface MomentFormProps {
  readonly env: string;
  /** Ids of the content items on the calendar; at least one. */
  readonly contents: readonly string[];
}

export function MomentForm({ env, contents }: MomentFormProps) {
  const [, go] = useLocation();
  const [chosen, setChosen] = useState<string | null>(null);
  const [at, setAt] = useState(() => `${new Date().toISOString().slice(0, 16)}:00Z`);
  const [utcOffset, setUtcOffset] = useState<number | null>(null);
  const content = chosen !== null && contents.includes(chosen) ? chosen : (contents[0] ?? null);
  if (content === null) return null;
  return (
    <section aria-labelledby="calendar-moment">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go(previewPath(env, { content, atMs: Date.parse(at), utcOffset }));
        }}
      >
        <Stack gap="xs">
          <Title order={2} size="h5" id="calendar-moment">
            As it will be
          </Title>
          <Text size="sm" c="dimmed">
            What a player gets at a moment: rules that are open then apply.
          </Text>
          <Group gap="sm" align="flex-start">
            <Select
              label="Content item"
              data={[...contents]}
              value={content}
              onChange={setChosen}
              allowDeselect={false}
              searchable={contents.length > 8}
              w={220}
            />
            <InstantInput
              label="Moment"
              value={at}
              onChange={(instant) => setAt(instant ?? at)}
              maw={260}
            />
            <OffsetSelect value={utcOffset} onChange={setUtcOffset} />
          </Group>
          <Group>
            <Button type="submit" variant="default">
              Preview
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  );
}
