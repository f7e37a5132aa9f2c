/** The flags of a content item: JSON Pointers to values of its texts, and the key of each as OpenFeature clients write it. */
import { ActionIcon, Code, Group, Stack, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { type RefObject, useEffect, useId, useRef } from 'react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { useDraft } from '../../draft/draft-context.js';
import { goesTo, type Jump } from '../../draft/issue-place.js';
import { IconPlus, IconTrash } from '../../icons/icons.js';
import { monoInput } from '../../parts/code/mono-input.js';
import { ToolButton } from '../../parts/tool-button.js';

const flagsMax = 1_000;
const flagCharsMax = 1_024;
/** What a flag begins with that is not of the whole content item. */
const firstPointer = '/';

export function isFlagJump(jump: Jump | null): boolean {
  return jump?.path.startsWith('flags') === true;
}

export function FlagsEditor({ jump }: { readonly jump: Jump | null }) {
  const { saved, state, change, mayEdit } = useDraft();
  const { flags } = state;
  const section = useRef<HTMLElement>(null);
  const headingId = useId();
  const issues = useFlagIssues(flags.length);
  useEffect(() => {
    if (jump === null || !isFlagJump(jump) || !goesTo(jump, 'settings')) return;
    focusLater(section, 'input', Number(flagIndex.exec(jump.path)?.[1] ?? 0));
  }, [jump]);
  const add = (): void => {
    change({ flags: [...flags, firstPointer] });
    focusLater(section, 'input', flags.length);
  };
  const remove = (index: number): void => {
    change({ flags: flags.toSpliced(index, 1) });
    if (flags.length === 1) focusLater(section, '[data-add-flag]');
    else focusLater(section, '[data-remove-flag]', Math.min(index, flags.length - 2));
  };
  const isFull = flags.length >= flagsMax;
  return (
    <section aria-labelledby={headingId} ref={section}>
      <Title order={2} size="h5" id={headingId} mb={4}>
        Flags
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Values that OpenFeature clients list. Each is a JSON Pointer into the delivered JSON; an
        empty one is the whole content item. Flags are part of a revision.
      </Text>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {flags.map((flag, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two flags may be equal while one of them is typed.
          <li key={index}>
            <FlagRow
              number={index + 1}
              flag={flag}
              id={saved.id}
              readOnly={!mayEdit}
              error={issues.error(index)}
              warning={issues.warning(index)}
              onFlag={(text) => change({ flags: flags.with(index, text) })}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </Stack>
      {issues.ofList !== null && (
        <Text size="sm" c="red" mt={4} role="status">
          {issues.ofList}
        </Text>
      )}
      {issues.warningOfList !== null && (
        <Text size="sm" mt={4} role="status">
          Warning: {issues.warningOfList}
        </Text>
      )}
      <Group mt={flags.length > 0 ? 'xs' : 0}>
        {flags.length === 0 && <Text size="sm">No flags: OpenFeature clients list nothing.</Text>}
        {mayEdit && (
          <ToolButton icon={IconPlus} onClick={add} disabled={isFull} data-add-flag>
            Add a flag
          </ToolButton>
        )}
        {isFull && <Text size="sm">A content item has at most {flagsMax} flags.</Text>}
      </Group>
    </section>
  );
}

/** When the change is rendered. */
function focusLater(section: RefObject<HTMLElement | null>, selector: string, at = 0): void {
  requestAnimationFrame(() => {
    section.current?.querySelectorAll<HTMLElement>(selector)[at]?.focus();
  });
}

interface FlagRowProps {
  /** Its place, from 1. */
  readonly number: number;
  readonly flag: string;
  /** Of the content item. */
  readonly id: string;
  readonly readOnly: boolean;
  readonly error: string | null;
  readonly warning: string | null;
  readonly onFlag: (flag: string) => void;
  readonly onRemove: () => void;
}

function FlagRow(props: FlagRowProps) {
  const { number, flag, id, readOnly, error, warning, onFlag, onRemove } = props;
  const key = `${id}${flag}`;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        aria-label={`Pointer of flag ${number}`}
        value={flag}
        onChange={(event) => onFlag(event.currentTarget.value)}
        readOnly={readOnly}
        maxLength={flagCharsMax}
        spellCheck={false}
        autoCapitalize="off"
        styles={monoInput}
        style={{ flex: 1, minWidth: 0 }}
        error={error}
        inputWrapperOrder={['input', 'error', 'description']}
        description={
          <>
            Flag key <Code style={{ overflowWrap: 'anywhere' }}>{key}</Code>
            {error === null && warning !== null && (
              <Text span size="sm" display="block" c="var(--mantine-color-text)">
                Warning: {warning}
              </Text>
            )}
          </>
        }
      />
      {!readOnly && (
        <Tooltip label={`Remove flag ${number}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={`Remove flag ${number}: ${key}`}
            onClick={onRemove}
            data-remove-flag
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

const flagIndex = /^flags\[(\d+)\]/;

/** The server's last issues, unless flags were added or removed since: then they would appear at other flags. */
function useFlagIssues(count: number): {
  readonly error: (index: number) => string | null;
  readonly warning: (index: number) => string | null;
  /** About all of them together. */
  readonly ofList: string | null;
  readonly warningOfList: string | null;
} {
  const { validation } = useDraft();
  const isOfThese = validation?.state.flags.length === count;
  const { errors, warnings } = isOfThese ? validation : { errors: [], warnings: [] };
  return {
    error: (index) => messageAt(errors, `flags[${index}]`),
    warning: (index) => messageAt(warnings, `flags[${index}]`),
    ofList: messageAt(errors, 'flags'),
    warningOfList: messageAt(warnings, 'flags'),
  };
}

function messageAt(issues: readonly ValidationIssue[], path: string): string | null {
  const found = issues.filter((issue) => issue.path === path);
  if (found.length === 0) return null;
  return found
    .map(({ message, appVersion }) =>
      appVersion === undefined ? message : `${message} (${appVersion})`,
    )
    .join(' ');
}
