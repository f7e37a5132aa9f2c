/** The guards of a content item: what its values must be, and what happens otherwise. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { guardsMax } from '../../../contract/limits.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import type { GuardInput } from '../../../contract/schemas/guard.js';
import { useDraft } from '../../draft/draft-context.js';
import { goesTo, type Jump } from '../../draft/issue-place.js';
import { IconPlus } from '../../icons/icons.js';
import { reviewOf, useEnvironment } from '../../parts/environments.js';
import { ToolButton } from '../../parts/tool-button.js';
import { AddToRelease } from '../../releases/add/add-to-release.js';
import { useTypedEnvelope } from '../values/envelope-query.js';
import { GuardRow } from './guard-row.js';

const newGuard: GuardInput = { path: '/', severity: 'block' };

export function isGuardJump(jump: Jump | null): boolean {
  return jump?.path.startsWith('guards') === true;
}

export function GuardsEditor({ jump }: { readonly jump: Jump | null }) {
  const { saved, state, change, mayEdit } = useDraft();
  const { guards } = state;
  const section = useRef<HTMLElement>(null);
  const headingId = useId();
  const errorAt = useGuardIssues(guards.length);
  const paths = usePaths();
  useEffect(() => {
    if (jump === null || !isGuardJump(jump) || !goesTo(jump, 'settings')) return;
    focusGuard(section, Number(guardIndex.exec(jump.path)?.[1] ?? 0));
  }, [jump]);
  const add = (): void => {
    change({ guards: [...guards, newGuard] });
    focusGuard(section, guards.length);
  };
  const isFull = guards.length >= guardsMax;
  const ofList = errorAt(null, '');
  return (
    <section aria-labelledby={headingId} ref={section}>
      <Title order={2} size="h5" id={headingId} mb={4}>
        Guards
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        What values must be, whichever player gets them. They are checked before anything is
        published. They are not part of a revision: a save applies them at once.
      </Text>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {guards.map((guard, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two guards may be equal while one of them is typed.
          <li key={index}>
            <GuardRow
              number={index + 1}
              guard={guard}
              readOnly={!mayEdit}
              paths={paths}
              errorAt={(field) => errorAt(index, field)}
              onGuard={(edited) => change({ guards: guards.with(index, edited) })}
              onRemove={() => change({ guards: guards.toSpliced(index, 1) })}
            />
          </li>
        ))}
      </Stack>
      {ofList !== null && (
        <Text size="sm" c="red" mt={4} role="status">
          {ofList}
        </Text>
      )}
      <Group mt={guards.length > 0 ? 'xs' : 0}>
        {guards.length === 0 && (
          <Text size="sm">
            No guards. Types that change and numbers that move by more than ten times are found
            anyway.
          </Text>
        )}
        {mayEdit && (
          <ToolButton icon={IconPlus} onClick={add} disabled={isFull}>
            Add a guard
          </ToolButton>
        )}
        {mayEdit && saved.live !== null && <WithRelease />}
        {isFull && <Text size="sm">A content item has at most {guardsMax} guards.</Text>}
      </Group>
    </section>
  );
}

const guardIndex = /^guards\[(\d+)\]/;

/** When the change is rendered. */
function focusGuard(section: RefObject<HTMLElement | null>, index: number): void {
  requestAnimationFrame(() => {
    const rows = section.current?.querySelectorAll('[role="group"]');
    rows?.[index]?.querySelector<HTMLElement>('input')?.focus();
    // All of its fields, clear of the bar that saves.
    rows?.[index]?.scrollIntoView({ block: 'center' });
  });
}

/** Where approvals are asked for, guards of a live content item are weakened by a release. */
function WithRelease() {
  const { saved, state, change } = useDraft();
  const { env, id } = saved;
  const [isAdding, setIsAdding] = useState(false);
  const isChanged = JSON.stringify(saved.guards) !== JSON.stringify(state.guards);
  if (reviewOf(useEnvironment(env)) === 0 || !isChanged) return null;
  const add = async () => {
    const edit = { guards: { [id]: [...state.guards] } };
    return [{ kind: 'environment', edit } as const];
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsAdding(true)}>
        Change guards in a release…
      </Button>
      {isAdding && (
        <AddToRelease
          env={env}
          what={`guards of ${id}`}
          changes={add}
          // They are in the release from then on, and no unsaved edit.
          onAdded={() => change({ guards: saved.guards })}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

/** Paths to propose, each once. */
function usePaths(): readonly string[] {
  const { saved, state } = useDraft();
  const { data } = useTypedEnvelope(saved, state);
  return useMemo(() => {
    const all = (data?.lines ?? []).flatMap(({ paths }) => paths.map(({ path }) => path));
    return [...new Set(all)];
  }, [data]);
}

/**
 * The server's last errors, unless guards were added or removed since: then they would appear at other guards.
 * @returns a lookup by index (null: of the list) and field ('': of the guard as a whole)
 */
function useGuardIssues(count: number): (index: number | null, field: string) => string | null {
  const { validation } = useDraft();
  const isOfThese = validation?.state.guards.length === count;
  const errors = isOfThese ? validation.errors : none;
  return (index, field) => {
    if (index === null) return messageAt(errors, ({ path }) => path === 'guards');
    const place = `guards[${index}]${field === '' ? '' : `.${field}`}`;
    const isInside = field === 'type' || field === 'enum';
    return messageAt(
      errors,
      ({ path }) => path === place || (isInside && path.startsWith(`${place}[`)),
    );
  };
}

const none: readonly ValidationIssue[] = [];

function messageAt(
  issues: readonly ValidationIssue[],
  isHere: (issue: ValidationIssue) => boolean,
): string | null {
  const found = issues.filter(isHere);
  return found.length === 0 ? null : found.map(({ message }) => message).join(' ');
}
