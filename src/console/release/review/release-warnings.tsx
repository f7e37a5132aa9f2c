/** Every open warning of what a release changes, above the button that lets it go on. */
import { Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReleaseWarnings as Warnings } from '../../../contract/operations/releases/releases.js';
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { IssueAlert } from '../../findings/issue-alert.js';
import { describeMappingIssue } from '../../mapping/mapping-issues.js';

export interface ReleaseWarningsProps {
  readonly env: string;
  readonly release: Pick<Release, 'release' | 'version'>;
}

export function ReleaseWarnings({ env, release: { release, version } }: ReleaseWarningsProps) {
  const { data, error } = useQuery({
    queryKey: ['environments', env, 'releases', release, 'warnings', version],
    queryFn: ({ signal }) =>
      request(
        'GET /environments/:env/releases/:release/warnings',
        { params: { env, release: String(release) } },
        signal,
      ),
    refetchOnWindowFocus: false,
  });
  if (error !== null) {
    return (
      <Text size="sm" role="alert">
        It could not be checked for warnings: {error.message}
      </Text>
    );
  }
  if (data === undefined) {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Checking it for warnings…</Text>
      </Group>
    );
  }
  return <WarningsOf {...data} />;
}

function WarningsOf({ items, cut }: Warnings) {
  const issues = items.flatMap(({ kind, id, warnings }) =>
    warnings.map(({ path, message }) => ({
      key: `${kind} ${id} ${path} ${message}`,
      text: (
        <>
          <b>{kind === 'segment' ? `segment ${id}` : id}</b>:{' '}
          {path.startsWith('mapping') ? describeMappingIssue(path, message) : message}
        </>
      ),
    })),
  );
  return <IssueAlert severity="warning" issues={issues} isCut={cut} />;
}
