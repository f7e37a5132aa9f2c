/** Who was in: players of each variant, assigned and exposed, beside the shares that the rule asks for; and by day. */
import { Box, Stack, Table, Text, Title } from '@mantine/core';
import { formatPart, formatWhole } from '../../../contract/results/effect-words.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { DailyBars } from './daily-bars.js';
import { VariantName } from './variant-name.js';

export interface WhoWasInProps {
  readonly results: Results;
}

export function WhoWasIn({ results: { variants, daily } }: WhoWasInProps) {
  const sumOf = (read: (variant: (typeof variants)[number]) => number | null): number =>
    variants.reduce((sum, variant) => sum + (read(variant) ?? 0), 0);
  const assigned = sumOf((variant) => variant.assigned);
  const exposed = sumOf((variant) => variant.exposed);
  const names = variants.map(({ name }) => name);
  return (
    <Stack gap="sm" component="section" aria-labelledby="who-title">
      <Title order={2} size="h4" id="who-title">
        Who was in
      </Title>
      <Text size="sm" c="dimmed">
        Assigned players were given the variant; exposed players saw it, as the game reports.
      </Text>
      <Box tabIndex={0} role="region" aria-label="Players by variant" style={{ overflowX: 'auto' }}>
        <Table verticalSpacing={6} horizontalSpacing={6} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Variant</Table.Th>
              <Table.Th ta="right">Planned</Table.Th>
              <Table.Th ta="right">Assigned</Table.Th>
              <Table.Th ta="right">Exposed</Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                Saw two
              </Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                Contradict
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {variants.map((variant, place) => (
              <Table.Tr key={variant.name}>
                <Table.Th scope="row" fw={400}>
                  <VariantName name={variant.name} place={place} />
                </Table.Th>
                <Table.Td ta="right">{formatPart(variant.expectedShare)}</Table.Td>
                <Table.Td ta="right">
                  <Count count={variant.assigned} of={assigned} />
                </Table.Td>
                <Table.Td ta="right">
                  <Count count={variant.exposed} of={exposed} />
                </Table.Td>
                <Table.Td ta="right" visibleFrom="sm">
                  {formatWhole(variant.crossovers)}
                </Table.Td>
                <Table.Td ta="right" visibleFrom="sm">
                  {formatWhole(variant.contradictions)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {daily.length > 0 && <DailyBars daily={daily} variants={names} />}
    </Stack>
  );
}

function Count({ count, of }: { readonly count: number | null; readonly of: number }) {
  if (count === null) return '–';
  return (
    <>
      {formatWhole(count)}
      {of > 0 && (
        <Text size="xs" c="dimmed">
          {formatPart(count / of)}
        </Text>
      )}
    </>
  );
}
