/** What the palette lists. Pure. */
import type { Names } from '../../contract/operations/search/names.js';
import type { User } from '../../contract/schemas/user.js';
import { pathOf } from '../parts/environments.js';
import type { Command } from './use-commands.js';

export type EntryKind =
  | 'command'
  | 'page'
  | 'environment'
  | 'content'
  | 'rule'
  | 'segment'
  | 'experiment'
  | 'release'
  | 'person'
  | 'search';

/** Something to go to or to do. */
export interface Entry {
  readonly kind: EntryKind;
  readonly name: string;
  /** Beside the name: where it is, or its state. */
  readonly detail: string;
  /** More that finds it. */
  readonly words: string;
  readonly act: { readonly path: string } | { readonly run: () => void };
  /** In the notation of `useHotkeys`. */
  readonly shortcut?: string | undefined;
  readonly disabledReason?: string | null;
  /** It has edits in this tab that are not saved. */
  readonly isUnsaved?: boolean;
}

/** A place that the frame of the console knows: a page, or another environment. */
export interface Target {
  readonly kind: 'page' | 'environment';
  readonly name: string;
  readonly detail: string;
  readonly path: string;
}

/** Different for any two entries that are listed together. */
export function keyOfEntry({ kind, name, act }: Entry): string {
  return `${kind} ${'path' in act ? act.path : ''} ${name}`;
}

export function entryOfCommand(command: Command): Entry {
  const { name, keywords = [], shortcut, disabledReason = null, run } = command;
  const words = keywords.join(' ');
  return { kind: 'command', name, detail: '', words, act: { run }, shortcut, disabledReason };
}

export function entryOfTarget({ kind, name, detail, path }: Target): Entry {
  return { kind, name, detail, words: '', act: { path } };
}

/**
 * What there is in an environment: content items first, then their rules, then all else.
 * @param unsaved ids of content items with unsaved edits, in lower case
 */
export function entriesOfNames(env: string, names: Names, unsaved: ReadonlySet<string>): Entry[] {
  const contents = names.contents.map(({ id, tags, live, newest }): Entry => {
    const detail = live === null ? 'not published' : live < newest ? 'draft' : '';
    const act = { path: pathOf.content(env, id) };
    const isUnsaved = unsaved.has(id.toLowerCase());
    return { kind: 'content', name: id, detail, words: tags.join(' '), act, isUnsaved };
  });
  const rules = names.contents.flatMap(({ id, rules: all }) =>
    all.map(({ rule, segment, info, attributes }): Entry => {
      const act = { path: `${pathOf.content(env, id, 'mapping')}?rule=${rule}` };
      const words = [id, info ?? '', ...attributes].join(' ');
      return { kind: 'rule', name: segment, detail: `in ${id}`, words, act };
    }),
  );
  const segments = names.segments.map(({ name, description }): Entry => {
    const act = { path: pathOf.segment(env, name) };
    return { kind: 'segment', name, detail: '', words: description, act };
  });
  const experiments = names.experiments.map(({ id, name, state }): Entry => {
    const act = { path: pathOf.experiment(env, id) };
    return { kind: 'experiment', name: name === '' ? id : name, detail: state, words: id, act };
  });
  const releases = names.releases.map(({ release, title, state }): Entry => {
    const act = { path: pathOf.release(env, release) };
    return { kind: 'release', name: title, detail: `#${release}, ${state}`, words: '', act };
  });
  return [...contents, ...rules, ...segments, ...experiments, ...releases];
}

export function entryOfUser({ name, role }: Pick<User, 'name' | 'role'>): Entry {
  return { kind: 'person', name, detail: role, words: '', act: { path: '/people' } };
}
