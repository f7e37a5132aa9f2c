/** One content in the list: tick it, see in a line what changes, open it for the differences. */
import { Anchor, Badge, Box, Button, Checkbox, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { pathOf } from '../parts/environments.js';
import { SyncDifference } from './sync-difference.js';
import { changeWords, type SyncItem, type SyncItemKind } from './sync-items.js';

export interface SyncRowProps {
  readonly source: Environment;
  readonly target: Environment;
  readonly item: SyncItem;
  readonly isChosen: boolean;
  readonly onChosen: (isOn: boolean) => void;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

const kindNames: Readonly<Record<SyncItemKind, string>> = {
  added: 'added',
  changed: 'changed',
  unchanged: 'unchanged',
  'only-here': 'only here',
};
const kindColours: Readonly<Record<SyncItemKind, string>> = {
  added: 'teal',
  changed: 'ink',
  unchanged: 'gray',
  'only-here': 'gray',
};

export function SyncRow({
  source,
  target,
  item,
  isChosen,
  onChosen,
  isOpen,
  onOpen,
}: SyncRowProps) {
  const { id, kind, change } = item;
  const detailsId = useId();
  return (
    <Box px="md" py="xs">
      <Group gap="sm" wrap="nowrap" align="center" mih={40}>
        {change !== null ? (
          <Checkbox
            aria-label={`Bring ${id}`}
            checked={isChosen}
            onChange={(event) => onChosen(event.currentTarget.checked)}
          />
        ) : (
          <Box w={20} />
        )}
        <Box miw={0} flex={1}>
          <Group gap="xs">
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {id}
            </Text>
            <Badge variant="dot" color={kindColours[kind]} size="sm">
              {kindNames[kind]}
            </Badge>
            {change?.conflict && (
              <Badge
                variant="default"
                size="sm"
                leftSection={
                  <IconAlertTriangle size={12} color="var(--mantine-color-orange-6)" aria-hidden />
                }
              >
                conflict
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {change === null ? quietWords(kind, target) : lineOf(item, change)}
          </Text>
        </Box>
        {change !== null ? (
          <Button
            size="xs"
            variant="subtle"
            px={6}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            aria-label={`Differences of ${id}`}
            rightSection={
              isOpen ? (
                <IconChevronDown size={14} aria-hidden />
              ) : (
                <IconChevronRight size={14} aria-hidden />
              )
            }
            onClick={onOpen}
          >
            <Text span size="xs" visibleFrom="xs" inherit>
              Differences
            </Text>
          </Button>
        ) : (
          <Anchor component={Link} href={pathOf.content(target.id, id)} size="xs">
            Open
          </Anchor>
        )}
      </Group>
      {isOpen && change !== null && (
        <Box id={detailsId} pt="sm" pb="xs">
          <SyncDifference source={source} target={target} change={change} />
        </Box>
      )}
    </Box>
  );
}

function quietWords(kind: SyncItemKind, target: Environment): string {
  return kind === 'unchanged'
    ? 'The same on both sides.'
    : `Only in ${target.name}; a sync leaves it alone.`;
}

function lineOf({ kind }: SyncItem, change: NonNullable<SyncItem['change']>): string {
  const words = changeWords(change);
  const where =
    kind === 'added'
      ? `Revision ${change.fromRevision} there, nothing live here`
      : `Revision ${change.fromRevision} there, ${change.toRevision} here`;
  return words === '' ? where : `${words}. ${where}`;
}
