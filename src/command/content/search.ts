/** `loadout search`: finds text in live and draft content. */
import { Command } from 'commander';
import { searchHitsDefault, searchHitsMax } from '../../contract/limits.js';
import type { SearchHit, SearchResults } from '../../contract/operations/search/search-content.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { printNote } from '../terminal/output.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';

interface SearchOptions extends EnvironmentOptions {
  readonly limit: number;
  readonly after?: string;
}

export function searchCommand(): Command {
  return withEnvironment(new Command('search'))
    .description('find text in keys and values of live and draft content, and of targeting rules')
    .argument('<text>', 'what to look for; upper and lower case are the same')
    .option('--limit <number>', 'hits to print', wholeNumber(1, searchHitsMax), searchHitsDefault)
    .option('--after <next>', 'go on where a search ended: `next` of its --json')
    .action(search);
}

const columns: readonly Column<SearchHit>[] = [
  { title: 'CONTENT', text: ({ content }) => content },
  { title: 'STATE', text: ({ state, revision }) => `${state} r${revision}` },
  { title: 'IN', text: ({ appVersion, rule }) => appVersion ?? `rule ${rule?.segment ?? ''}` },
  { title: 'LINE', text: ({ line }) => String(line) },
  { title: 'PATH', text: ({ path }) => path },
  { title: 'FOUND', text: ({ match, snippet }) => (match === 'key' ? `key ${snippet}` : snippet) },
];

async function search(text: string, options: SearchOptions): Promise<void> {
  const { env, limit, after } = options;
  const response = await openClient(options).request('GET /environments/:env/search', {
    params: { env },
    query: { q: text, limit, after },
  });
  printResponse(options, response, ({ value }) =>
    formatTable(columns, value.hits, 'No text contains it.'),
  );
  const note = noteOn(response.value);
  if (note !== null) printNote(note);
}

/** Null: everything was searched. */
function noteOn({ next, timedOut }: SearchResults): string | null {
  if (next === null) return null;
  return timedOut
    ? `Not everything was searched in the time that a search has. Go on with --after ${next}`
    : `There are more hits. Go on with --after ${next}`;
}
