/** One content item in the list: select it, see what changes, open it for the differences. */
import { Anchor, Badge, Box, Button, Checkbox, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'wouter';
import { IconChevronDown, IconChevronRight } from '../icons/icons.js';
import { pathOf } from '../parts/environments.js';
import { ConflictBadge } from './sync-conflict.js';
import { SyncDifference } from './sync-difference.js';
import { describeChange, type SyncItem, type SyncItemKind } from './sync-items.js';
import { type SyncSides, useSyncSides } from './sync-sides.js';

export interface SyncRowProps {
  readonly item: SyncItem;
  readonly isChosen: boolean;
  readonly onChosen: (isOn: boolean) => void;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

const kindColours: Readonly<Record<SyncItemKind, string>> = {
  added: 'teal',
  changed: 'ink',
  unchanged: 'gray',
  'only-here': 'gray',
};

export function SyncRow({ item, isChosen, onChosen, isOpen, onOpen }: SyncRowProps) {
  const { id, kind, change } = item;
  const sides = useSyncSides();
  const detailsId = useId();
  return (
    <Box px="md" py="xs">
      <Group gap="sm" wrap="nowrap" align="center" mih={40}>
        {change !== null ? (
          <Checkbox
            aria-label={`Select ${id}`}
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
              {kind === 'only-here' ? 'only here' : kind}
            </Badge>
            {change?.conflict && <ConflictBadge />}
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {summaryOf(item, sides)}
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
          <Anchor component={Link} href={pathOf.content(sides.target.id, id)} size="xs">
            Open
          </Anchor>
        )}
      </Group>
      {isOpen && change !== null && (
        <Box id={detailsId} pt="sm" pb="xs">
          <SyncDifference change={change} />
        </Box>
      )}
    </Box>
  );
}

/** Such as "Staging r3 → Production r2 · 1 version line". */
function summaryOf({ kind, change }: SyncItem, { source, target }: SyncSides): string {
  if (change === null) {
    return kind === 'unchanged'
      ? 'The same on both sides.'
      : `Only in ${target.name}; a sync does not change it.`;
  }
  const { fromRevision, toRevision } = change;
  const there = toRevision === null ? `${target.name}, not live` : `${target.name} r${toRevision}`;
  const what = describeChange(change);
  return `${source.name} r${fromRevision} → ${there}${what === '' ? '' : ` · ${what}`}`;
}
