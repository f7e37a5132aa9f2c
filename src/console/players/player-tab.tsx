/** One player: the form, and what the player was given. */
import { Grid, Text } from '@mantine/core';
import { PlayerForm } from './player-form.js';
import { PlayerResult } from './player-result.js';
import { useAskedPlayer } from './use-asked-player.js';

export function PlayerTab({ environment }: { readonly environment: string }) {
  const [{ player, turn, form }, ask] = useAskedPlayer();
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <PlayerForm key={form} environment={environment} asked={player} onAsk={ask} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        {player === null ? (
          <Text size="sm">
            Loadout records what was live at each moment, but not its players. Enter the user id,
            attributes and app version that the game sent. The result lists every content item as
            this player was given it then.
          </Text>
        ) : (
          <PlayerResult key={turn} environment={environment} asked={player} turn={turn} />
        )}
      </Grid.Col>
    </Grid>
  );
}
