/** What is said of the content above its tabs: its id, what is live and what is not, and where players get it. */
import { ActionIcon, Badge, Button, Group, Menu, Text, Title, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconCopy,
  IconDots,
  IconEraser,
  IconGitCompare,
  IconWorld,
} from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { ApiProblem } from '../api/call.js';
import { contentKeyOf, fetchRevisions } from '../draft/content-query.js';
import { useDraft } from '../draft/draft-context.js';
import { pathOf } from '../parts/environments.js';
import { notifyDone } from '../parts/notify.js';
import { When } from '../parts/when.js';
import { DiscardDraftDialog } from './history/discard-draft-dialog.js';
import { useConfirmDiscard } from './use-confirm-discard.js';

export function ContentHeader() {
  const { saved, state, isDirty } = useDraft();
  const { newest, live, author, hash, description, synced } = saved;
  const isNew = newest === 0;
  return (
    <>
      <Group gap="xs">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {saved.id}
        </Title>
        {live !== null && (
          <Badge color="teal" variant="dot">
            Live r{live}
          </Badge>
        )}
        {!isNew && live === null && (
          <Badge color="gray" variant="dot">
            Never published
          </Badge>
        )}
        {!isNew && newest > (live ?? 0) && (
          <Badge color="yellow" variant="dot">
            Draft r{newest} by {author}
          </Badge>
        )}
        {isNew && (
          <Badge color="blue" variant="dot">
            New
          </Badge>
        )}
        {state.mapping !== '[]' && (
          <Badge color="grape" variant="dot">
            Dynamic
          </Badge>
        )}
        {isDirty && !isNew && (
          <Badge color="blue" variant="dot">
            Unsaved changes
          </Badge>
        )}
      </Group>
      {description !== '' && (
        <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {description}
        </Text>
      )}
      <Text size="sm" c="dimmed" mt={2} component="div">
        {isNew ? (
          'Not saved yet.'
        ) : (
          <Group gap={6}>
            <span>
              Revision {newest} by {author}, <When at={saved.createdAt} span inherit />
            </span>
            {synced !== null && (
              <span>
                · synced from {synced.from} r{synced.revision}
              </span>
            )}
            <Text span inherit visibleFrom="sm" title="Hash of the highest line">
              · <span className="mono">{hash}</span>
            </Text>
          </Group>
        )}
      </Text>
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
  const confirmDiscard = useConfirmDiscard(discard);
  const clipboard = useClipboard();
  const copy = (text: string): void => {
    clipboard.copy(text);
    notifyDone(`Copied ${text}`);
  };
  const hasDraft = live !== null && newest > live;
  return (
    <>
      <Tooltip
        label="Nothing is live yet, so there is nothing to compare with."
        disabled={live !== null}
      >
        <Button
          variant="default"
          leftSection={<IconGitCompare size={16} aria-hidden />}
          onClick={onCompare}
          data-disabled={live === null || undefined}
          aria-disabled={live === null}
          onClickCapture={(event) => {
            if (live === null) event.stopPropagation();
          }}
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
          <ActionIcon variant="default" size={36} aria-label="More actions">
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
                onClick={confirmDiscard}
              >
                Discard unsaved changes…
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowBackUp size={16} aria-hidden />}
                disabled={!hasDraft}
                onClick={() => setIsDiscarding(true)}
              >
                Discard the saved draft…
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

/** Links to the content of the same id elsewhere; asked for when the menu is opened. */
function OtherEnvironments({ id, others, isWanted }: OtherEnvironmentsProps): ReactNode {
  const asked = others.slice(0, othersMax);
  const found = useQueries({
    queries: asked.map((other) => ({
      queryKey: [...contentKeyOf(other.id, id), 'newest'],
      queryFn: () => newestIn(other.id, id),
      enabled: isWanted,
      staleTime: 60_000,
    })),
  });
  const there = asked.filter((_, index) => (found[index]?.data ?? null) !== null);
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

async function newestIn(env: string, id: string) {
  try {
    return (await fetchRevisions(env, id, { limit: 1 }))[0] ?? null;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}
