/** The two sides of a content item side by side: version lines, targeting, flags, description, tags and schema. */
import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Content } from '../../contract/operations/contents.js';
import type { SyncedContent } from '../../contract/operations/sync.js';
import type { RevisionState } from '../../contract/schemas/revision-state.js';
import { requestText } from '../api/call.js';
import { sourceAt } from '../api/raw-json.js';
import { flagLines } from '../merge/part-accordion.js';
import { DiffView, type DiffViewProps } from '../parts/code/diff-view.js';
import { formatJsonc } from '../parts/code/format-jsonc.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useSyncSides } from './sync-sides.js';

export interface SyncTextsProps {
  readonly change: SyncedContent;
}

export function SyncTexts({ change }: SyncTextsProps) {
  const { source, target } = useSyncSides();
  const { id, fromRevision, toRevision, lines, mapping, flags, about } = change;
  const sides = useQuery({
    queryKey: ['sync-texts', source.id, target.id, id, fromRevision, toRevision],
    queryFn: async () => {
      const [there, here] = await Promise.all([
        loadSide(source.id, id, fromRevision, about.length > 0),
        loadSide(target.id, id, toRevision, about.length > 0 && toRevision !== null),
      ]);
      return { there, here };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (sides.error !== null) {
    return <ProblemAlert error={sides.error} onRetry={() => void sides.refetch()} />;
  }
  if (sides.data === undefined) {
    return <Loader size="sm" role="status" aria-label="Loading the texts" />;
  }
  const { there, here } = sides.data;
  const labels = {
    beforeLabel: `Now in ${target.name}${toRevision === null ? '' : ` r${toRevision}`}`,
    afterLabel: `From ${source.name} r${fromRevision}`,
    maxRows: 24,
  };
  return (
    <Stack gap="md">
      {lines.map(({ appVersion }) => (
        <Compared
          key={appVersion}
          title={`Text of app version line ${appVersion}`}
          before={here.texts.get(appVersion) ?? ''}
          after={there.texts.get(appVersion) ?? ''}
          {...labels}
        />
      ))}
      {mapping !== 'same' && (
        <Compared title="Targeting" before={here.mapping} after={there.mapping} {...labels} />
      )}
      {flags !== 'same' && (
        <Compared title="Flags" before={here.flags} after={there.flags} {...labels} />
      )}
      {about.length > 0 && (
        <Compared title="About it" before={here.about} after={there.about} {...labels} />
      )}
    </Stack>
  );
}

function Compared({ title, ...diff }: DiffViewProps & { readonly title: string }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <DiffView {...diff} />
    </div>
  );
}

interface Side {
  readonly texts: ReadonlyMap<string, string>;
  readonly mapping: string;
  readonly flags: string;
  readonly about: string;
}

const nothing: Side = { texts: new Map(), mapping: '', flags: '', about: '' };

/** @param number null: nothing is live on that side */
async function loadSide(
  env: string,
  id: string,
  number: number | null,
  withAbout: boolean,
): Promise<Side> {
  if (number === null) return nothing;
  const params = { env, id, revision: String(number) };
  const [revision, content] = await Promise.all([
    requestText('GET /environments/:env/contents/:id/revisions/:revision', { params }),
    withAbout ? requestText('GET /environments/:env/contents/:id', { params: { env, id } }) : '',
  ]);
  const { lines, flags } = JSON.parse(revision) as RevisionState;
  return {
    texts: new Map(lines.map(({ appVersion, text }) => [appVersion, text])),
    mapping: mappingText(sourceAt(revision, ['mapping']) ?? '[]'),
    flags: flagLines(flags),
    about: content === '' ? '' : aboutText(content),
  };
}

/** No rules are the empty text, not "[]", so that added rules are all new. */
function mappingText(source: string): string {
  const text = formatJsonc(source);
  return text.trim() === '[]' ? '' : text;
}

function aboutText(content: string): string {
  const { description, tags } = JSON.parse(content) as Content;
  const schema = sourceAt(content, ['schema']) ?? 'null';
  return [
    `description: ${description}`,
    `tags: ${tags.join(', ')}`,
    `schema: ${schema === 'null' ? 'none' : formatJsonc(schema)}`,
  ].join('\n');
}
