/** Attributes of users: listed. */
import { attributePlacesShownMax } from '../../contract/limits.js';
import { type Attribute, listAttributes } from '../../contract/operations/attributes.js';
import { type Handler, handle } from '../http/handlers.js';
import { attributesShownMax } from '../limits/evaluation.js';
import { environmentUnknown } from '../store/edit-environment.js';
import type { KnownAttribute } from './environment-attributes.js';

export const attributeHandlers: readonly Handler[] = [
  handle(listAttributes, async ({ params: { env }, context }) => {
    const known = await context.attributes.list(env);
    if (known === null) return environmentUnknown(env);
    const names = [...known.byName.keys()].sort();
    return {
      attributes: names
        .slice(0, attributesShownMax)
        .map((name) => attributeJson(name, known.byName.get(name) as KnownAttribute)),
      cut: known.isCut || names.length > attributesShownMax,
    };
  }),
];

function attributeJson(
  name: string,
  { segments, contents, sampleUsers, lastSeenMs, values }: KnownAttribute,
): Attribute {
  return {
    name,
    segments: [...segments].slice(0, attributePlacesShownMax),
    contents: [...contents].slice(0, attributePlacesShownMax),
    sampleUsers: [...sampleUsers].slice(0, attributePlacesShownMax),
    lastSeen: lastSeenMs === null ? null : new Date(lastSeenMs).toISOString().slice(0, 10),
    values: values.map(([json, share]) => ({
      value: JSON.parse(json) as string | number | boolean,
      share: Number(share.toFixed(4)),
    })),
  };
}
