/** Lists the paths of what is possible: depth first, in the order of the document, the elements of an array as one. */

import type { AbstractValue } from './abstract-value.js';
import { pathCharactersListedMax, pathsListedMax } from './envelope-limits.js';
import { TypeBit, typesOf } from './json-types.js';
import type { PathEnvelope } from './line-envelope.js';
import { pointerWith } from './pointer-with.js';
import { ValueGroup } from './value-group.js';

export interface PathListing {
  readonly paths: ReadonlyMap<string, PathEnvelope>;
  readonly isTruncated: boolean;
}

interface Listed {
  readonly path: string;
  readonly values: readonly AbstractValue[];
  readonly isAlwaysThere: boolean;
}

export function listPaths(root: AbstractValue): PathListing {
  const paths = new Map<string, PathEnvelope>();
  const waiting: Listed[] = [{ path: '', values: [root], isAlwaysThere: true }];
  let characters = 0;
  for (;;) {
    const next = waiting.pop();
    if (next === undefined) return { paths, isTruncated: false };
    characters += next.path.length;
    if (paths.size === pathsListedMax || characters > pathCharactersListedMax) {
      return { paths, isTruncated: true };
    }
    const group = new ValueGroup(next.values);
    paths.set(next.path, describe(next, group));
    pushBelow(next, group, waiting);
  }
}

function describe({ path, isAlwaysThere }: Listed, group: ValueGroup): PathEnvelope {
  const { types, min, max, texts } = group;
  return { path, types: typesOf(types), isAlwaysThere, min, max, texts: texts && [...texts] };
}

/** Last first, so that the first is next. */
function pushBelow(above: Listed, group: ValueGroup, waiting: Listed[]): void {
  const { members, elements } = group;
  const named = elements.length > 0 ? group.member(ELEMENTS) : null;
  for (let i = Math.min(members.length, pathsListedMax + 1) - 1; i >= 0; i--) {
    const member = members[i] as (typeof members)[number];
    const { name, values } = member;
    if (values.length === 0 || member === named) continue;
    const isAlwaysThere = above.isAlwaysThere && group.alwaysHas(member);
    waiting.push({ path: pointerWith(above.path, name), values, isAlwaysThere });
  }
  if (elements.length === 0) return;
  // A member of this name has the path of the elements.
  const values = named === null ? elements : [...elements, ...named.values];
  const isAlwaysThere = above.isAlwaysThere && group.types === TypeBit.array;
  waiting.push({ path: pointerWith(above.path, ELEMENTS), values, isAlwaysThere });
}

const ELEMENTS = '*';
