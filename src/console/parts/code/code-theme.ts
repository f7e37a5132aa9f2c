/** How CodeMirror looks in the console. The colours are variables of `code.module.css`, so both schemes follow. */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { styleNonce } from '../../theme.js';

const border = '1px solid var(--mantine-color-default-border)';

const theme = EditorView.theme({
  '&': { color: 'var(--mantine-color-text)', backgroundColor: 'transparent', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: 'var(--mantine-font-size-sm)',
    lineHeight: '1.55',
    overflow: 'auto',
  },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { background: 'var(--code-selection)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--code-active)' },
  '.cm-gutters': {
    backgroundColor: 'var(--code-gutter)',
    color: 'var(--code-comment)',
    borderRight: border,
  },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'var(--code-active)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer', padding: '0 3px' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--code-active)',
    border,
    color: 'var(--code-comment)',
    padding: '0 6px',
  },
  '.cm-key, .cm-key span': { color: 'var(--code-key)' },
  '.cm-matchingBracket, .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--code-bracket)',
    outline: '1px solid var(--code-bracket-edge)',
  },
  '&.cm-focused .cm-nonmatchingBracket': {
    backgroundColor: 'transparent',
    color: 'var(--code-error)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-searchMatch': { backgroundColor: 'var(--code-found)', outline: 'none' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--code-bracket-edge)' },
  '.cm-specialChar': { color: 'var(--code-error)' },
  '.cm-placeholder': { color: 'var(--code-comment)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border,
    borderRadius: 'var(--mantine-radius-sm)',
    boxShadow: 'var(--mantine-shadow-md)',
    maxWidth: 'min(480px, 90vw)',
  },
  '.cm-diagnostic': {
    fontFamily: 'var(--mantine-font-family)',
    fontSize: 'var(--mantine-font-size-sm)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--code-error)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--code-warning)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--code-error) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--code-warning) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker': { width: '0.85em', height: '0.85em' },
  '.cm-panels': {
    backgroundColor: 'var(--code-gutter)',
    color: 'var(--mantine-color-text)',
    fontFamily: 'var(--mantine-font-family)',
  },
  '.cm-panels.cm-panels-top': { borderBottom: border },
  '.cm-panels.cm-panels-bottom': { borderTop: border },
  '.cm-search-row': {
    padding: '6px 8px',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '4px',
  },
  '.cm-search-row .cm-textfield': { flex: '1 1 8em', minWidth: '0', maxWidth: '18em' },
  '.cm-search-row .cm-button[aria-pressed=true]': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--code-active)',
    borderColor: 'var(--mantine-primary-color-filled)',
    textDecoration: 'underline',
  },
  '.cm-search-count': {
    minWidth: '6em',
    fontSize: 'var(--mantine-font-size-sm)',
    textAlign: 'center',
  },
  '.cm-textfield': {
    height: '28px',
    minWidth: '8em',
    padding: '0 8px',
    fontSize: 'var(--mantine-font-size-sm)',
    fontFamily: 'var(--mantine-font-family-monospace)',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-default)',
    border,
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-button': {
    height: '28px',
    padding: '0 10px',
    fontSize: 'var(--mantine-font-size-sm)',
    color: 'var(--mantine-color-default-color)',
    backgroundColor: 'var(--mantine-color-default)',
    backgroundImage: 'none',
    border,
    borderRadius: 'var(--mantine-radius-sm)',
    cursor: 'pointer',
  },
  '.cm-button:hover': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '.cm-button:active': { backgroundImage: 'none' },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, .cm-panel button:focus-visible': {
    outline: '2px solid var(--mantine-primary-color-filled)',
    outlineOffset: '1px',
  },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--code-active)' },
});

export function codeTheme(): Extension {
  return [theme, EditorView.cspNonce.of(styleNonce())];
}
