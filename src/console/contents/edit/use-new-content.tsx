/** Creates a content item: by the dialog that asks for its id, or from a file that is chosen there or dropped on the page. */
import { Overlay, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { contentKey } from '../../../content/content-id.js';
import { beginWithText } from '../../draft/recover-draft.js';
import { pathOf } from '../../parts/environments.js';
import { notifyFailed } from '../../parts/notify.js';
import styles from '../contents.module.css';
import { fetchContents } from '../contents-query.js';
import { contentIdIssue } from './content-id-issue.js';
import { contentSlugOfFile } from './content-slug.js';
import { type ChosenFile, NewContent } from './new-content.js';
import { textOfFile, UnreadableFile } from './text-of-file.js';
import { useFileDrop } from './use-file-drop.js';

interface Asked {
  readonly proposed: string;
  readonly file: ChosenFile | null;
}

export interface NewContentWays {
  /** @param proposed the id is derived from it */
  ask(proposed: string): void;
  /** The dialog, and the overlay while a file is held over the page. */
  readonly shown: ReactNode;
}

/**
 * @param taken existing ids; null: still loading
 * @param mayCreate whether files are accepted
 */
export function useNewContent(
  env: string,
  taken: ReadonlySet<string> | null,
  mayCreate: boolean,
): NewContentWays {
  const [, go] = useLocation();
  const [asked, setAsked] = useState<Asked | null>(null);
  const open = (id: string, file: ChosenFile | null): void => {
    if (file !== null) beginWithText(env, id, file.text);
    go(`${pathOf.content(env, id)}?new`);
    window.scrollTo(0, 0);
  };
  const take = async (files: readonly File[]): Promise<void> => {
    const [first] = files;
    if (first === undefined) return;
    if (files.length > 1) throw new UnreadableFile('Drop one file at a time.');
    const file = { name: first.name, text: await textOfFile(first) };
    const id = contentSlugOfFile(first.name);
    // The user decides about an id that is taken, deleted or invalid; what they typed stays.
    if (asked !== null) setAsked({ ...asked, file });
    else if (await isFree(id)) open(id, file);
    else setAsked({ proposed: id, file });
  };
  const isFree = async (id: string): Promise<boolean> => {
    if (taken === null || contentIdIssue(id, taken) !== null) return false;
    const deleted = await fetchContents(env, true);
    return !deleted.some((one) => contentKey(one.id) === contentKey(id));
  };
  const takeFiles = (files: readonly File[]): void => void take(files).catch(notifyFailed);
  const isOver = useFileDrop(mayCreate, takeFiles);
  return {
    ask: (proposed) => setAsked({ proposed, file: null }),
    shown: (
      <>
        {isOver && (
          <Overlay fixed zIndex={300} className={styles['drop'] ?? ''}>
            <Text fw={600}>Drop a .json or .jsonc file to create a content item from it</Text>
          </Overlay>
        )}
        {asked !== null && (
          <NewContent
            env={env}
            taken={taken ?? noIds}
            {...asked}
            onFile={(file) => takeFiles([file])}
            onOpen={open}
            onClose={() => setAsked(null)}
          />
        )}
      </>
    ),
  };
}

const noIds: ReadonlySet<string> = new Set();
