/** The days around now: what became live, windows, releases and experiments, each linked to its place. */
import { Anchor } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Calendar } from '../../contract/operations/calendar.js';
import type { Overview } from '../../contract/operations/overview.js';
import { Axis } from '../calendar/axis.js';
import { useCalendar } from '../calendar/calendar-query.js';
import { rowsOf } from '../calendar/calendar-rows.js';
import { type Scale, scaleAround } from '../calendar/time-scale.js';
import { Loaded } from '../parts/data/loaded.js';
import { pathOf } from '../parts/environments.js';
import styles from './overview.module.css';
import { Nothing, Section } from './section.js';
import { ChangesRow, ExperimentRow, ReleaseRow, WindowRow } from './timeline-rows.js';
import { dueReleases, dueWindows } from './words/due-windows.js';

export interface OverviewTimelineProps {
  readonly env: string;
  readonly overview: Overview;
}

/** The timeline is for a glance: the rest is in the calendar and the lists. */
const rowsShownMax = 6;

export function OverviewTimeline({ env, overview }: OverviewTimelineProps) {
  // The days stay while the screen is open: another request at midnight would gain nothing.
  const [scale] = useState(() => scaleAround(Date.now()));
  const calendar = useCalendar(env, scale);
  return (
    <Section
      title="Timeline"
      more={
        <Anchor component={Link} href={pathOf.calendar(env)} size="sm">
          Calendar
        </Anchor>
      }
    >
      <div className={styles['board']}>
        <Axis scale={scale} />
        <ul className={styles['rows']}>
          {overview.publications.length > 0 && (
            <ChangesRow env={env} publications={overview.publications} scale={scale} />
          )}
        </ul>
        <Loaded query={calendar} label="Loading the calendar" rows={2} rowHeight={44}>
          {(loaded) => <CalendarRows env={env} calendar={loaded} scale={scale} />}
        </Loaded>
        <Experiments env={env} overview={overview} scale={scale} />
      </div>
    </Section>
  );
}

interface CalendarRowsProps {
  readonly env: string;
  readonly calendar: Calendar;
  readonly scale: Scale;
}

function CalendarRows({ env, calendar, scale }: CalendarRowsProps) {
  const { windows, releases } = useMemo(() => {
    const rows = rowsOf(calendar);
    return { windows: dueWindows(rows, Date.now()), releases: dueReleases(rows) };
  }, [calendar]);
  if (windows.length + releases.length === 0) {
    return <Nothing>No window opens and no release is due in these days.</Nothing>;
  }
  return (
    <>
      <ul className={styles['rows']} aria-label="Windows">
        {windows.slice(0, rowsShownMax).map((line) => (
          <WindowRow key={line.entry.id} env={env} line={line} scale={scale} />
        ))}
      </ul>
      <More count={windows.length - rowsShownMax} of="windows" href={pathOf.calendar(env)} />
      <ul className={styles['rows']} aria-label="Releases">
        {releases.slice(0, rowsShownMax).map((line) => (
          <ReleaseRow key={line.entry.id} env={env} line={line} scale={scale} />
        ))}
      </ul>
      <More count={releases.length - rowsShownMax} of="releases" href={pathOf.releases(env)} />
    </>
  );
}

interface ExperimentsProps extends OverviewTimelineProps {
  readonly scale: Scale;
}

function Experiments({ env, overview: { experiments }, scale }: ExperimentsProps) {
  const { total, list } = experiments;
  return (
    <>
      <ul className={styles['rows']} aria-label="Experiments">
        {list.slice(0, rowsShownMax).map((experiment) => (
          <ExperimentRow key={experiment.id} env={env} experiment={experiment} scale={scale} />
        ))}
      </ul>
      <More
        count={total - rowsShownMax}
        of="experiments"
        href={`${pathOf.experiments(env)}?state=running`}
      />
    </>
  );
}

interface MoreProps {
  readonly count: number;
  readonly of: string;
  readonly href: string;
}

function More({ count, of, href }: MoreProps) {
  if (count <= 0) return null;
  return (
    <Anchor component={Link} href={href} size="sm" className={styles['more'] ?? ''}>
      {count.toLocaleString('en')} more {of}
    </Anchor>
  );
}
