/** One revision as it was saved. */
import { Stack, Tabs, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { emptyMapping, type LoadedRevision, useRevision } from '../../draft/content-query.js';
import { CodeEditor, type CodeEditorHandle } from '../../parts/code/code-editor.js';
import { formatJsonc } from '../../parts/code/format-jsonc.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';
import type { FoundPlace } from '../../parts/found-place.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { When } from '../../parts/time/when.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { Waiting } from '../../parts/waiting.js';

export interface ViewDialogProps {
  readonly env: string;
  readonly id: string;
  readonly number: number;
  /** What to show of it first; left out: the beginning of its highest version line. */
  readonly place?: FoundPlace;
  readonly onClose: () => void;
}

export function ViewDialog({ env, id, number, place, onClose }: ViewDialogProps) {
  const revision = useRevision(env, id, number);
  const isNarrow = useIsNarrow();
  return (
    <Dialog onClose={onClose} title={`Revision ${number}`} size="64rem" fullScreen={isNarrow}>
      {revision.error !== null && (
        <ProblemAlert error={revision.error} onRetry={() => void revision.refetch()} />
      )}
      {revision.isPending && <Waiting label="Loading the revision" height={200} />}
      {revision.data !== undefined && <Shown revision={revision.data} place={place} />}
    </Dialog>
  );
}

interface ShownProps {
  readonly revision: LoadedRevision;
  readonly place: FoundPlace | undefined;
}

function Shown({ revision, place }: ShownProps) {
  const { lines, mapping, flags, author, createdAt, note } = revision;
  const first = place?.appVersion ?? lines.at(-1)?.appVersion ?? '';
  const editor = useRef<CodeEditorHandle>(null);
  useEffect(() => {
    if (place !== undefined) editor.current?.goTo(place.line, place.column, true);
  }, [place]);
  const texts = [
    ...lines.map(({ appVersion, text }) => ({ name: appVersion, text })),
    ...(mapping === emptyMapping ? [] : [{ name: 'targeting', text: formatJsonc(mapping) }]),
    ...(flags.length === 0 ? [] : [{ name: 'flags', text: JSON.stringify(flags, null, 2) }]),
  ];
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Saved by {author}, <When at={createdAt} span inherit />
        {note === '' ? '' : `: ${note}`}
      </Text>
      <Tabs defaultValue={first} variant="pills" keepMounted={false}>
        <Tabs.List aria-label="App versions, targeting and flags">
          {texts.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {texts.map(({ name, text }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Stack gap="xs">
              <CodeEditor
                {...(name === first ? { handle: editor } : {})}
                label={`${name} of this revision`}
                value={text}
                readOnly
                minRows={12}
                maxRows={28}
              />
              <div>
                <CopyButton value={text} />
              </div>
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
