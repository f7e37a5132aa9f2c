/** From when until when a rule is open, by the player's clock or by one for all, and how it repeats. */

import { Group, Input, Radio, Stack, Switch, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { occurrences } from '../../../content/mapping/window.js';
import { browserZone } from '../../parts/time/formats.js';
import { formatInstant } from '../../parts/time/wall-time.js';
import { useRule } from '../rules/rule-handle.js';
import { SourceField } from '../rules/source-field.js';
import { BoundField } from './bound-field.js';
import { readWindowSource } from './read-window.js';
import { RepeatFieldset, RepeatIssues } from './repeat-fields.js';
import { repeatFields } from './repeat-source.js';
import { WindowBadge } from './window-badge.js';
import { addRepeat, type Clock, clockOf, switchClock } from './window-clock.js';
import { earliestMs, latestMs, windowNow } from './window-state.js';

export function WindowFields() {
  const { rule, edit, set, readOnly } = useRule();
  const labelId = useId();
  /** Chosen before a time is written. */
  const [wanted, setWanted] = useState<Clock>('fixed');
  const { from, until, repeat } = rule;
  const window = { from, until, repeat };
  const clock = clockOf(window) ?? wanted;
  const fields = repeat === null ? null : repeatFields(repeat);
  const isAlways = windowNow(window, Date.now()).state === 'always';
  const zone = browserZone();
  const choose = (next: string): void => {
    const chosen = next === 'local' ? 'local' : 'fixed';
    setWanted(chosen);
    edit((mapping, index) => switchClock(mapping, index, window, chosen, Date.now()));
  };
  const toggle = (repeats: boolean): void => {
    if (!repeats) set('repeat', null);
    else edit((mapping, index) => addRepeat(mapping, index, window, clock, Date.now()));
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby={labelId}>
      <Group gap="xs">
        <Input.Label component="div" id={labelId}>
          When
        </Input.Label>
        {isAlways && (
          <Text size="xs" c="dimmed">
            Always on.
          </Text>
        )}
        <WindowBadge {...window} />
      </Group>
      <Radio.Group aria-label="Clock" value={clock} onChange={choose}>
        <Group gap="md">
          <Radio value="local" label="Player's local time" disabled={readOnly} />
          <Radio value="fixed" label={`Fixed time (your zone: ${zone})`} disabled={readOnly} />
        </Group>
      </Radio.Group>
      <Group gap="md" align="flex-start">
        <BoundField name="from" label="From" whenEmpty="no start" clock={clock} />
        <BoundField name="until" label="Until" whenEmpty="no end" clock={clock} />
      </Group>
      <Switch
        label="Repeat on days of the week"
        checked={repeat !== null}
        disabled={readOnly}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
      {fields !== null && <RepeatFieldset fields={fields} clock={clock} />}
      {repeat !== null && fields === null && (
        <>
          <SourceField
            label="Repeat"
            path={['repeat']}
            hint="The fields cannot show this repeat. It can be edited as JSON."
          />
          <RepeatIssues shownBy={[]} />
        </>
      )}
      {clock === 'local' && <LocalNote />}
    </Stack>
  );
}

/** What a local window means for the whole world, and for trust. */
function LocalNote() {
  const { rule } = useRule();
  const window = readWindowSource(rule);
  const now = Date.now();
  const [next] =
    window === null
      ? []
      : occurrences(window, 0, now - latestMs(window), Number.POSITIVE_INFINITY, 1);
  const hasEnds =
    next !== undefined && Number.isFinite(next.startMs) && Number.isFinite(next.endMs);
  return (
    <Text size="sm" c="dimmed">
      Each player's own clock opens and closes it, so worldwide it lasts up to 26 hours longer
      {hasEnds && window !== null
        ? `: from ${formatInstant(next.startMs - earliestMs(window), now)} to ${formatInstant(next.endMs + latestMs(window), now)}, your time`
        : ''}
      . The game sends the offset as <span className="mono">utcOffset</span>, and the player can set
      it to anything: limit rewards on your game server.
    </Text>
  );
}
