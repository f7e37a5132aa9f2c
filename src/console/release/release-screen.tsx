/** One release: loaded, or why it cannot be shown. */
import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { IconRocket } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { useRelease } from '../releases/release-queries.js';
import { ReleasePage } from './page/release-page.js';

export function ReleaseScreen() {
  const { env = '', release: number = '' } = useParams<{ env: string; release: string }>();
  const release = useRelease(env, Number(number));
  const { error, data } = release;
  if (data !== undefined) return <ReleasePage key={`${env}/${number}`} env={env} release={data} />;
  const isMissing = error instanceof ApiProblem && (error.status === 404 || error.status === 400);
  return (
    <Page title={`Release #${number}`}>
      {isMissing ? (
        <EmptyState
          icon={<IconRocket />}
          title="This release does not exist"
          action={
            <Button component={Link} href={pathOf.releases(env)}>
              All releases
            </Button>
          }
        >
          The number may be of another environment.
        </EmptyState>
      ) : (
        <Loaded query={release} label="Loading the release" rows={3} rowHeight={120}>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
}
