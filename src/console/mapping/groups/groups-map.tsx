/** Tests as coloured rows on the axis of groups, put together by salt. */
import {
  Alert,
  Anchor,
  Badge,
  Button,
  Group,
  Paper,
  Slider,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type PointerEvent, useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { pathOf } from '../../parts/environments.js';
import { WindowBadge } from '../rules/window-badge.js';
import { groupOfUser, type MapTest, mapOf, type SharedLine, variantOf } from '../tests-map.js';
import { groupCount } from './group-ranges.js';
import styles from './groups.module.css';
import { GroupsAxis, GroupsStrip, stripWords } from './groups-strip.js';

export interface GroupsMapProps {
  readonly env: string;
  readonly tests: readonly MapTest[];
  /** A player to find; empty: none. */
  readonly user: string;
}

const rowsAtOnce = 150;

export function GroupsMap({ env, tests, user }: GroupsMapProps) {
  const [rows, setRows] = useState(rowsAtOnce);
  const { shared, alone } = useMemo(() => mapOf(tests.slice(0, rows)), [tests, rows]);
  return (
    <Stack gap="md">
      {shared.map((line) => (
        <SharedTests key={line.salt ?? ''} env={env} line={line} user={user} />
      ))}
      {alone.length > 0 && <TestsAlone env={env} tests={alone} user={user} />}
      {tests.length > rows && (
        <Button variant="default" onClick={() => setRows(rows + rowsAtOnce)} mx="auto">
          Show more of {tests.length.toLocaleString('en')} tests
        </Button>
      )}
    </Stack>
  );
}

interface SharedTestsProps {
  readonly env: string;
  readonly line: SharedLine;
  readonly user: string;
}

function SharedTests({ env, line, user }: SharedTestsProps) {
  const { salt, tests, overlapping } = line;
  const [picked, setPicked] = useState<number | null>(null);
  const titleId = useId();
  const group = user === '' ? picked : groupOfUser(user, salt);
  const isOverlap = overlapping.size > 0;
  const follow = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * groupCount);
    setPicked(Math.max(0, Math.min(groupCount - 1, at)));
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={titleId}>
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={2} size="h5" id={titleId} style={{ overflowWrap: 'anywhere' }}>
            {salt === null ? (
              'Without a salt'
            ) : (
              <>
                The salt <span className="mono">{salt}</span>
              </>
            )}
          </Title>
          <Badge variant="default">{tests.length} tests</Badge>
          {isOverlap && (
            <Badge
              variant="filled"
              color="yellow"
              autoContrast
              leftSection={<IconAlertTriangle size={12} aria-hidden />}
            >
              {overlapping.size} overlap
            </Badge>
          )}
        </Group>
        <Alert color={isOverlap ? 'yellow' : 'teal'} variant="light" py="xs">
          {isOverlap
            ? 'These tests split players along the same line: who is in one half of one is in the same half of the others, so their effects cannot be told apart. Give each a salt of its own, or groups that no other has.'
            : 'These tests split players along the same line but have no group in common at the same time: no player is in two of them.'}
        </Alert>
        <div>
          <Stack gap={10}>
            {tests.map((test) => (
              <TestRow
                key={`${test.content} ${test.rule}`}
                env={env}
                test={test}
                group={group}
                overlaps={overlapping.has(test)}
                onPoint={user === '' ? follow : null}
              />
            ))}
          </Stack>
          <div className={styles['mapRow']}>
            <span />
            <GroupsAxis />
          </div>
          {user === '' && (
            <div className={styles['mapRow']}>
              <Text size="sm">Look at a group</Text>
              <Slider
                className={styles['slider'] ?? ''}
                min={0}
                max={groupCount - 1}
                value={picked ?? 0}
                onChange={setPicked}
                thumbLabel="Group to look at"
                size="sm"
                label={null}
              />
            </div>
          )}
        </div>
        <Text size="sm" aria-live="polite">
          {group === null
            ? 'Point at the map, or move the slider, to see which variants a group has.'
            : `${user === '' ? 'Group' : `${user} is in group`} ${group}: ${wordsOfGroup(tests, group)}.`}
        </Text>
      </Stack>
    </Paper>
  );
}

// More would be no sentence.
const namedMax = 8;

function wordsOfGroup(tests: readonly MapTest[], group: number): string {
  const parts = tests
    .slice(0, namedMax)
    .map((test) => `${test.segment} ${variantOf(test, group)?.name ?? 'not in the test'}`);
  const more = tests.length - parts.length;
  return parts.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

interface TestsAloneProps {
  readonly env: string;
  readonly tests: readonly MapTest[];
  readonly user: string;
}

function TestsAlone({ env, tests, user }: TestsAloneProps) {
  const titleId = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={titleId}>
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={2} size="h5" id={titleId}>
            Independent tests
          </Title>
          <Badge variant="default">{tests.length === 1 ? '1 test' : `${tests.length} tests`}</Badge>
        </Group>
        <Text size="sm" c="dimmed">
          No other test has their salt: the group of a player in one says nothing about their group
          in another.
        </Text>
        <div>
          <Stack gap={10}>
            {tests.map((test) => (
              <TestRow
                key={`${test.content} ${test.rule}`}
                env={env}
                test={test}
                group={user === '' ? null : groupOfUser(user, test.salt)}
                overlaps={false}
                onPoint={null}
                saysGroup
              />
            ))}
          </Stack>
          <div className={styles['mapRow']}>
            <span />
            <GroupsAxis />
          </div>
        </div>
      </Stack>
    </Paper>
  );
}

interface TestRowProps {
  readonly env: string;
  readonly test: MapTest;
  readonly group: number | null;
  readonly overlaps: boolean;
  readonly onPoint: ((event: PointerEvent<HTMLDivElement>) => void) | null;
  readonly saysGroup?: boolean;
}

function TestRow({ env, test, group, overlaps, onPoint, saysGroup = false }: TestRowProps) {
  const { content, segment, salt, variants, from, until, live } = test;
  const path = pathOfTest(env, test);
  return (
    <div className={styles['mapRow']}>
      <div className={styles['mapName']}>
        <Group gap={6}>
          <Anchor component={Link} href={path} size="sm" fw={600}>
            {segment}
          </Anchor>
          {!live && (
            <Badge size="sm" variant="default">
              Draft
            </Badge>
          )}
          <WindowBadge from={from} until={until} />
        </Group>
        <Text size="xs" c="dimmed">
          {content}
          {salt === null ? (
            ', no salt'
          ) : (
            <>
              , salt <span className="mono">{salt}</span>
            </>
          )}
          {overlaps && (
            <>
              {' · '}
              <Anchor component={Link} href={path} inherit underline="always">
                {salt === null ? 'Give it a salt' : 'Give it a salt of its own'}
              </Anchor>
            </>
          )}
        </Text>
        {saysGroup && group !== null && (
          <Text size="xs">
            Group {group}: {variantOf(test, group)?.name ?? 'not in the test'}
          </Text>
        )}
      </div>
      <div className={styles['mapStrip']} {...(onPoint !== null && { onPointerMove: onPoint })}>
        <GroupsStrip variants={variants} height={30} label={stripWords(variants)} />
        {group !== null && (
          <div className={styles['cursor']} style={{ left: `${(group + 0.5) / 10}%` }} />
        )}
      </div>
    </div>
  );
}

/** Its rule, opened. */
export function pathOfTest(env: string, { content, rule }: MapTest): string {
  return `${pathOf.content(env, content, 'mapping')}?rule=${rule}`;
}
