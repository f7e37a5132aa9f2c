/** Drafts that do not wait for the user: those of others, and those that a release takes. */
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../contract/operations/overview.js';
import { DraftLine } from './needs-you.js';
import { Lines, Nothing, Section } from './section.js';
import { draftsPath } from './words/overview-sides.js';

export interface OtherDraftsProps {
  readonly env: string;
  readonly overview: Overview;
}

const shownMax = 5;

export function OtherDrafts({ env, overview: { drafts } }: OtherDraftsProps) {
  const others = drafts.list.filter(({ mine, release }) => !mine || release !== null);
  return (
    <Section
      title="Drafts"
      more={
        drafts.total > 0 && (
          <Anchor component={Link} href={draftsPath(env)} size="sm">
            All {drafts.total.toLocaleString('en')}
          </Anchor>
        )
      }
    >
      {others.length === 0 && <Nothing>No drafts of others.</Nothing>}
      <Lines>
        {others.slice(0, shownMax).map((draft) => (
          <DraftLine key={`${draft.kind} ${draft.name}`} env={env} draft={draft} />
        ))}
      </Lines>
    </Section>
  );
}
