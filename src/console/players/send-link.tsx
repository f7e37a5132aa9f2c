/** Copies an address that shows the same player at the same moments. */
import { Stack, Text } from '@mantine/core';
import { CopyButton } from '../parts/copy-button.js';
import { pathOf } from '../parts/environments.js';
import { type AskedPlayer, hashCharsMax, hashOf } from '../preview/contexts/asked-player.js';
import { contextSource } from '../preview/contexts/user-context.js';

export interface SendLinkProps {
  readonly env: string;
  /** With moments in place of "now". */
  readonly asked: AskedPlayer;
}

export function SendLink({ env, asked }: SendLinkProps) {
  const hash = hashOf(asked);
  if (hash.length <= hashCharsMax) {
    const link = `${window.location.origin}${pathOf.players(env)}${hash}`;
    return <CopyButton value={link} label="Copy link" />;
  }
  return (
    <Stack gap={4} align="flex-start" maw={320}>
      <CopyButton value={contextSource(asked.user)} label="Copy player as JSON" />
      <Text size="xs">
        Too long for a link: {hash.length.toLocaleString('en')} characters; the limit is{' '}
        {hashCharsMax.toLocaleString('en')}. Send the player as JSON, together with the moment.
      </Text>
    </Stack>
  );
}
