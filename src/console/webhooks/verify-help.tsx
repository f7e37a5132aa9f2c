/** The secret of a webhook, shown once, and how a receiver verifies messages with it. */
import { Anchor, Box, Code, ScrollArea, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../parts/copy-button.js';
import { ShownOnce } from '../parts/shown-once.js';
import { verifySnippets } from './verify-snippets.js';

export interface WebhookSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function WebhookSecret({ children, ...shown }: WebhookSecretProps) {
  return (
    <ShownOnce
      {...shown}
      label="Secret"
      warning="The secret is shown only once. Give it to the receiver now. If it is lost, replace it."
    >
      {children}
      <VerifyHelp />
    </ShownOnce>
  );
}

function VerifyHelp() {
  return (
    <Box>
      <Text size="sm" mb="xs">
        The receiver reads the secret from <Code>WEBHOOK_SECRET</Code> and verifies each message
        with it. Messages are signed as{' '}
        <Anchor
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          size="sm"
          underline="always"
        >
          Standard Webhooks
        </Anchor>{' '}
        specifies; most languages have a library for it.
      </Text>
      <Tabs defaultValue={verifySnippets[0]?.label ?? null} keepMounted={false}>
        <Tabs.List>
          {verifySnippets.map(({ label }) => (
            <Tabs.Tab key={label} value={label}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {verifySnippets.map(({ label, text }) => (
          <Tabs.Panel key={label} value={label} pt="xs">
            <ScrollArea.Autosize
              mah={260}
              viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `Receiver in ${label}` }}
            >
              <Code block>{text}</Code>
            </ScrollArea.Autosize>
            <Box mt="xs">
              <CopyButton value={text} label="Copy the code" />
            </Box>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Box>
  );
}
