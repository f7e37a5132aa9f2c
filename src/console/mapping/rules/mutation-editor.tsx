/** What a rule or a variant changes: merge patch, JSON Patch or replacement, as source, with its effect. */
import { Group, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useId, useMemo, useRef } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import { Effect } from '../effect.js';
import { faultOfField, jsonMarks } from '../mapping-faults.js';
import { prettyJson } from '../pretty-json.js';
import { setMutation } from './rule-edits.js';
import { useRule } from './rule-handle.js';
import type { MutationKind, MutationView } from './rule-view.js';

const CodeEditor = lazy(async () => ({
  default: (await import('../../parts/code/code-editor.js')).CodeEditor,
}));

const kinds = [
  { value: 'none', label: 'No change' },
  { value: 'merge', label: 'Merge patch' },
  { value: 'patch', label: 'JSON Patch' },
  { value: 'replace', label: 'Replacement' },
] as const;

const about: Readonly<Record<MutationKind | 'none', string>> = {
  none: 'They get the text as it is, and are reported all the same: a control group.',
  merge: 'Members here replace those of the text, objects are merged, null removes (RFC 7396).',
  patch: 'A list of add, remove, replace, move, copy and test at JSON pointers (RFC 6902).',
  replace: 'The whole answer: nothing of the text is left.',
};

// A larger text is not copied into the mapping as a start.
const replacementCopiedMax = 64 * 1024;

export interface MutationEditorProps {
  readonly mutation: MutationView | null;
  /** Of a variant: its place; null: the rule's own. */
  readonly variant: number | null;
  /** Whose change it is, for labels. */
  readonly name: string;
}

export function MutationEditor({ mutation, variant, name }: MutationEditorProps) {
  const { readOnly, edit, type, broken, errors, warnings } = useRule();
  const { state } = useDraft();
  const labelId = useId();
  const aboutId = useId();
  const errorId = useId();
  const leftBehind = useRef(new Map<MutationKind, string>());
  const kind = mutation?.kind ?? 'none';
  const path = useMemo(
    () => (variant === null ? [kind] : ['variants', variant, kind]),
    [variant, kind],
  );
  const typed = broken(path);
  const source = typed ?? mutation?.source ?? '';
  const field = variant === null ? kind : `variants[${variant}].${kind}`;
  const error = mutation === null ? null : faultOfField(errors, field);
  const warning = mutation === null ? null : faultOfField(warnings, field);
  const marks = useMemo(() => jsonMarks(source, wordOf[kind]), [source, kind]);

  const choose = (wanted: string): void => {
    if (mutation !== null) leftBehind.current.set(mutation.kind, mutation.source);
    const next = kinds.find(({ value }) => value === wanted)?.value ?? 'none';
    edit((mapping, index) =>
      setMutation(
        mapping,
        index,
        variant,
        next === 'none'
          ? null
          : { kind: next, source: leftBehind.current.get(next) ?? begin(next) },
      ),
    );
  };
  const begin = (next: MutationKind): string => {
    if (next !== 'replace') return next === 'merge' ? '{}' : '[]';
    const text = state.lines.at(-1)?.text ?? '{}';
    return text.length > replacementCopiedMax ? '{}' : prettyJson(text, 72);
  };

  return (
    <Stack gap="sm">
      <Stack gap={4}>
        <Input.Label component="div" id={labelId}>
          What changes
        </Input.Label>
        <SegmentedControl
          aria-labelledby={labelId}
          value={kind}
          onChange={choose}
          readOnly={readOnly}
          data={[...kinds]}
          size="xs"
          w="fit-content"
          maw="100%"
          styles={{ root: { flexWrap: 'wrap' } }}
        />
        <Text size="xs" c="dimmed" id={aboutId}>
          {about[kind]}
        </Text>
      </Stack>
      {mutation !== null && (
        <>
          <Suspense fallback={<Text size="sm">Loading the editor…</Text>}>
            <CodeEditor
              key={kind}
              label={`${labelOf[mutation.kind]} of ${name}`}
              describedBy={error === null ? aboutId : `${aboutId} ${errorId}`}
              value={source}
              onChange={(text) => type(path, text)}
              readOnly={readOnly}
              marks={marks}
              minRows={3}
              maxRows={18}
            />
          </Suspense>
          {typed !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="status">
              {marks[0]?.message ?? 'This is not JSON yet.'}
            </Text>
          )}
          {error !== null && (
            <Text size="sm" c="var(--mantine-color-error)" id={errorId} role="status">
              {error}
            </Text>
          )}
          {warning !== null && error === null && (
            <Group gap={6} role="status">
              <Text size="sm">
                <b>Warning:</b> {warning}
              </Text>
            </Group>
          )}
          <Effect mutation={{ kind: mutation.kind, source }} />
        </>
      )}
    </Stack>
  );
}

const labelOf: Readonly<Record<MutationKind, string>> = {
  merge: 'Merge patch',
  patch: 'JSON Patch',
  replace: 'Replacement',
};

const wordOf: Readonly<Record<MutationKind | 'none', string>> = {
  none: 'change',
  merge: 'merge patch',
  patch: 'JSON Patch',
  replace: 'replacement',
};
