/** CodeMirror's two ways of showing a difference, apart from React: side by side, or one text with both. */
import { defaultKeymap } from '@codemirror/commands';
import { goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { jsonc } from './code-language.js';
import { codeTheme } from './code-theme.js';
import { centredSearch } from './search-panel.js';

export interface DiffSides {
  readonly before: string;
  readonly after: string;
  readonly beforeLabel: string;
  readonly afterLabel: string;
}

export interface DiffForm {
  /** One text with both, instead of two beside each other. */
  readonly isUnified: boolean;
  /** Long lines go on below. */
  readonly isWrapped: boolean;
  /** With what is the same, too. */
  readonly isWhole: boolean;
}

const collapseUnchanged = { margin: 3, minSize: 5 };
// Beyond, the lines are still right, and only what is marked within them is coarser.
const diffConfig = { scanLimit: 1_000, timeout: 300 };

const theme = EditorView.theme({
  '&': { height: 'auto' },
  '.cm-changedLine, &.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': {
    backgroundColor: 'var(--code-added)',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--code-removed)' },
  '.cm-changedText, &.cm-merge-b .cm-changedText': { background: 'var(--code-added-text)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, &.cm-merge-b .cm-deletedText': {
    background: 'var(--code-removed-text)',
  },
  '.cm-insertedLine, .cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  '.cm-deletedChunk': { paddingLeft: '8px' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--code-error)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--edge-added)' },
  '.cm-collapsedLines': {
    color: 'var(--mantine-color-text)',
    background: 'var(--code-gutter)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: 'var(--mantine-font-size-xs)',
    padding: '4px 8px',
    borderBlock: '1px solid var(--mantine-color-default-border)',
    textAlign: 'center',
    cursor: 'pointer',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
});

/** Shows it in `parent`; the function that is returned takes it away. */
export function showDiff(parent: HTMLElement, sides: DiffSides, as: DiffForm): () => void {
  const collapsed = as.isWhole ? {} : { collapseUnchanged };
  const wrapping = as.isWrapped ? EditorView.lineWrapping : [];
  if (as.isUnified) {
    const extensions = [
      readOnlyExtensions(`${sides.beforeLabel} and ${sides.afterLabel}`),
      wrapping,
      unifiedMergeView({
        original: sides.before,
        mergeControls: false,
        allowInlineDiffs: false,
        ...collapsed,
        diffConfig,
      }),
    ];
    const view = new EditorView({ parent, doc: sides.after, extensions });
    return () => view.destroy();
  }
  const view = new MergeView({
    parent,
    a: { doc: sides.before, extensions: [readOnlyExtensions(sides.beforeLabel), wrapping] },
    b: { doc: sides.after, extensions: [readOnlyExtensions(sides.afterLabel), wrapping] },
    ...collapsed,
    diffConfig,
  });
  return () => view.destroy();
}

function readOnlyExtensions(label: string): Extension {
  return [
    jsonc(),
    codeTheme(),
    theme,
    centredSearch(),
    highlightSelectionMatches(),
    drawSelection(),
    lineNumbers(),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': 'true',
      tabindex: '0',
    }),
    EditorState.phrases.of({ '$ unchanged lines': '$ lines are the same' }),
    keymap.of([
      { key: 'n', run: goToNextChunk },
      { key: 'p', run: goToPreviousChunk },
      ...searchKeymap,
      ...defaultKeymap,
    ]),
  ];
}
