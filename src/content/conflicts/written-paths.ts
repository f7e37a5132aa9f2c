/**
 * Which paths of a document a mutation writes, as JSON Pointers. Everything below a path is written with it.
 *
 * Of a merge, a path leads to each value that it sets or removes, as if the containers above were objects. An insertion into a
 * list and a removal from it move the elements behind, so they write the whole list; an append (`/offers/-`) writes what it
 * appends. A `-` at the end always stands for an append: what writes a member of that name gives the object that holds it.
 */

import { escapeToken } from '../json/pointer-text.js';
import type { PatchOperation } from '../mutation/json-patch.js';
import { type JsonPointer, NOT_AN_INDEX } from '../mutation/json-pointer.js';
import type { MergePatch } from '../mutation/merge-patch.js';
import type { Mutation } from '../mutation/mutation.js';

/** The whole document. */
const wholeDocument = '';

const append = '-';

/** More than people compare. With more of them, the containers that hold them are given instead. */
const pathsMax = 1_000;

/** Ascending, none twice and none below another. */
export function writtenPaths(mutation: Mutation): readonly string[] {
  switch (mutation.kind) {
    case 'merge':
      return shortest(mergedPaths(mutation.patch));
    case 'patch':
      return shortest(mutation.operations.flatMap(patchedPaths));
    case 'replace':
      return [wholeDocument];
  }
}

/** Recurses no deeper than a mutation may nest. */
function mergedPaths(patch: MergePatch): string[] {
  const paths: string[] = [];
  const visit = ({ members }: MergePatch, at: string): void => {
    if (members === null || members.length === 0) {
      paths.push(at);
      return;
    }
    for (const { key, patch: below } of members) {
      const path = `${at}/${escapeToken(key.text)}`;
      if (key.text === append) paths.push(at);
      else if (below === null) paths.push(path);
      else visit(below, path);
    }
  };
  visit(patch, wholeDocument);
  return paths;
}

function patchedPaths(operation: PatchOperation): string[] {
  switch (operation.op) {
    case 'test':
      return [];
    case 'replace':
      return [replacedPath(operation.path)];
    case 'add':
    case 'copy':
      return [movingPath(operation.path)];
    case 'remove':
      return [removedPath(operation.path)];
    case 'move':
      return [removedPath(operation.from), movingPath(operation.path)];
  }
}

function replacedPath({ text }: JsonPointer): string {
  return text.endsWith(`/${append}`) ? text.slice(0, -1 - append.length) : text;
}

/** No element is removed by `-`: it is a member of that name. */
function removedPath(path: JsonPointer): string {
  return path.text.endsWith(`/${append}`) ? replacedPath(path) : movingPath(path);
}

/** A name that could be an index writes the list that it is in: it is known only with a document whether there is one. */
function movingPath({ text, tokens }: JsonPointer): string {
  const index = tokens.at(-1)?.index ?? NOT_AN_INDEX;
  return index >= 0 ? text.slice(0, text.lastIndexOf('/')) : text;
}

function shortest(paths: readonly string[]): readonly string[] {
  let kept = withoutInner(paths);
  const deepest = kept.reduce((most, path) => Math.max(most, path.split('/').length - 1), 0);
  for (let depth = deepest - 1; kept.length > pathsMax; depth--) {
    kept = withoutInner(kept.map((path) => path.split('/', depth + 1).join('/')));
  }
  return kept;
}

function withoutInner(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return [...all].filter((path) => !hasOuter(path, all)).sort();
}

function hasOuter(path: string, all: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    if (all.has(path.slice(0, end))) return true;
    if (end === 0) return false;
  }
  return false;
}
