/** Players who first saw the experiment, by day and variant: stacked bars, or the same as a table. */
import { Group, Stack, Table, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { formatWhole } from '../../../contract/results/effect-words.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { type DayCounts, dayLabel, daysOf } from '../../experiments/words/days.js';
import { variantColour } from '../../mapping/rules/variant-colours.js';
import { counted } from '../../parts/counted.js';
import classes from './daily-bars.module.css';
import { TableSwitch } from './table-switch.js';
import { VariantName } from './variant-name.js';

export interface DailyBarsProps {
  readonly daily: Results['daily'];
  readonly variants: readonly string[];
}

export function DailyBars({ daily, variants }: DailyBarsProps) {
  const [asTable, setAsTable] = useState(false);
  const titleId = useId();
  const days = daysOf(daily, variants);
  return (
    <Stack gap="xs" role="group" aria-labelledby={titleId}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} id={titleId}>
          Exposed players by day (UTC)
        </Text>
        <TableSwitch asTable={asTable} onChange={setAsTable} />
      </Group>
      {asTable ? (
        <DayTable days={days} variants={variants} />
      ) : (
        <Bars days={days} variants={variants} />
      )}
    </Stack>
  );
}

interface DaysProps {
  readonly days: readonly DayCounts[];
  readonly variants: readonly string[];
}

function Bars({ days, variants }: DaysProps) {
  const top = Math.max(1, ...days.map(({ total }) => total));
  return (
    <ol className={classes['bars']}>
      {days.map(({ day, total, exposed }) => {
        const parts = variants.map((name, place) => `${name} ${formatWhole(exposed[place] ?? 0)}`);
        const words = `${dayLabel(day)}: ${counted(total, 'player')}. ${parts.join(', ')}`;
        return (
          <li key={day} className={classes['day']} title={words}>
            <span className={classes['stack']} role="img" aria-label={words}>
              {variants.map((name, place) => (
                <span
                  key={name}
                  style={{
                    height: `${((exposed[place] ?? 0) / top) * 100}%`,
                    background: variantColour(place).fill,
                  }}
                />
              ))}
            </span>
            <span className={classes['label']} aria-hidden>
              {dayLabel(day)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function DayTable({ days, variants }: DaysProps) {
  return (
    <Table verticalSpacing={4} tabularNums>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Day</Table.Th>
          {variants.map((name, place) => (
            <Table.Th key={name} ta="right">
              <VariantName name={name} place={place} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.map(({ day, exposed }) => (
          <Table.Tr key={day}>
            <Table.Th scope="row" fw={400}>
              {dayLabel(day)}
            </Table.Th>
            {variants.map((name, place) => (
              <Table.Td key={name} ta="right">
                {formatWhole(exposed[place] ?? 0)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
