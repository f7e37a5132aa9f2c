/** Rows of the overview's timeline: a name that links to its place, what it is now, and its bars. */
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type {
  OverviewExperiment,
  OverviewPublication,
} from '../../contract/operations/overview.js';
import type { ReleaseLine, WindowLine } from '../calendar/calendar-rows.js';
import { describeConflicts, describeState, describeTimes } from '../calendar/describe-entry.js';
import { ReleaseBars } from '../calendar/release-bars.js';
import { percentOf, type Scale } from '../calendar/time-scale.js';
import { Backdrop, placed } from '../calendar/track.js';
import { WindowBars } from '../calendar/window-bars.js';
import {
  IconAlertTriangle,
  IconCalendarTime,
  IconFlask,
  IconGitCommit,
  IconRocket,
} from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { pathOf } from '../parts/environments.js';
import { formatInstant, msPerDay } from '../parts/time/wall-time.js';
import styles from './overview.module.css';
import { describeExperiment } from './words/describe-experiment.js';
import { describeProgress } from './words/describe-release.js';
import { shownBar } from './words/due-windows.js';
import { marksOf } from './words/publication-marks.js';

interface RowProps {
  readonly env: string;
  readonly scale: Scale;
}

interface TimelineRowProps {
  /** Of the kind of thing. */
  readonly icon: typeof IconRocket;
  readonly href: string;
  readonly name: string;
  readonly detail: string;
  readonly isWrong?: boolean;
  readonly scale: Scale;
  /** The bars. What they show is in the words, too. */
  readonly children: ReactNode;
}

function TimelineRow(props: TimelineRowProps) {
  const { icon: Icon, href, name, detail, isWrong = false, scale, children } = props;
  return (
    <li className={styles['row']}>
      <div className={styles['label']}>
        <Anchor component={Link} href={href} size="sm" fw={600}>
          {isWrong ? (
            <IconAlertTriangle size={14} aria-hidden className={styles['sign'] ?? ''} />
          ) : (
            <Icon size={14} aria-hidden className={styles['kind'] ?? ''} />
          )}
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      </div>
      <div className={styles['track']} aria-hidden>
        <Backdrop scale={scale} />
        <div className={styles['bars']}>{children}</div>
      </div>
    </li>
  );
}

export function ChangesRow({
  env,
  publications,
  scale,
}: RowProps & { readonly publications: readonly OverviewPublication[] }) {
  const marks = marksOf(publications, scale);
  const shown = marks.reduce((sum, { titles }) => sum + titles.length, 0);
  return (
    <TimelineRow
      href={`/activity?environment=${encodeURIComponent(env)}`}
      icon={IconGitCommit}
      name="Changes"
      detail={`went live: ${counted(shown, 'time')} in these days`}
      scale={scale}
    >
      {marks.map(({ atMs, titles }) => (
        <i
          key={atMs}
          className={styles['mark']}
          data-several={titles.length > 1}
          title={titles.join('\n')}
          style={{ left: `${percentOf(scale, atMs)}%` }}
        />
      ))}
    </TimelineRow>
  );
}

export function WindowRow({ env, line, scale }: RowProps & { readonly line: WindowLine }) {
  const { entry, conflicts } = line;
  const now = Date.now();
  const bar = shownBar(line, now);
  const times = bar === null ? '' : describeTimes(bar.occurrence, entry.local, now);
  const state = entry.live ? '' : `, ${describeState(entry)}`;
  const conflict = conflicts.length === 0 ? '' : `. Conflict: ${describeConflicts(conflicts)}`;
  return (
    <TimelineRow
      href={`${pathOf.content(env, entry.content, 'mapping')}?rule=${entry.rule}`}
      icon={IconCalendarTime}
      name={`${entry.segment} in ${entry.content}`}
      detail={`${times}${state}${conflict}`}
      isWrong={conflicts.length > 0}
      scale={scale}
    >
      <WindowBars line={line} scale={scale} />
    </TimelineRow>
  );
}

export function ReleaseRow({ env, line, scale }: RowProps & { readonly line: ReleaseLine }) {
  const { entry, conflicts } = line;
  const conflict = conflicts.length === 0 ? '' : `. Conflict: ${describeConflicts(conflicts)}`;
  return (
    <TimelineRow
      href={pathOf.release(env, entry.release)}
      icon={IconRocket}
      name={`#${entry.release} ${entry.title}`}
      detail={`${describeProgress(line, Date.now())}${conflict}`}
      isWrong={conflicts.length > 0}
      scale={scale}
    >
      <ReleaseBars line={line} scale={scale} />
    </TimelineRow>
  );
}

export function ExperimentRow({
  env,
  experiment,
  scale,
}: RowProps & { readonly experiment: OverviewExperiment }) {
  const { id, name, lead, startedAt, plannedDays } = experiment;
  const now = Date.now();
  const startMs = startedAt === null ? now : Date.parse(startedAt);
  const plannedMs = startMs + plannedDays * msPerDay;
  const title = `from ${formatInstant(startMs, now)}, planned until ${formatInstant(plannedMs, now)}`;
  return (
    <TimelineRow
      href={pathOf.experiment(env, id)}
      icon={IconFlask}
      name={name}
      detail={describeExperiment(experiment, now)}
      isWrong={lead?.health === 'broken' || lead?.health === 'warning'}
      scale={scale}
    >
      <div
        className={styles['planned']}
        title={title}
        style={placed(scale, { startMs, endMs: Math.max(plannedMs, now) })}
      />
      <div className={styles['ran']} title={title} style={placed(scale, { startMs, endMs: now })} />
    </TimelineRow>
  );
}
