/** How a receiver knows that a message is from here. */
import { Anchor, Box, Code, ScrollArea, Tabs, Text } from '@mantine/core';
import { CopyButton } from '../parts/copy-button.js';
import { verifySnippets } from './verify-snippets.js';

export function VerifyHelp() {
  return (
    <Box>
      <Text size="sm" mb="xs">
        The receiver has the secret as <Code>WEBHOOK_SECRET</Code> and checks each message with it.
        Messages are signed as{' '}
        <Anchor
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          size="sm"
          underline="always"
        >
          Standard Webhooks
        </Anchor>{' '}
        has it, for which there are libraries in most languages.
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
