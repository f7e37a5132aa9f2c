/** The saved segments of an environment with the sources of their conditions, and attributes worth offering. */
import { useQuery } from '@tanstack/react-query';
import { requestText } from '../api/call.js';
import { elementSources, memberSources, sourceAt } from '../api/raw-json.js';

export interface SavedSegment {
  readonly name: string;
  readonly description: string;
  /** JSON source. */
  readonly when: string;
}

/** In order of their names. */
export function useSavedSegments(env: string) {
  return useQuery({
    queryKey: ['environments', env, 'segments', { as: 'sources' }],
    queryFn: ({ signal }) => askSegments(env, signal),
    staleTime: 30_000,
  });
}

async function askSegments(env: string, signal: AbortSignal): Promise<SavedSegment[]> {
  const found: SavedSegment[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page: string = await requestText(
      'GET /environments/:env/segments',
      { params: { env }, query: { after } },
      signal,
    );
    for (const source of elementSources(sourceAt(page, ['segments']) ?? '[]') ?? []) {
      const members = memberSources(source);
      found.push({
        name: textOf(members?.get('name')),
        description: textOf(members?.get('description')),
        when: members?.get('when') ?? '{}',
      });
    }
    after = (JSON.parse(sourceAt(page, ['next']) ?? 'null') ?? null) as string | null;
  }
  return found;
}

function textOf(source: string | undefined): string {
  const value: unknown = JSON.parse(source ?? '""');
  return typeof value === 'string' ? value : '';
}

const attributeName = /"([^"$@\\][^"\\]*)"\s*:/g;

/** Attributes that conditions of the environment ask for already. */
export function attributesIn(conditions: readonly string[]): string[] {
  const names = new Set<string>();
  for (const source of conditions) {
    for (const [, name] of source.matchAll(attributeName)) if (name !== undefined) names.add(name);
  }
  return [...names].sort();
}
