/** Asks for the app version of a new line, which begins as a copy of the line below it. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { VersionLine } from '../../draft/draft.js';
import { useDraft } from '../../draft/draft-context.js';
import { canonicalVersion, compareVersions } from '../../draft/state-parts.js';

const linesMax = 100;

export interface AddLineDialogProps {
  readonly onAdd: (line: VersionLine) => void;
  readonly onClose: () => void;
}

export function AddLineDialog({ onAdd, onClose }: AddLineDialogProps) {
  const { state } = useDraft();
  const [typed, setTyped] = useState('');
  const [isTold, setIsTold] = useState(false);
  const version = canonicalVersion(typed);
  const fault = faultOf(
    version,
    state.lines.map(({ appVersion }) => appVersion),
  );
  const below = version === null ? undefined : lineBelow(state.lines, version);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTold(true);
    if (version !== null && fault === null && below !== undefined) {
      onAdd({ appVersion: version, text: below.text });
    }
  };
  return (
    <Modal opened onClose={onClose} title="Add a line">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            data-autofocus
            label="From app version"
            description="Players with this version or a newer one get the line, up to the next line."
            placeholder="1.4.0"
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setIsTold(false);
            }}
            error={isTold ? fault : null}
            autoComplete="off"
            inputMode="decimal"
          />
          <Text size="sm" c="dimmed" role="status">
            {below !== undefined && fault === null
              ? `It starts as a copy of the line ${below.appVersion}.`
              : 'It starts as a copy of the line below it.'}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Add the line</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function faultOf(version: string | null, versions: readonly string[]): string | null {
  if (version === null) return 'Type three numbers: 1.4.0';
  if (versions.includes(version)) return `There is a line ${version} already.`;
  return versions.length >= linesMax ? `A content has at most ${linesMax} lines.` : null;
}

/** The line whose players would get the new one; the lowest where there is none below. */
function lineBelow(lines: readonly VersionLine[], version: string): VersionLine | undefined {
  const lower = lines.filter(({ appVersion }) => compareVersions(appVersion, version) < 0);
  return lower.at(-1) ?? lines[0];
}
