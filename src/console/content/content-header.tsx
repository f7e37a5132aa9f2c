/** The header of a content item: its id, what is live and what is not, and a menu of actions. */
import { ActionIcon, Badge, Button, Group, Menu, Text, Title, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { ApiProblem } from '../api/call.js';
import { contentKeyOf, emptyMapping, fetchRevisions } from '../draft/content-query.js';
import { useDraft } from '../draft/draft-context.js';
import {
  IconArrowBackUp,
  IconCopy,
  IconDots,
  IconEraser,
  IconGitCompare,
  IconWorld,
} from '../icons/icons.js';
import { pathOf } from '../parts/environments.js';
import { notifyDone } from '../parts/notify.js';
import { When } from '../parts/time/when.js';
import { askToDiscard } from './ask-to-discard.js';
import { DiscardDraftDialog } from './history/discard-draft-dialog.js';

export function ContentHeader() {
  const { saved, state, isDirty } = useDraft();
  const { newest, live, author, hash, description, synced } = saved;
  const isNew = newest === 0;
  const badges = [
    { label: `Live r${live}`, color: 'teal', isShown: live !== null },
    { label: 'Never published', color: 'gray', isShown: !isNew && live === null },
    { label: `Draft r${newest} by ${author}`, color: 'yellow', isShown: newest > (live ?? 0) },
    { label: 'New', color: 'blue', isShown: isNew },
    { label: 'Targeted', color: 'grape', isShown: state.mapping !== emptyMapping },
    { label: 'Unsaved changes', color: 'blue', isShown: isDirty && !isNew },
  ].filter(({ isShown }) => isShown);
  return (
    <>
      <Group gap="xs">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {saved.id}
        </Title>
        {badges.map(({ label, color }) => (
          <Badge key={label} color={color} variant="dot">
            {label}
          </Badge>
        ))}
        {/* Cut off before it takes a line: nothing moves when the first key is pressed. */}
        <Text size="sm" c="dimmed" component="div" flex="1 1 8rem" miw={0} truncate="end">
          {isNew ? (
            'Not saved yet.'
          ) : (
            <>
              <span>
                Revision {newest} by {author}, <When at={saved.createdAt} span inherit />
              </span>
              {synced !== null && (
                <span>
                  {' '}
                  · synced from {synced.from} r{synced.revision}
                </span>
              )}
              <Text span inherit visibleFrom="sm" title="Hash of the highest app version">
                {' '}
                · <span className="mono">{hash}</span>
              </Text>
            </>
          )}
        </Text>
      </Group>
      {description !== '' && (
        <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {description}
        </Text>
      )}
    </>
  );
}

export interface HeaderMenuProps {
  readonly environments: readonly Environment[];
  readonly onCompare: () => void;
}

export function HeaderMenu({ environments, onCompare }: HeaderMenuProps) {
  const { saved, isDirty, mayEdit, discard } = useDraft();
  const { id, env, live, newest } = saved;
  const [isOpen, setIsOpen] = useState(false);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const clipboard = useClipboard();
  const copy = (text: string): void => {
    clipboard.copy(text);
    notifyDone(`Copied ${text}`);
  };
  const hasDraft = live !== null && newest > live;
  const differs = isDirty || hasDraft;
  return (
    <>
      <Tooltip label="Nothing is live yet." disabled={live !== null}>
        <Button
          variant={differs ? 'default' : 'subtle'}
          color={differs ? undefined : 'gray'}
          leftSection={<IconGitCompare size={16} aria-hidden />}
          onClick={() => live !== null && onCompare()}
          data-disabled={live === null || undefined}
          aria-disabled={live === null}
        >
          Compare with live
        </Button>
      </Tooltip>
      <Menu
        opened={isOpen}
        onChange={setIsOpen}
        position="bottom-end"
        width={280}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => copy(`/api/v1/config/${id}/dynamic`)}
          >
            Copy the delivery path
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => copy(saved.hash)}
            disabled={saved.hash === ''}
          >
            Copy the hash
          </Menu.Item>
          {mayEdit && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconEraser size={16} aria-hidden />}
                disabled={!isDirty || newest === 0}
                onClick={() => askToDiscard(discard)}
              >
                Discard unsaved changes…
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowBackUp size={16} aria-hidden />}
                disabled={!hasDraft || isDirty}
                onClick={() => setIsDiscarding(true)}
              >
                Discard the saved draft…
                {hasDraft && isDirty && (
                  <Text size="xs">Save or discard your unsaved changes first.</Text>
                )}
              </Menu.Item>
            </>
          )}
          <OtherEnvironments
            id={id}
            others={environments.filter((other) => other.id !== env)}
            isWanted={isOpen}
          />
        </Menu.Dropdown>
      </Menu>
      {isDiscarding && <DiscardDraftDialog onClose={() => setIsDiscarding(false)} />}
    </>
  );
}

interface OtherEnvironmentsProps {
  readonly id: string;
  readonly others: readonly Environment[];
  readonly isWanted: boolean;
}

const othersMax = 8;

/** Links to the content item of the same id elsewhere; looked up when the menu opens. */
function OtherEnvironments({ id, others, isWanted }: OtherEnvironmentsProps): ReactNode {
  const candidates = others.slice(0, othersMax);
  const found = useQueries({
    queries: candidates.map((other) => ({
      queryKey: [...contentKeyOf(other.id, id), 'exists'],
      queryFn: () => exists(other.id, id),
      enabled: isWanted,
      staleTime: 60_000,
    })),
  });
  const there = candidates.filter((_, index) => found[index]?.data === true);
  if (there.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      {there.map((other) => (
        <Menu.Item
          key={other.id}
          component={Link}
          href={pathOf.content(other.id, id)}
          leftSection={<IconWorld size={16} aria-hidden />}
        >
          Open in {other.name || other.id}
        </Menu.Item>
      ))}
    </>
  );
}

async function exists(env: string, id: string): Promise<boolean> {
  try {
    return (await fetchRevisions(env, id, { limit: 1 })).length > 0;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return false;
    throw error;
  }
}
