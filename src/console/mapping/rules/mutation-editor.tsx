/** The change of a rule or a variant: some values, patch operations or a replacement, as source, with a preview. */
import { Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { useId, useMemo, useRef } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import { LazyCodeEditor } from '../../parts/code/lazy.js';
import { prettyJson } from '../../parts/code/pretty-json.js';
import { ErrorText } from '../../parts/error-text.js';
import { Effect } from '../effect.js';
import { errorOfField, jsonMarks } from '../mapping-issues.js';
import { setMutation } from './rule-edits.js';
import { useRule } from './rule-handle.js';
import { type MutationKind, type MutationView, mutationLabels } from './rule-view.js';

const kinds = [
  { value: 'none', label: 'No change' },
  { value: 'merge', label: mutationLabels.merge },
  { value: 'patch', label: mutationLabels.patch },
  { value: 'replace', label: mutationLabels.replace },
] as const;

const about: Readonly<Record<MutationKind | 'none', string>> = {
  none: 'A control: these players get the text unchanged, and are reported.',
  merge: 'These values replace the ones in the text. null removes a key.',
  patch: 'A list of add, remove, replace, move, copy and test at JSON pointers (RFC 6902).',
  replace: 'The whole response: it replaces the text.',
};

// A larger text is not copied into the rule as a start.
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
  const error = mutation === null ? null : errorOfField(errors, field);
  const warning = mutation === null ? null : errorOfField(warnings, field);
  const marks = useMemo(() => jsonMarks(source), [source]);

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
          <LazyCodeEditor
            key={kind}
            label={`${mutationLabels[mutation.kind]} of ${name}`}
            describedBy={error === null ? aboutId : `${aboutId} ${errorId}`}
            value={source}
            onChange={(text) => type(path, text)}
            readOnly={readOnly}
            marks={marks}
            minRows={3}
            maxRows={18}
          />
          {typed !== null && <ErrorText>{marks[0]?.message}</ErrorText>}
          {error !== null && <ErrorText id={errorId}>{error}</ErrorText>}
          {warning !== null && error === null && (
            <Text size="sm" role="status">
              <b>Warning:</b> {warning}
            </Text>
          )}
          <Effect mutation={{ kind: mutation.kind, source }} />
        </>
      )}
    </Stack>
  );
}
