/** JSON with comments, to CodeMirror: colours, folding, indentation and which brackets close by themselves. */
import { javascriptLanguage } from '@codemirror/lang-javascript';
import {
  HighlightStyle,
  LanguageSupport,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { EditorState, type Extension, Prec, type Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

// JSON with comments and trailing commas is an expression of JavaScript; the marks reject anything beyond it.
const expression = javascriptLanguage.configure({ top: 'SingleExpression' }, 'jsonc');

const colours = HighlightStyle.define([
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-word)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.bracket, tags.operator], color: 'var(--code-punctuation)' },
]);

const key = Decoration.mark({ class: 'cm-key' });

/** To the grammar a key is a string like any other; only its place distinguishes it. */
const keys = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = keysIn(view);
    }
    update(update: ViewUpdate): void {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || isParsed) {
        this.decorations = keysIn(update.view);
      }
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function keysIn({ state, visibleRanges }: EditorView): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter({ name, node }) {
        if (name !== 'Property') return;
        const first = node.firstChild;
        // What is missing from a broken text stands in the tree with no length.
        if (first !== null && first.to > first.from && first.to >= from && first.from <= to) {
          ranges.push(key.range(first.from, first.to));
        }
      },
    });
  }
  return Decoration.set(ranges, true);
}

const brackets = { closeBrackets: { brackets: ['{', '[', '"'] } };

export function jsonc(): Extension {
  return [
    new LanguageSupport(expression),
    syntaxHighlighting(colours),
    keys,
    Prec.highest(EditorState.languageData.of(() => [brackets])),
  ];
}
