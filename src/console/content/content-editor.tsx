/** The open content item: header, notices, tabs, and the bar that saves. */
import { Stack, Tabs } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useSearch } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import type { ValidationIssue } from '../../contract/problems.js';
import type { GuardInput } from '../../contract/schemas/guard.js';
import type { ChangeInput } from '../../contract/schemas/release.js';
import { useDraft } from '../draft/draft-context.js';
import { isOnlyForDrafts, type Jump, jumpToFound, placeOfIssue } from '../draft/issue-place.js';
import { Boundary } from '../parts/boundary.js';
import { counted } from '../parts/counted.js';
import { pathOf } from '../parts/environments.js';
import { foundPlaceOf } from '../parts/found-place.js';
import { notifyDone } from '../parts/notify.js';
import { Page } from '../parts/page.js';
import { Waiting } from '../parts/waiting.js';
import { AddToRelease } from '../releases/add/add-to-release.js';
import { CompareDialog } from './compare/compare-dialog.js';
import { ConflictDialog } from './conflict/conflict-dialog.js';
import styles from './content.module.css';
import { ContentHeader, HeaderMenu } from './content-header.js';
import { ContentNotices } from './content-notices.js';
import { contentTabs } from './content-tabs.js';
import { ViewDialog } from './history/view-dialog.js';
import { PublishDialog } from './save/publish-dialog.js';
import { NoteInput, SaveBar } from './save/save-bar.js';
import { useSaveState } from './save/save-state.js';
import { TextTab } from './text/text-tab.js';
import { useEditorCommands } from './use-editor-commands.js';

const MappingTab = lazy(async () => ({
  default: (await import('../mapping/mapping-tab.js')).MappingTab,
}));
const PreviewTab = lazy(async () => ({
  default: (await import('../preview/preview-tab.js')).PreviewTab,
}));
const ValuesTab = lazy(async () => ({
  default: (await import('./values/values-tab.js')).ValuesTab,
}));
const HistoryTab = lazy(async () => ({
  default: (await import('./history/history-tab.js')).HistoryTab,
}));
const SettingsTab = lazy(async () => ({
  default: (await import('./settings/settings-tab.js')).SettingsTab,
}));

/** Where the person who creates an item continues. */
const startOfText: Jump = { path: '', tab: 'text', appVersion: null, line: 1, column: 1 };

export interface ContentEditorProps {
  /** From the path; '' for the first. */
  readonly tab: string;
  readonly environments: readonly Environment[];
}

type Open = 'compare' | 'conflict' | 'publish' | 'release' | null;

export function ContentEditor({ tab, environments }: ContentEditorProps) {
  const { saved, state, change, validation, theirs, save, isDirty } = useDraft();
  const { draftReason, publishReason, directReason } = useSaveState();
  const newestReason = useRef(draftReason);
  newestReason.current = draftReason;
  const [, go] = useLocation();
  const search = useSearch();
  const shown = contentTabs.some(([name]) => name === tab) ? tab : 'text';
  const [open, setOpen] = useState<Open>(null);
  const { env, id, live, newest } = saved;
  const [found] = useState(() => foundPlaceOf(search));
  const isFoundHere = found?.revision === newest;
  const [jump, setJump] = useState<Jump | null>(() =>
    found !== null && isFoundHere ? jumpToFound(found) : newest === 0 ? { ...startOfText } : null,
  );
  // It was found in what is live, which this draft differs from.
  const [viewed, setViewed] = useState(isFoundHere ? null : found);
  const [note, setNote] = useState('');

  const show = (name: string): void => {
    const query = search === '' ? '' : `?${search}`;
    go(`${pathOf.content(env, id, name === 'text' ? '' : name)}${query}`);
  };
  const jumpTo = (issue: ValidationIssue): void => {
    const place = placeOfIssue(issue);
    setJump(place);
    show(place.tab);
  };
  /** Shows the guard of that path, in place of a second one. */
  const guardValue = (guard: GuardInput): void => {
    const known = state.guards.findIndex(({ path }) => path === guard.path);
    const index = known < 0 ? state.guards.length : known;
    if (known < 0) change({ guards: [...state.guards, guard] });
    jumpTo({ path: `guards[${index}].path`, message: '' });
  };
  const publish = (): void => {
    leaveField();
    if (directReason !== null) addToRelease();
    else setOpen((now) => now ?? 'publish');
  };
  const addToRelease = (): void => {
    leaveField();
    setOpen((now) => now ?? 'release');
  };
  /** The draft that goes into a release; null: it could not be saved. */
  const savedDraft = async (): Promise<readonly ChangeInput[] | null> => {
    const draft = isDirty ? await save({ publish: false, note }) : { revision: newest };
    if (draft === null) return null;
    setNote('');
    return [{ kind: 'content', id, revision: draft.revision }];
  };
  const saveDraft = async (): Promise<void> => {
    leaveField();
    if (newestReason.current !== null) return;
    const response = await save({ publish: false, note });
    if (response === null) return;
    setNote('');
    const issues = response.warnings.filter(isOnlyForDrafts).length;
    const toFix = issues === 0 ? '' : ` Fix ${counted(issues, 'error')} to publish.`;
    notifyDone(
      response.revision === response.live
        ? `Saved. Revision ${response.revision} stays live.`
        : `Saved as draft r${response.revision}. Players still get ${live === null ? 'nothing' : `r${live}`}.${toFix}`,
    );
  };
  useEditorCommands({
    ...{ publish, addToRelease, show },
    saveDraft: () => void saveDraft(),
    compare: () => setOpen((now) => now ?? 'compare'),
  });
  useHotkeys(
    open === null
      ? [
          ['mod+S', () => void saveDraft()],
          ['mod+Enter', publish],
        ]
      : [['mod+S', () => {}]],
    [],
    true,
  );

  const close = (): void => setOpen(null);
  return (
    <Page
      title={saved.id}
      heading={<ContentHeader />}
      actions={<HeaderMenu environments={environments} onCompare={() => setOpen('compare')} />}
    >
      <ContentNotices onConflict={() => setOpen('conflict')} />
      <Tabs
        value={shown}
        onChange={(name) => show(name ?? 'text')}
        keepMounted={false}
        keepMountedMode="display-none"
        className={styles['screen'] ?? ''}
      >
        <Tabs.List className={styles['tabs'] ?? ''}>
          {contentTabs.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* The text stays mounted while another tab is shown, and keeps its cursor and undo history. */}
        <Tabs.Panel value="text" pt="sm" keepMounted>
          <TextTab jump={jump} onJump={jumpTo} onGuard={guardValue} isShown={shown === 'text'} />
        </Tabs.Panel>
        <Lazy name="mapping">
          <MappingTab />
        </Lazy>
        <Lazy name="values">
          <ValuesTab onGuard={guardValue} />
        </Lazy>
        <Lazy name="preview">
          <PreviewTab />
        </Lazy>
        <Lazy name="history">
          <HistoryTab />
        </Lazy>
        <Lazy name="settings">
          <SettingsTab jump={jump} onJump={jumpTo} />
        </Lazy>
      </Tabs>
      <SaveBar
        note={note}
        onNote={setNote}
        onSave={() => void saveDraft()}
        onPublish={publish}
        onRelease={addToRelease}
        onConflict={() => setOpen('conflict')}
        onIssue={() => {
          const [first] = validation?.errors ?? [];
          if (first !== undefined) jumpTo(first);
        }}
      />
      {open === 'publish' && (
        <PublishDialog
          note={note}
          onNote={setNote}
          onClose={close}
          onRelease={() => setOpen('release')}
          onConflict={() => setOpen('conflict')}
          onPublished={() => {
            setNote('');
            close();
          }}
        />
      )}
      {open === 'release' && (
        <AddToRelease
          env={env}
          what={id}
          changes={savedDraft}
          disabledReason={publishReason}
          onClose={close}
        >
          {isDirty && <NoteInput label="Note" note={note} onNote={setNote} />}
        </AddToRelease>
      )}
      {open === 'compare' && <CompareDialog onClose={close} />}
      {viewed !== null && (
        <ViewDialog
          {...{ env, id }}
          number={viewed.revision}
          place={viewed}
          onClose={() => setViewed(null)}
        />
      )}
      {open === 'conflict' && theirs !== null && <ConflictDialog theirs={theirs} onClose={close} />}
    </Page>
  );
}

function Lazy({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <Tabs.Panel value={name} pt="sm">
      <Suspense fallback={<Waiting label="Loading" height={320} />}>
        <Boundary>
          <Stack>{children}</Stack>
        </Boundary>
      </Suspense>
    </Tabs.Panel>
  );
}

/**
 * Fields report what was typed when they lose the focus: a shortcut must not be faster than the last word. The page has rendered it
 * afterwards.
 */
function leaveField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || field === document.body) return;
  flushSync(() => field.blur());
  field.focus({ preventScroll: true });
}
