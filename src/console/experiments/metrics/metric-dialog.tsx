/** Defines a metric, or changes its definition. */
import {
  Autocomplete,
  Checkbox,
  Collapse,
  Group,
  NumberInput,
  Radio,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import {
  descriptionCharsMax,
  metricEventsPerDayMax,
  metricNameCharsMax,
  metricWindowDaysMax,
} from '../../../contract/limits.js';
import type { Metric } from '../../../contract/schemas/metric.js';
import { request } from '../../api/call.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { useServerForm } from '../../parts/form/use-server-form.js';
import { useEventNames, useExperimentAct } from '../experiment-queries.js';
import { describeMetric, kindLabels } from '../words/metric-words.js';
import {
  emptyMetric,
  eventsToPropose,
  hasTotals,
  inputOf,
  type MetricValues,
  retentionDays,
  valuesOfMetric,
} from './metric-values.js';

export interface MetricDialogProps {
  readonly env: string;
  /** Null: a new one. */
  readonly metric: Metric | null;
  /** All metrics: their events are proposed, too. */
  readonly known: readonly Metric[];
  readonly onClose: () => void;
}

type MetricForm = Pick<UseFormReturnType<MetricValues>, 'getInputProps' | 'values'>;

export function MetricDialog({ env, metric, known, onClose }: MetricDialogProps) {
  const saving = useExperimentAct(env, onClose);
  const isTaken = (name: string): boolean =>
    metric === null && known.some((one) => one.name === name.trim());
  const form = useServerForm<MetricValues, unknown>({
    initialValues: metric === null ? emptyMetric : valuesOfMetric(metric),
    validate: {
      name: (name) => (isTaken(name) ? 'A metric of this name exists already.' : null),
    },
    send: (values) =>
      saving.mutateAsync(() =>
        request('PUT /environments/:env/metrics/:name', {
          params: { env, name: values.name.trim() },
          body: inputOf(values),
        }),
      ),
    onSent: () => {},
  });
  const { name, event } = form.values;
  const seen = useEventNames(env).data?.names ?? [];
  const events = eventsToPropose(known, seen);
  return (
    <FormDialog
      form={form}
      title={metric === null ? 'New metric' : `Edit ${metric.name}`}
      size="lg"
      onClose={onClose}
      confirm={metric === null ? 'Create metric' : 'Save'}
      isDisabled={name.trim() === '' || event.trim() === ''}
    >
      <TextInput
        data-autofocus={metric === null || undefined}
        label="Name"
        placeholder="buyers"
        required
        disabled={metric !== null}
        maxLength={metricNameCharsMax}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('name')}
      />
      <Select
        label="Kind"
        data={Object.entries(kindLabels).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      <EventFields form={form} events={events} />
      {event.trim() !== '' && (
        <Text size="sm" c="dimmed" role="status">
          {describeMetric(inputOf(form.values) as Metric)}
        </Text>
      )}
      <Radio.Group label="Better is" {...form.getInputProps('direction')}>
        <Group mt={6}>
          <Radio value="up" label="more" />
          <Radio value="down" label="less" />
        </Group>
      </Radio.Group>
      <Checkbox
        label="Only trusted events"
        description="Counts only events that your own server sent with an events key. Decisions about revenue need it: any client can send the others."
        {...form.getInputProps('trusted', { type: 'checkbox' })}
      />
      <MoreFields form={form} />
    </FormDialog>
  );
}

interface EventFieldsProps {
  readonly form: MetricForm;
  readonly events: readonly string[];
}

/** The events that count, and what belongs to one kind. */
function EventFields({ form, events }: EventFieldsProps) {
  const { kind } = form.values;
  return (
    <>
      <Autocomplete
        label="Event"
        description={
          kind === 'retention'
            ? 'What the game sends when a player comes back, such as the start of a session.'
            : 'As the game names it.'
        }
        placeholder="purchase"
        required
        data={[...events]}
        maxLength={metricNameCharsMax}
        {...form.getInputProps('event')}
      />
      {kind === 'ratio' && (
        <Autocomplete
          label="Per event"
          description="Below the line: revenue per purchase, wins per match."
          required
          data={[...events]}
          maxLength={metricNameCharsMax}
          {...form.getInputProps('denominator')}
        />
      )}
      {kind === 'conversion' && (
        <NumberInput
          label="Within days"
          description="Of the first exposure. Empty: as long as the experiment runs."
          min={1}
          max={metricWindowDaysMax}
          allowDecimal={false}
          {...form.getInputProps('windowDays')}
        />
      )}
      {kind === 'retention' && (
        <Select
          label="Day"
          description="After the first exposure."
          data={[...retentionDays]}
          allowDeselect={false}
          {...form.getInputProps('day')}
        />
      )}
    </>
  );
}

function MoreFields({ form }: { readonly form: MetricForm }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <UnstyledButton
        fz="sm"
        td="underline"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Description and caps
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Stack gap="md">
          <Textarea
            label="Description"
            autosize
            maxRows={4}
            maxLength={descriptionCharsMax}
            {...form.getInputProps('description')}
          />
          <NumberInput
            label="Events a day"
            description="Of one player that count. Empty: all."
            min={1}
            max={metricEventsPerDayMax}
            allowDecimal={false}
            {...form.getInputProps('perUserDay')}
          />
          {hasTotals(form.values.kind) && (
            <NumberInput
              label="Cap of totals"
              description="A total above that of this many players counts as theirs, so that one whale does not decide. Empty: no cap."
              suffix=" %"
              min={50.1}
              max={99.999}
              decimalScale={3}
              {...form.getInputProps('winsorise')}
            />
          )}
        </Stack>
      </Collapse>
    </>
  );
}
