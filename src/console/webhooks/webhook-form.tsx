/** Makes a webhook, or changes one: its URL and which events it is notified of. */
import { Checkbox, Group, Radio, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type EventType, eventTypes, type WebhookFormat } from '../../contract/events.js';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { useEnvironments } from '../parts/environments.js';
import { FormDialog } from '../parts/form/form-dialog.js';
import { useServerForm } from '../parts/form/use-server-form.js';
import { LocalHint } from './delivery-state.js';
import { eventDescriptions } from './event-descriptions.js';
import { formatHints, formatNames } from './format-names.js';
import { useRefreshWebhooks } from './use-webhooks.js';

export interface WebhookFormProps {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** The secret is there only when it is new, and not of a chat. */
  readonly onSaved: (webhook: Webhook, secret: string | null) => void;
}

type Values = Pick<Webhook, 'url' | 'format' | 'description' | 'events' | 'environments'>;

export function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const refresh = useRefreshWebhooks();
  const { description = '', events = null, environments = null } = webhook ?? {};
  const { format = 'loadout' } = webhook ?? {};
  const isKnownChat = webhook !== null && format !== 'loadout';
  // Of a chat only the beginning of the URL is known.
  const url = isKnownChat ? '' : (webhook?.url ?? '');
  const form = useServerForm<Values, { saved: Webhook; secret: string | null }>({
    initialValues: { url, format, description, events, environments },
    send: async (values) => {
      const { url: target, format: chosen, description: about, ...choices } = values;
      const body = { ...choices, url: target.trim(), description: about.trim() };
      if (webhook !== null) {
        const params = { id: webhook.id };
        const edit = { ...body, url: body.url === '' ? undefined : body.url };
        return {
          saved: await request('PATCH /webhooks/:id', { params, body: edit }),
          secret: null,
        };
      }
      const { secret, ...saved } = await request('POST /webhooks', {
        body: { ...body, format: chosen },
      });
      return { saved, secret: secret === '' ? null : secret };
    },
    onSent: ({ saved, secret }) => {
      refresh();
      onSaved(saved, secret);
    },
  });
  const { values, errors, getInputProps } = form;
  const isIncomplete = values.events?.length === 0 || values.environments?.length === 0;
  const urlError = errors['url'];
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={webhook === null ? 'New webhook' : 'Edit webhook'}
      confirm={webhook === null ? 'Create webhook' : 'Save'}
      isDisabled={(values.url.trim() === '' && !isKnownChat) || isIncomplete}
      size="lg"
      closeOnClickOutside={false}
    >
      {webhook === null && (
        <Select
          label="Format"
          description="How messages look. It cannot be changed later."
          data={formatChoices}
          value={values.format}
          allowDeselect={false}
          onChange={(chosen) => form.setFieldValue('format', chosen as WebhookFormat)}
        />
      )}
      <TextInput
        data-autofocus
        label="URL"
        description={formatHints[values.format]}
        placeholder={isKnownChat ? 'Stays as it is' : 'https://bots.studio.example/loadout'}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required={!isKnownChat}
        {...getInputProps('url')}
        error={
          urlError === undefined ? null : (
            <>
              {urlError}
              <LocalHint error={String(urlError)} />
            </>
          )
        }
      />
      <TextInput
        label="Description"
        description="What it is for. Shown in the list and in the activity."
        {...getInputProps('description')}
      />
      <EventsChoice
        value={values.events}
        onChange={(chosen) => form.setFieldValue('events', chosen as EventType[] | null)}
        error={errors['events']}
      />
      <EnvironmentsChoice
        value={values.environments}
        onChange={(chosen) => form.setFieldValue('environments', chosen)}
        error={errors['environments']}
      />
    </FormDialog>
  );
}

const formatChoices = Object.entries(formatNames).map(([value, label]) => ({ value, label }));

interface ChoiceProps {
  /** Null: all. */
  readonly value: readonly string[] | null;
  readonly onChange: (value: string[] | null) => void;
  readonly error: ReactNode;
}

function EventsChoice(props: ChoiceProps) {
  return (
    <AllOrSome
      {...props}
      label="Events"
      ofSome="Which events"
      all="All, including events of later versions"
      first={['content.published']}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mb={4}>
        {eventTypes.map((type) => (
          <Checkbox key={type} value={type} label={type} description={eventDescriptions[type]} />
        ))}
      </SimpleGrid>
    </AllOrSome>
  );
}

function EnvironmentsChoice(props: ChoiceProps) {
  const { data = [] } = useEnvironments();
  const known = data.map(({ id }) => id);
  const deleted = (props.value ?? []).filter((id) => !known.includes(id));
  return (
    <AllOrSome
      {...props}
      label="Environments"
      ofSome="Which environments"
      all="All, including later ones"
      first={known.slice(0, 1)}
    >
      <Group gap="lg" mb={4}>
        {known.map((id) => (
          <Checkbox key={id} value={id} label={id} />
        ))}
        {deleted.map((id) => (
          <Checkbox key={id} value={id} label={`${id} (deleted)`} />
        ))}
      </Group>
    </AllOrSome>
  );
}

interface AllOrSomeProps extends ChoiceProps {
  readonly label: string;
  /** Names the checkboxes to screen readers. */
  readonly ofSome: string;
  readonly all: string;
  /** What is ticked when some are chosen. */
  readonly first: string[];
  readonly children: ReactNode;
}

function AllOrSome(props: AllOrSomeProps) {
  const { value, onChange, error, label, ofSome, all, first, children } = props;
  return (
    <Stack gap="xs">
      <Radio.Group
        label={label}
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : first)}
      >
        <Group gap="lg" mt={4}>
          <Radio value="all" label={all} />
          <Radio value="some" label="Only some" disabled={first.length === 0} />
        </Group>
      </Radio.Group>
      {value !== null && (
        <Checkbox.Group
          aria-label={ofSome}
          value={[...value]}
          onChange={onChange}
          error={value.length === 0 ? 'Choose at least one.' : error}
        >
          {children}
        </Checkbox.Group>
      )}
    </Stack>
  );
}
