/** Asks for the name of a new segment, and goes on to its editor: nothing is saved until it has a condition. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { pathOf } from '../parts/environments.js';
import { nameFault } from './segment-name.js';

export interface NewSegmentProps {
  readonly env: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly taken: readonly string[];
}

export function NewSegment({ env, opened, onClose, taken }: NewSegmentProps) {
  const [, goTo] = useLocation();
  const [name, setName] = useState('');
  const [wasAsked, setWasAsked] = useState(false);
  const fault = nameFault(name.trim(), taken);
  return (
    <Modal opened={opened} onClose={onClose} title="New segment">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setWasAsked(true);
          if (fault !== null) return;
          onClose();
          goTo(`${pathOf.segment(env, name.trim())}?new`);
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="Rules refer to it by this name, and players who match are reported under it. It cannot be changed later."
            placeholder="new-players"
            data-autofocus
            value={name}
            error={wasAsked || name !== '' ? fault : null}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Choose who is in it</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
