/** The state of an environment at a glance: a row of facts, each a link to where it comes from. */
import { Anchor } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Rejections } from '../../contract/operations/health/rejections.js';
import type { Overview } from '../../contract/operations/overview.js';
import { useCalendar } from '../calendar/calendar-query.js';
import { rowsOf } from '../calendar/calendar-rows.js';
import { scaleAround } from '../calendar/time-scale.js';
import { formatPercent } from '../health/number-format.js';
import {
  IconAlertTriangle,
  IconCalendarTime,
  IconCircleCheck,
  IconFileCode,
  IconFlask,
  IconGitCompare,
  IconHandStop,
  IconPencil,
  IconRocket,
} from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { pathOf } from '../parts/environments.js';
import styles from './overview.module.css';
import { useRejections } from './overview-queries.js';
import { useEnvironmentNames } from './use-environment-names.js';
import { dueWindows, isOpen } from './words/due-windows.js';
import { describeDrift, draftsPath, syncPath } from './words/overview-sides.js';

export interface StateRowProps {
  readonly env: string;
  readonly overview: Overview;
}

interface State {
  readonly href: string;
  readonly text: string;
  readonly icon: typeof IconRocket;
  /** It needs attention: said by its icon, too. */
  readonly isWrong?: boolean;
}

export function StateRow({ env, overview }: StateRowProps) {
  const nameOf = useEnvironmentNames();
  const rejections = useRejections(env).data;
  const openWindows = useOpenWindows(env);
  const { contents, drafts, drift, webhooks } = overview;
  const states: (State | null)[] = [
    {
      href: pathOf.contents(env),
      text: `${counted(contents.live, 'content item')} live`,
      icon: IconFileCode,
    },
    openWindows === null || openWindows === 0
      ? null
      : {
          href: pathOf.calendar(env),
          text: `${counted(openWindows, 'window')} open`,
          icon: IconCalendarTime,
        },
    ...releaseStates(env, overview),
    experimentState(env, overview),
    rejections === undefined ? null : rejectedState(rejections),
    webhooks === null || webhooks.total === 0
      ? null
      : { href: '/webhooks', text: `${counted(webhooks.total, 'webhook')} failing`, ...wrong },
    ...drift.map((one) => ({
      href: syncPath(one),
      text: describeDrift(env, one, nameOf),
      icon: IconGitCompare,
    })),
    drafts.mine === 0
      ? null
      : {
          href: draftsPath(env),
          text: `${counted(drafts.mine, 'draft')} of yours`,
          icon: IconPencil,
        },
  ];
  return (
    <ul className={styles['states']} aria-label="State">
      {states
        .filter((state) => state !== null)
        .map((state) => (
          <li key={state.text}>
            <StateLink {...state} />
          </li>
        ))}
    </ul>
  );
}

function StateLink({ href, text, icon: Icon, isWrong = false }: State) {
  const shared = { href, className: styles['state'] ?? '', 'data-wrong': isWrong, size: 'sm' };
  const words = (
    <>
      <Icon size={16} aria-hidden />
      {text}
    </>
  );
  // A place on this page is the browser's to find, which moves the focus, too.
  if (href.startsWith('#')) return <Anchor {...shared}>{words}</Anchor>;
  return (
    <Anchor component={Link} {...shared}>
      {words}
    </Anchor>
  );
}

const wrong = { icon: IconAlertTriangle, isWrong: true } as const;

function releaseStates(env: string, { releases }: Overview): State[] {
  const { active, waiting } = releases;
  const inState = (...states: string[]): number =>
    active.list.filter(({ state }) => states.includes(state)).length;
  const [ramping, scheduled] = [inState('ramping', 'paused'), inState('scheduled')];
  const path = pathOf.releases(env);
  return [
    ...(ramping === 0
      ? []
      : [{ href: path, text: `${counted(ramping, 'release')} ramping`, icon: IconRocket }]),
    ...(scheduled === 0
      ? []
      : [
          {
            href: `${path}?state=scheduled`,
            text: `${counted(scheduled, 'release')} scheduled`,
            icon: IconRocket,
          },
        ]),
    ...(waiting.total === 0
      ? []
      : [
          {
            href: '#needs-you',
            text: `${counted(waiting.total, 'release')} waiting for you`,
            icon: IconHandStop,
          },
        ]),
  ];
}

function experimentState(env: string, { experiments: { total, list } }: Overview): State | null {
  if (total === 0) return null;
  const bad = list.filter(({ lead }) => lead?.health === 'broken' || lead?.health === 'warning');
  const text = `${counted(total, 'experiment')} running`;
  const href = `${pathOf.experiments(env)}?state=running`;
  return bad.length === 0
    ? { href, text, icon: IconFlask }
    : { href, text: `${text}, ${bad.length} to look at`, ...wrong };
}

function rejectedState({ requests, rejected, state }: Rejections): State | null {
  if (requests === 0) return null;
  const share = formatPercent(rejected / requests);
  const text = rejected === 0 ? 'No requests rejected' : `${share} of requests rejected`;
  return state === 'healthy'
    ? { href: '/health', text, icon: IconCircleCheck }
    : { href: '/health', text, ...wrong };
}

/** Null: not known. */
function useOpenWindows(env: string): number | null {
  const [scale] = useState(() => scaleAround(Date.now()));
  const { data } = useCalendar(env, scale);
  return useMemo(() => {
    if (data === undefined) return null;
    const now = Date.now();
    return dueWindows(rowsOf(data), now).filter((line) => isOpen(line, now)).length;
  }, [data]);
}
