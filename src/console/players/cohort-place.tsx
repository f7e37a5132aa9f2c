/** The content item and the place in it: chosen from what is there, or typed by users who may not see content. */
import { Autocomplete, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { plainOf } from '../../content/derive/plain-text.js';
import { fetchContents } from '../contents/contents-query.js';
import { contentKeyOf, fetchContent } from '../draft/content-query.js';
import { allPlaces, findPlaces } from '../mapping/grid/grid-model.js';
import { placeOption } from '../mapping/grid/place-option.js';
import { useSession } from '../session/session.js';

export interface CohortPlaceProps {
  readonly environment: string;
  readonly id: string;
  readonly path: string;
  readonly onId: (id: string) => void;
  readonly onPath: (path: string) => void;
  readonly errors: { readonly id: string | null; readonly path: string | null };
}

const optionsMax = 40;

export function CohortPlace({ environment, id, path, onId, onPath, errors }: CohortPlaceProps) {
  const ids = useIds(environment);
  const places = usePlacesOf(environment, ids.includes(id) ? id : null);
  const found = findPlaces(places, path, optionsMax);
  const words = new Map(found.map(({ pointer, words: shown }) => [pointer, shown]));
  return (
    <Group gap="sm" align="flex-start">
      <Autocomplete
        label="Content item"
        required
        value={id}
        onChange={onId}
        data={[...ids]}
        limit={optionsMax}
        error={errors.id}
        spellCheck={false}
        autoCapitalize="off"
        flex="1 1 200px"
      />
      <Autocomplete
        label="Place"
        description="A path such as /offers/0/price. Leave it empty for the whole value."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={path}
        onChange={onPath}
        data={found.map(({ pointer }) => pointer)}
        filter={({ options }) => options}
        renderOption={placeOption(words)}
        error={errors.path}
        spellCheck={false}
        autoCapitalize="off"
        flex="2 1 260px"
      />
    </Group>
  );
}

/** The role support sees no content: it types. */
function useMaySee(): boolean {
  return useSession().role !== 'support';
}

function useIds(environment: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ['environments', environment, 'contents', { all: 'present' }],
    queryFn: ({ signal }) => fetchContents(environment, false, signal),
    enabled: useMaySee(),
  });
  return useMemo(() => (data ?? []).map(({ id }) => id), [data]);
}

function usePlacesOf(environment: string, id: string | null) {
  const { data } = useQuery({
    queryKey: contentKeyOf(environment, id ?? ''),
    queryFn: ({ signal }) => fetchContent(environment, id ?? '', signal),
    enabled: useMaySee() && id !== null,
  });
  return useMemo(() => {
    const known = new Map<string, ReturnType<typeof allPlaces>[number]>();
    for (const { text } of data?.lines ?? []) {
      const plain = plainOf(text);
      for (const place of plain === null ? [] : allPlaces(plain)) known.set(place.pointer, place);
    }
    return [...known.values()];
  }, [data]);
}
