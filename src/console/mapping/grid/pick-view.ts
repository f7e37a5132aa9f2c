/** A CodeMirror view of a text that cannot be changed, in which a value is picked by a click or by Enter. */
import { defaultKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { Tokens } from '../../../content/derive/plain-value.js';
import { tokensOf } from '../../../content/json/pointer-text.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import {
  nodeAt,
  parseTextTree,
  pointerOf,
  type TextTree,
} from '../../../content/json/text-tree.js';
import { jsonc } from '../../parts/code/code-language.js';
import { codeTheme } from '../../parts/code/code-theme.js';
import { counted } from '../../parts/counted.js';

export interface PickedPlace {
  readonly tokens: Tokens;
  /** What is there, such as `4.99`. */
  readonly words: string;
  /** It is a scalar, which a click picks at once; of an object or list the cursor only says which one it is in. */
  readonly isScalar: boolean;
}

export interface PickViewOptions {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  /** The cursor is in another value; null: in none. */
  readonly onMove: (place: PickedPlace | null) => void;
  readonly onPick: (tokens: Tokens) => void;
}

/** The caller destroys it. */
export function showPickView(parent: HTMLElement, options: PickViewOptions): EditorView {
  const { text, label, onMove, onPick } = options;
  // In positions of the document, where each line break counts as one.
  const shown = EditorState.create({ doc: text }).doc.toString();
  const tree = parseTextTree(shown);
  const placeAt = (offset: number): PickedPlace | null =>
    tree instanceof TextIssue ? null : pickedPlace(tree, shown, offset);
  const pickAtCursor = (view: EditorView): boolean => {
    const place = placeAt(view.state.selection.main.head);
    if (place !== null) onPick(place.tokens);
    return true;
  };
  const extensions = [
    jsonc(),
    codeTheme(),
    // A text that is editable shows its cursor; that the state is read-only keeps every key from changing it.
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({
      // The dialog would focus its first button otherwise.
      'data-autofocus': 'true',
      'aria-label': label,
      'aria-readonly': 'true',
      spellcheck: 'false',
      tabindex: '0',
    }),
    lineNumbers(),
    highlightActiveLine(),
    bracketMatching(),
    search({ top: true }),
    Prec.high(keymap.of([{ key: 'Enter', run: pickAtCursor }])),
    keymap.of([...searchKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(({ state, selectionSet }) => {
      if (selectionSet) onMove(placeAt(state.selection.main.head));
    }),
    EditorView.domEventHandlers({
      click: (event, view) => {
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const isSelecting = !view.state.selection.main.empty;
        const place = offset === null || isSelecting ? null : placeAt(offset);
        if (place?.isScalar === true) onPick(place.tokens);
      },
    }),
  ];
  onMove(placeAt(0));
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

function pickedPlace(tree: TextTree, text: string, offset: number): PickedPlace | null {
  const node = nodeAt(tree, offset);
  const tokens = node === null ? null : tokensOf(pointerOf(node));
  if (node === null || tokens === null) return null;
  const isScalar = node.kind !== 'object' && node.kind !== 'array';
  const count = node.children.length;
  const noun = node.kind === 'object' ? 'member' : 'element';
  const words = isScalar ? text.slice(node.start, node.end) : counted(count, noun);
  return { tokens, words, isScalar };
}
