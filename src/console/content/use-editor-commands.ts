/** What the palette offers on the screen of a content item. */
import { useDraft } from '../draft/draft-context.js';
import { type Command, useCommands, useShortcuts } from '../palette/use-commands.js';
import { contentTabs } from './content-tabs.js';
import { useSaveState } from './save/save-state.js';

export interface EditorActs {
  readonly publish: () => void;
  readonly saveDraft: () => void;
  readonly addToRelease: () => void;
  readonly compare: () => void;
  /** @param tab its name in the path */
  readonly show: (tab: string) => void;
}

export function useEditorCommands(acts: EditorActs): void {
  const { saved, mayEdit } = useDraft();
  const { draftReason, publishReason, directReason } = useSaveState();
  const edits: readonly Command[] = [
    {
      name: 'Publish…',
      keywords: ['live', 'deploy'],
      shortcut: 'mod+Enter',
      disabledReason: publishReason ?? directReason,
      run: acts.publish,
    },
    {
      name: 'Save draft',
      shortcut: 'mod+S',
      disabledReason: draftReason,
      run: acts.saveDraft,
    },
    {
      name: 'Add to a release…',
      keywords: ['schedule', 'review'],
      disabledReason: publishReason,
      run: acts.addToRelease,
    },
  ];
  useCommands([
    ...(mayEdit ? edits : []),
    {
      name: 'Compare with live',
      keywords: ['diff'],
      disabledReason: saved.live === null ? 'Nothing is live yet.' : null,
      run: acts.compare,
    },
    ...contentTabs.map(([tab, label]) => ({
      name: `Show ${label}`,
      keywords: ['tab'],
      run: () => acts.show(tab),
    })),
  ]);
  useShortcuts(editorShortcuts);
}

const editorShortcuts = [
  { keys: ['mod+F'], does: 'Search in the text' },
  { keys: ['F8'], does: 'Go to the next error in the text' },
  { keys: ['Escape', 'Tab'], does: 'Leave the text: one after the other' },
];
