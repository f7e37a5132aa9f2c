/** Text in live and draft content: searched. */
import { z } from 'zod';
import {
  searchCursorCharsMax,
  searchHitsDefault,
  searchHitsMax,
  searchSnippetCharsMax,
  searchTextCharsMax,
} from '../../limits.js';
import { operation } from '../../operation.js';
import { environmentParams, pageLimit } from '../../schemas/common.js';
import { storable } from '../../schemas/storable.js';

const tag = 'search';

const searchHitSchema = z
  .object({
    content: z.string().describe('Id of the content.'),
    state: z
      .enum(['live', 'draft', 'both'])
      .describe('What has it. `both`: the same text is live and in the draft.'),
    revision: z.int().describe('Number of the live revision, or of the draft.'),
    part: z.enum(['text', 'mapping']),
    appVersion: z
      .string()
      .nullable()
      .describe('Version line of the text, such as `1.4.0`; null in the mapping.'),
    rule: z
      .object({ rule: z.int(), segment: z.string() })
      .nullable()
      .describe('Place from 0 and name of the rule in the mapping; null in a text.'),
    path: z.string().describe('JSON Pointer (RFC 6901) to the value; of a key, to its member.'),
    match: z
      .enum(['key', 'value'])
      .describe('Whether the key of the member contains it, or the value.'),
    line: z.int().describe('In the stored text, from 1.'),
    column: z.int().describe('In the line, from 1, in UTF-16 code units.'),
    snippet: z
      .string()
      .describe(
        `The key, the characters of the string, or the number, \`true\`, \`false\` or \`null\` as written; of a long one, ${searchSnippetCharsMax} characters around the match.`,
      ),
    at: z.int().describe('Where the match begins in the snippet, in UTF-16 code units.'),
    length: z.int().describe('Of the match, in UTF-16 code units.'),
  })
  .register(z.globalRegistry, { id: 'SearchHit' });

export type SearchHit = z.output<typeof searchHitSchema>;

export const searchContent = operation('GET /environments/:env/search', {
  tag,
  operationId: 'searchContent',
  description:
    'Finds text in the live and the newest texts and mappings of an environment: in keys, strings, numbers and words, not in comments. Upper and lower case are the same. Each key or value that contains the text is one hit, in the order of content ids, live before draft.',
  role: 'viewer',
  head: false,
  params: environmentParams,
  query: z.object({
    q: storable(z.string().min(1).max(searchTextCharsMax)).describe(
      'What to look for, as it is: nothing in it has a special meaning.',
    ),
    after: z
      .string()
      .max(searchCursorCharsMax)
      .optional()
      .describe('`next` of the response before, with the same `q`.'),
    limit: pageLimit('Hits', searchHitsMax, searchHitsDefault),
  }),
  responses: {
    200: z
      .object({
        hits: z.array(searchHitSchema),
        next: z
          .string()
          .nullable()
          .describe('Give it as `after` to go on; null: everything was searched.'),
        timedOut: z
          .boolean()
          .describe('The search stopped because it took too long: `next` goes on from there.'),
      })
      .register(z.globalRegistry, { id: 'SearchResults' }),
  },
  problems: ['too_costly', 'overloaded'],
});

export type SearchResults = z.output<(typeof searchContent)['responses'][200]>;
