/** Asks for the app version of a new version line, which starts as a copy of the line below it. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { VersionLine } from '../../draft/draft.js';
import { useDraft } from '../../draft/draft-context.js';
import { canonicalVersion, compareVersions } from '../../draft/state-parts.js';
import { Dialog } from '../../parts/dialog.js';

const linesMax = 100;

export interface AddLineDialogProps {
  readonly onAdd: (line: VersionLine) => void;
  readonly onClose: () => void;
}

export function AddLineDialog({ onAdd, onClose }: AddLineDialogProps) {
  const { state } = useDraft();
  const [typed, setTyped] = useState('');
  const [isTried, setIsTried] = useState(false);
  const version = canonicalVersion(typed);
  const issue = issueOf(
    version,
    state.lines.map(({ appVersion }) => appVersion),
  );
  const below = version === null ? undefined : lineBelow(state.lines, version);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (version !== null && issue === null && below !== undefined) {
      onAdd({ appVersion: version, text: below.text });
    }
  };
  return (
    <Dialog onClose={onClose} title="Add an app version">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            data-autofocus
            label="From app version"
            description="Players with this version or a newer one get its text, up to the next version in the list."
            placeholder="1.4.0"
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setIsTried(false);
            }}
            error={isTried ? issue : null}
            autoComplete="off"
            inputMode="decimal"
          />
          <Text size="sm" c="dimmed" role="status">
            {below !== undefined && issue === null
              ? `It starts as a copy of version ${below.appVersion}.`
              : 'It starts as a copy of the version below it.'}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Add the version</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function issueOf(version: string | null, versions: readonly string[]): string | null {
  if (version === null) return 'Type three numbers: 1.4.0';
  if (versions.includes(version)) return `Version ${version} exists already.`;
  return versions.length >= linesMax
    ? `A content item has at most ${linesMax} version lines.`
    : null;
}

/** The line whose players will get the new one; the lowest if there is none below. */
function lineBelow(lines: readonly VersionLine[], version: string): VersionLine | undefined {
  const lower = lines.filter(({ appVersion }) => compareVersions(appVersion, version) < 0);
  return lower.at(-1) ?? lines[0];
}
