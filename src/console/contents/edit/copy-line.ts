/** What a copy of a content is sent as: the line of an import, a draft. */
import type { ContentState } from '../../draft/draft.js';

/** Mapping and schema are strings in it, so that they stay as they are spelled. */
export function copyLine(content: ContentState, id: string): string {
  const { lines, mapping, description, tags, schema } = content;
  return `${JSON.stringify({
    kind: 'content',
    id,
    description,
    tags,
    lines: lines.map(({ appVersion, text }) => ({ appVersion, text })),
    mapping: mapping.trim() === '[]' ? null : mapping,
    schema: schema.trim() === 'null' ? null : schema,
    live: false,
  })}\n`;
}
