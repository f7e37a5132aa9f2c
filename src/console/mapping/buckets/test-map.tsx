/** Tests as coloured rows on the axis of buckets, grouped by salt. */
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
import { type PointerEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { AbTest } from '../../../contract/operations/tests.js';
import { ExperimentLink } from '../../experiments/experiment-link.js';
import { IconAlertTriangle } from '../../icons/icons.js';
import { pathOf } from '../../parts/environments.js';
import { WindowBadge } from '../window/window-badge.js';
import { bucketCount } from './bucket-ranges.js';
import { BucketAxis, BucketStrip, describeVariants } from './bucket-strip.js';
import styles from './buckets.module.css';
import { bucketOfUser, mapOf, type SharedSalt, variantOf, windowOf } from './shared-tests.js';

export interface TestMapProps {
  readonly env: string;
  readonly tests: readonly AbTest[];
  /** Id of a player to find; empty: none. */
  readonly user: string;
}

const rowsAtOnce = 150;

export function TestMap({ env, tests, user }: TestMapProps) {
  const [rows, setRows] = useState(rowsAtOnce);
  const { shared, alone } = useMemo(() => mapOf(tests.slice(0, rows)), [tests, rows]);
  return (
    <Stack gap="md">
      {shared.map((salt) => (
        <SharedTests key={salt.salt ?? ''} env={env} shared={salt} user={user} />
      ))}
      {alone.length > 0 && (
        <Section
          title="Independent tests"
          badges={
            <Badge variant="default">
              {alone.length === 1 ? '1 test' : `${alone.length} tests`}
            </Badge>
          }
        >
          <Text size="sm" c="dimmed">
            No other test uses their seed: the bucket of a player in one test is unrelated to the
            bucket in another.
          </Text>
          <div>
            <Stack gap={10}>
              {alone.map((test) => (
                <TestRow
                  key={`${test.content} ${test.rule}`}
                  env={env}
                  test={test}
                  bucket={user === '' ? null : bucketOfUser(user, test.salt)}
                  showsBucket
                />
              ))}
            </Stack>
            <AxisRow />
          </div>
        </Section>
      )}
      {tests.length > rows && (
        <Button variant="default" onClick={() => setRows(rows + rowsAtOnce)} mx="auto">
          Show more of {tests.length.toLocaleString('en')} tests
        </Button>
      )}
    </Stack>
  );
}

interface SectionProps {
  readonly title: ReactNode;
  readonly badges: ReactNode;
  readonly children: ReactNode;
}

function Section({ title, badges, children }: SectionProps) {
  const titleId = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={titleId}>
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={2} size="h5" id={titleId} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {badges}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

function AxisRow() {
  return (
    <div className={styles['mapRow']}>
      <span />
      <BucketAxis />
    </div>
  );
}

interface SharedTestsProps {
  readonly env: string;
  readonly shared: SharedSalt;
  readonly user: string;
}

function SharedTests({ env, shared: { salt, tests, overlapping }, user }: SharedTestsProps) {
  const [picked, setPicked] = useState<number | null>(null);
  const bucket = user === '' ? picked : bucketOfUser(user, salt);
  const isOverlap = overlapping.size > 0;
  const follow = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * bucketCount);
    setPicked(Math.max(0, Math.min(bucketCount - 1, at)));
  };
  return (
    <Section
      title={
        salt === null ? (
          'Without a seed'
        ) : (
          <>
            Seed <span className="mono">{salt}</span>
          </>
        )
      }
      badges={
        <>
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
        </>
      }
    >
      <Alert color={isOverlap ? 'yellow' : 'teal'} variant="light" py="xs">
        {isOverlap
          ? 'These tests share buckets: the same players are in both, so you cannot tell their effects apart. Give each test its own seed, or buckets that no other test has.'
          : 'These tests share one assignment but no bucket at the same time: no player is in two of them.'}
      </Alert>
      <div>
        <Stack gap={10}>
          {tests.map((test) => (
            <TestRow
              key={`${test.content} ${test.rule}`}
              env={env}
              test={test}
              bucket={bucket}
              overlaps={overlapping.has(test)}
              onPoint={user === '' ? follow : undefined}
            />
          ))}
        </Stack>
        <AxisRow />
        {user === '' && (
          <div className={styles['mapRow']}>
            <Text size="sm">Inspect a bucket</Text>
            <Slider
              className={styles['slider'] ?? ''}
              min={0}
              max={bucketCount - 1}
              value={picked ?? 0}
              onChange={setPicked}
              thumbLabel="Bucket to inspect"
              size="sm"
              label={null}
            />
          </div>
        )}
      </div>
      <Text size="sm" aria-live="polite">
        {bucket === null
          ? 'Point at the map, or move the slider, to see the variants of a bucket.'
          : `${user === '' ? 'Bucket' : `${user} is in bucket`} ${bucket}: ${describeBucket(tests, bucket)}.`}
      </Text>
    </Section>
  );
}

// A longer list would not be readable as a sentence.
const namedMax = 8;

function describeBucket(tests: readonly AbTest[], bucket: number): string {
  const parts = tests
    .slice(0, namedMax)
    .map((test) => `${test.segment} ${variantOf(test, bucket)?.name ?? 'not in the test'}`);
  const more = tests.length - parts.length;
  return parts.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

interface TestRowProps {
  readonly env: string;
  readonly test: AbTest;
  readonly bucket: number | null;
  readonly overlaps?: boolean;
  readonly onPoint?: ((event: PointerEvent<HTMLDivElement>) => void) | undefined;
  readonly showsBucket?: boolean;
}

function TestRow({ env, test, bucket, overlaps, onPoint, showsBucket }: TestRowProps) {
  const { content, segment, salt, variants, live } = test;
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
          <WindowBadge {...windowOf(test)} />
          <ExperimentLink env={env} content={content} segment={segment} />
        </Group>
        <Text size="xs" c="dimmed">
          {content},{' '}
          {salt === null ? (
            'no seed'
          ) : (
            <>
              salt <span className="mono">{salt}</span>
            </>
          )}
          {overlaps === true && (
            <>
              {' · '}
              <Anchor component={Link} href={path} inherit underline="always">
                {salt === null ? 'Give it a seed' : 'Give it its own seed'}
              </Anchor>
            </>
          )}
        </Text>
        {showsBucket === true && bucket !== null && (
          <Text size="xs">
            Bucket {bucket}: {variantOf(test, bucket)?.name ?? 'not in the test'}
          </Text>
        )}
      </div>
      <div className={styles['mapStrip']} onPointerMove={onPoint}>
        <BucketStrip variants={variants} height={30} label={describeVariants(variants)} />
        {bucket !== null && (
          <div className={styles['cursor']} style={{ left: `${(bucket + 0.5) / 10}%` }} />
        )}
      </div>
    </div>
  );
}

/** The page of its rule, opened. */
export function pathOfTest(env: string, { content, rule }: AbTest): string {
  return `${pathOf.content(env, content, 'mapping')}?rule=${rule}`;
}
