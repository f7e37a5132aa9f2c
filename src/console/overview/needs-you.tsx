/** What waits for the user: unsaved edits, releases, drafts. */

import { useState } from 'react';
import type {
  Overview,
  OverviewDraft,
  WaitingRelease,
} from '../../contract/operations/overview.js';
import { listStored, type UnsavedEdit } from '../draft/stored-draft.js';
import { IconHandStop, IconPencil, IconRocket } from '../icons/icons.js';
import { pathOf } from '../parts/environments.js';
import { timeAgo } from '../parts/time/time-ago.js';
import { When } from '../parts/time/when.js';
import { useSession } from '../session/session.js';
import { AndMore, Line, Lines, Nothing, Section } from './section.js';
import { describeWaiting } from './words/describe-release.js';
import { draftsPath } from './words/overview-sides.js';

export interface NeedsYouProps {
  readonly env: string;
  readonly overview: Overview;
}

const draftsShownMax = 5;
const releasesShownMax = 8;

export function NeedsYou({ env, overview }: NeedsYouProps) {
  const { name } = useSession();
  // Typing happens on other screens: what is stored does not change while this one is shown.
  const [unsaved] = useState(() => listStored(name, env));
  const { waiting } = overview.releases;
  // A release brings them live; it waits by itself.
  const drafts = overview.drafts.list.filter(({ mine, release }) => mine && release === null);
  const shownDrafts = drafts.slice(0, draftsShownMax);
  const shownReleases = waiting.list.slice(0, releasesShownMax);
  const isEmpty = unsaved.length + shownReleases.length + shownDrafts.length === 0;
  return (
    <Section id="needs-you" title="Needs you">
      {isEmpty && <Nothing>Nothing waits for you here.</Nothing>}
      <Lines>
        {unsaved.map((edit) => (
          <UnsavedLine key={edit.id} env={env} edit={edit} />
        ))}
        {shownReleases.map((release) => (
          <WaitingLine key={release.release} env={env} release={release} />
        ))}
        {shownDrafts.map((draft) => (
          <DraftLine key={`${draft.kind} ${draft.name}`} env={env} draft={draft} />
        ))}
      </Lines>
      <AndMore
        count={waiting.total - shownReleases.length + drafts.length - shownDrafts.length}
        href={waiting.total > shownReleases.length ? pathOf.releases(env) : draftsPath(env)}
      />
    </Section>
  );
}

function UnsavedLine({ env, edit }: { readonly env: string; readonly edit: UnsavedEdit }) {
  const at = new Date(edit.at).toISOString();
  return (
    <Line
      icon={<IconPencil size={16} aria-hidden />}
      href={pathOf.content(env, edit.id)}
      name={edit.id}
      text={`has unsaved edits of yours in this tab, from ${timeAgo(at, Date.now())}`}
    />
  );
}

function WaitingLine({ env, release }: { readonly env: string; readonly release: WaitingRelease }) {
  return (
    <Line
      icon={
        release.waitsFor === 'approve' ? (
          <IconHandStop size={16} aria-hidden />
        ) : (
          <IconRocket size={16} aria-hidden />
        )
      }
      href={pathOf.release(env, release.release)}
      name={`#${release.release} ${release.title}`}
      text={describeWaiting(release)}
    />
  );
}

export function DraftLine({ env, draft }: { readonly env: string; readonly draft: OverviewDraft }) {
  const { kind, name, revision, live, author, mine, note, savedAt, release } = draft;
  const path = kind === 'content' ? pathOf.content(env, name) : pathOf.segment(env, name);
  const ofWhom = mine ? 'of yours' : `by ${author}`;
  const place = release === null ? '' : `, in release #${release}`;
  const change = live === null ? 'nothing is live' : `r${live} is live`;
  return (
    <Line
      icon={<IconPencil size={16} aria-hidden />}
      href={path}
      name={name}
      text={
        <>
          {kind === 'segment' && 'segment, '}draft r{revision} {ofWhom}
          {place}; {change}
        </>
      }
      detail={
        <>
          <When at={savedAt} span inherit />
          {note !== '' && `: ${note}`}
        </>
      }
    />
  );
}
