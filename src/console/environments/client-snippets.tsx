/** How a game asks for its configuration, in three languages, with the address to adjust. */
import { Code, Group, ScrollArea, Stack, Tabs, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../api/call.js';
import { CopyButton } from '../parts/copy-button.js';
import { useDeliveryAddress } from './delivery-address.js';
import { snippets } from './snippets.js';

export interface ClientSnippetsProps {
  readonly env: string;
  /** The key to fill in. */
  readonly apiKey: string;
}

export function ClientSnippets({ env, apiKey }: ClientSnippetsProps) {
  const known = useDeliveryAddress();
  const [typed, setTyped] = useState<string | null>(null);
  const address = typed ?? known ?? '';
  const content = useLiveContent(env);
  const shown = snippets({ address, key: apiKey, content });
  return (
    <Stack gap="sm">
      <TextInput
        label="Address of the delivery API"
        description="As this server knows it. Behind a load balancer, type the address that players reach."
        type="url"
        value={address}
        maw={420}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label="Language">
          {shown.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ id, name, text }) => (
          <Tabs.Panel key={id} value={id} pt="xs">
            <ScrollArea.Autosize
              mah={320}
              type="auto"
              viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `${name} snippet` }}
            >
              <Code block>{text}</Code>
            </ScrollArea.Autosize>
            <Group justify="flex-end" mt="xs">
              <CopyButton value={text} label={`Copy ${name}`} />
            </Group>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

/** Id of a content that can be asked for; null: none among the first, or not known yet. */
function useLiveContent(env: string): string | null {
  const { data } = useQuery({
    queryKey: ['environments', env, 'contents', { first: 20 }],
    queryFn: () =>
      request('GET /environments/:env/contents', { params: { env }, query: { limit: 20 } }),
  });
  return data?.contents.find(({ live }) => live !== null)?.id ?? null;
}
