/** How a game gets its content, over HTTP and with each client kit, with the address to adjust. */
import { Code, Group, ScrollArea, Stack, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../parts/copy-button.js';
import { useDeliveryAddress, useFirstContents } from './environment-queries.js';
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
  const contents = useFirstContents(env).data;
  const content = contents?.find(({ live }) => live !== null)?.id ?? null;
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
