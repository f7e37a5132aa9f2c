/** Makes a webhook, or changes one: where it leads, and of what it tells. */
import { Button, Checkbox, Group, Modal, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type EventType, eventTypes } from '../../contract/events.js';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { useEnvironments } from '../parts/environments.js';
import { fieldFault, otherFault } from '../parts/field-fault.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { LocalHint } from './local-hint.js';
import { useRefreshWebhooks } from './use-webhooks.js';
import { eventDescriptions } from './webhook-events.js';

export interface WebhookFormProps {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** The secret is there only when it is new. */
  readonly onSaved: (webhook: Webhook, secret: string | null) => void;
}

const fields = ['url', 'description', 'events', 'environments'] as const;

export function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<readonly string[] | null>(webhook?.events ?? null);
  const [environments, setEnvironments] = useState<readonly string[] | null>(
    webhook?.environments ?? null,
  );
  const refresh = useRefreshWebhooks();
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        url: url.trim(),
        description: description.trim(),
        events: events === null ? null : (events as EventType[]),
        environments: environments === null ? null : [...environments],
      };
      if (webhook !== null) {
        return {
          saved: await request('PATCH /webhooks/:id', { params: { id: webhook.id }, body }),
          secret: null,
        };
      }
      const { secret, ...saved } = await request('POST /webhooks', { body });
      return { saved, secret };
    },
    onSuccess: ({ saved, secret }) => {
      refresh();
      onSaved(saved, secret);
    },
  });
  const { error } = save;
  const urlFault = fieldFault(error, 'url');
  const other = error === null ? null : otherFault(error, fields);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={webhook === null ? 'New webhook' : 'Edit webhook'}
      size="lg"
      closeOnClickOutside={false}
    >
      <form ref={form} onSubmit={submit}>
        <Stack>
          <TextInput
            data-autofocus
            label="URL"
            description="Messages are sent here as POST. https:// or http://."
            placeholder="https://bots.studio.example/loadout"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={
              urlFault === null ? null : (
                <>
                  {urlFault}
                  <LocalHint words={urlFault} />
                </>
              )
            }
          />
          <TextInput
            label="Description"
            description="What it is for; people see it in the list and in the activity."
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={fieldFault(error, 'description')}
          />
          <EventsChoice value={events} onChange={setEvents} fault={fieldFault(error, 'events')} />
          <EnvironmentsChoice
            value={environments}
            onChange={setEnvironments}
            fault={fieldFault(error, 'environments')}
          />
          {other !== null && <ProblemAlert error={other} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={url.trim() === '' || events?.length === 0 || environments?.length === 0}
            >
              {webhook === null ? 'Create webhook' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ChoiceProps {
  /** Null: all. */
  readonly value: readonly string[] | null;
  readonly onChange: (value: readonly string[] | null) => void;
  readonly fault: string | null;
}

function EventsChoice({ value, onChange, fault }: ChoiceProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Events"
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : ['content.published'])}
      >
        <Group gap="lg" mt={4}>
          <Radio value="all" label="All, also those of later versions" />
          <Radio value="some" label="Only some" />
        </Group>
      </Radio.Group>
      {value !== null && (
        <Checkbox.Group
          aria-label="Which events"
          value={[...value]}
          onChange={onChange}
          error={value.length === 0 ? 'Choose at least one.' : fault}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mb={4}>
            {eventTypes.map((type) => (
              <Checkbox
                key={type}
                value={type}
                label={type}
                description={eventDescriptions[type]}
              />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

function EnvironmentsChoice({ value, onChange, fault }: ChoiceProps) {
  const { data = [] } = useEnvironments();
  const known = data.map(({ id }) => id);
  const gone = (value ?? []).filter((id) => !known.includes(id));
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Environments"
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : known.slice(0, 1))}
      >
        <Group gap="lg" mt={4}>
          <Radio value="all" label="All, also later ones" />
          <Radio value="some" label="Only some" disabled={known.length === 0} />
        </Group>
      </Radio.Group>
      {value !== null && (
        <Checkbox.Group
          aria-label="Which environments"
          value={[...value]}
          onChange={onChange}
          error={value.length === 0 ? 'Choose at least one.' : fault}
        >
          <Group gap="lg" mb={4}>
            {known.map((id) => (
              <Checkbox key={id} value={id} label={id} />
            ))}
            {gone.map((id) => (
              <Checkbox key={id} value={id} label={`${id} (is gone)`} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
