/** What became live last, with the reason that was given. */
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview, OverviewPublication } from '../../contract/operations/overview.js';
import { IconPointFilled } from '../icons/icons.js';
import { pathOf } from '../parts/environments.js';
import { When } from '../parts/time/when.js';
import { Line, Lines, Nothing, Section } from './section.js';
import { describePublication } from './words/describe-publication.js';

export interface LatestChangesProps {
  readonly env: string;
  readonly overview: Overview;
}

const shownMax = 5;

export function LatestChanges({ env, overview: { publications } }: LatestChangesProps) {
  return (
    <Section
      title="Latest changes"
      more={
        <Anchor
          component={Link}
          href={`/activity?environment=${encodeURIComponent(env)}`}
          size="sm"
        >
          Activity
        </Anchor>
      }
    >
      {publications.length === 0 && <Nothing>Nothing became live in the last week.</Nothing>}
      <Lines>
        {publications.slice(0, shownMax).map((publication) => (
          <PublicationLine key={publication.at} env={env} publication={publication} />
        ))}
      </Lines>
    </Section>
  );
}

interface PublicationLineProps {
  readonly env: string;
  readonly publication: OverviewPublication;
}

function PublicationLine({ env, publication }: PublicationLineProps) {
  const { at, author, note, contents } = publication;
  const [first] = contents;
  return (
    <Line
      icon={<IconPointFilled size={16} aria-hidden />}
      href={pathOf.content(env, first?.id ?? '', 'history')}
      name={first?.id ?? ''}
      text={describePublication(publication)}
      detail={
        <>
          <When at={at} span inherit />
          {author !== '' && `, saved by ${author}`}
          {note !== '' && `: ${note}`}
        </>
      }
    />
  );
}
