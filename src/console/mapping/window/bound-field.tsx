/** One end of a rule's window, as an input for the clock that it is written by. */
import { parseInstant } from '../../../content/mapping/instant.js';
import { ClockInput } from '../../parts/time/clock-input.js';
import { InstantInput } from '../../parts/time/instant-input.js';
import { parseWall, wallText } from '../../parts/time/wall-time.js';
import { useFieldError, useRule } from '../rules/rule-handle.js';
import { TextField } from '../rules/text-field.js';
import { type Clock, fixedEnd } from './window-clock.js';

export interface BoundFieldProps {
  readonly name: 'from' | 'until';
  readonly label: string;
  readonly whenEmpty: string;
  readonly clock: Clock;
}

export function BoundField({ name, label, whenEmpty, clock }: BoundFieldProps) {
  const { rule, set, readOnly } = useRule();
  const error = useFieldError(name);
  const value = rule[name];
  const read = (text: string | null): number | null =>
    clock === 'local' ? parseWall(text) : text === null ? null : parseInstant(text);
  if (value !== null && read(value) === null) {
    return (
      <TextField
        label={label}
        description={descriptions[clock]}
        value={value}
        onText={(text) => set(name, text === '' ? null : JSON.stringify(text))}
        error={error}
        readOnly={readOnly}
      />
    );
  }
  const change = (text: string | null): void => {
    // The same moment keeps its spelling.
    if (read(text) !== read(value)) set(name, text === null ? null : JSON.stringify(text));
  };
  const field = { label, error, disabled: readOnly, maw: 320, flex: '1 1 240px' };
  if (clock === 'local') {
    return (
      <ClockInput
        {...field}
        type="datetime-local"
        description={`The player's time${value === null ? `; empty: ${whenEmpty}` : ''}.`}
        value={value === null ? null : value.replace(zeroSeconds, '')}
        onChange={(local) => change(local === null ? null : wallText(Date.parse(`${local}Z`)))}
      />
    );
  }
  const other = name === 'from' ? rule.until : rule.from;
  return (
    <InstantInput
      {...field}
      // A repeat goes by the zone of an end: the only one cannot be taken away.
      whenEmpty={rule.repeat !== null && other === null && value !== null ? undefined : whenEmpty}
      value={value}
      onChange={(instant) => {
        const instantMs = instant === null ? null : parseInstant(instant);
        change(instantMs === null ? null : fixedEnd(instantMs, rule));
      }}
    />
  );
}

const zeroSeconds = /:00(?:\.\d+)?$/;

const descriptions: Readonly<Record<Clock, string>> = {
  local: 'Without a zone, such as 2026-11-01T00:00:00; empty for no bound.',
  fixed: 'RFC 3339, such as 2026-11-01T00:00:00Z; empty for no bound.',
};
