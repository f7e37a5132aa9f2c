/** The search of an editor: one row with a count of the hits, case, whole words, regular expressions, and replacing. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';

/** Hits that are counted: a letter in a megabyte has hundreds of thousands. */
const countedMax = 10_000;
const countAfterMs = 120;

type OptionName = 'caseSensitive' | 'wholeWord' | 'regexp';

/** Hits come to the middle of the editor. */
export function centredSearch(): Extension {
  return search({
    top: true,
    createPanel: (view) => new SearchPanel(view),
    scrollToMatch: (range) => EditorView.scrollIntoView(range, { y: 'center' }),
  });
}

class SearchPanel implements Panel {
  readonly dom: HTMLElement;
  readonly top = true;
  readonly #view: EditorView;
  readonly #query = textField('Find');
  readonly #replacement = textField('Replace with');
  readonly #options: Readonly<Record<OptionName, HTMLButtonElement>> = {
    caseSensitive: toggle('Case', 'Match case'),
    wholeWord: toggle('Words', 'Whole words'),
    regexp: toggle('.*', 'Regular expression'),
  };
  readonly #count = document.createElement('span');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.#view = view;
    this.#query.setAttribute('main-field', 'true');
    this.#count.className = 'cm-search-count';
    this.#count.setAttribute('role', 'status');
    this.dom = document.createElement('div');
    this.dom.className = 'cm-search cm-search-row';
    this.dom.setAttribute('role', 'search');
    this.dom.setAttribute('aria-label', 'Search in the text');
    this.dom.append(this.#query, this.#count, ...this.#steps(), ...this.#toggles());
    if (!view.state.readOnly) this.dom.append(this.#replacement, ...this.#replacing());
    this.dom.append(button('×', () => closeSearchPanel(view), 'Close the search'));
    this.dom.addEventListener('keydown', (event) => this.#keyDown(event));
    for (const field of [this.#query, this.#replacement]) {
      field.addEventListener('input', () => this.#commit());
    }
    this.#take(getSearchQuery(view.state));
    this.#countSoon();
  }

  mount(): void {
    this.#query.select();
  }

  update(update: ViewUpdate): void {
    const query = getSearchQuery(update.state);
    const isOther = !query.eq(getSearchQuery(update.startState));
    if (isOther && !query.eq(this.#typed())) this.#take(query);
    if (isOther || update.docChanged || update.selectionSet) this.#countSoon();
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }

  #steps(): readonly HTMLElement[] {
    return [
      button('↑', () => findPrevious(this.#view), 'Previous hit'),
      button('↓', () => findNext(this.#view), 'Next hit'),
    ];
  }

  #toggles(): readonly HTMLElement[] {
    const buttons = Object.values(this.#options);
    for (const option of buttons) {
      option.addEventListener('click', () => {
        option.ariaPressed = String(option.ariaPressed !== 'true');
        this.#commit();
      });
    }
    return buttons;
  }

  #replacing(): readonly HTMLElement[] {
    return [
      button('Replace', () => replaceNext(this.#view)),
      button('Replace all', () => replaceAll(this.#view)),
    ];
  }

  #take(query: SearchQuery): void {
    this.#query.value = query.search;
    this.#replacement.value = query.replace;
    for (const [name, option] of Object.entries(this.#options)) {
      option.ariaPressed = String(query[name as OptionName]);
    }
  }

  #typed(): SearchQuery {
    const { caseSensitive, wholeWord, regexp } = this.#options;
    return new SearchQuery({
      search: this.#query.value,
      replace: this.#replacement.value,
      caseSensitive: caseSensitive.ariaPressed === 'true',
      wholeWord: wholeWord.ariaPressed === 'true',
      regexp: regexp.ariaPressed === 'true',
    });
  }

  #commit(): void {
    const query = this.#typed();
    if (query.eq(getSearchQuery(this.#view.state))) return;
    this.#view.dispatch({ effects: setSearchQuery.of(query) });
  }

  #keyDown(event: KeyboardEvent): void {
    if (runScopeHandlers(this.#view, event, 'search-panel')) event.preventDefault();
    else if (event.key !== 'Enter') return;
    else if (event.target === this.#query) {
      event.preventDefault();
      (event.shiftKey ? findPrevious : findNext)(this.#view);
    } else if (event.target === this.#replacement) {
      event.preventDefault();
      replaceNext(this.#view);
    }
  }

  #countSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#count.textContent = countOf(this.#view.state);
    }, countAfterMs);
  }
}

function countOf(state: EditorState): string {
  const query = getSearchQuery(state);
  if (query.search === '') return '';
  if (!query.valid) return 'Not a regular expression';
  const { from, to } = state.selection.main;
  const cursor = query.getCursor(state);
  let [count, at] = [0, 0];
  for (let hit = cursor.next(); hit.done !== true && count < countedMax; hit = cursor.next()) {
    count++;
    if (hit.value.from === from && hit.value.to === to) at = count;
  }
  const total = count < countedMax ? String(count) : `more than ${countedMax - 1}`;
  if (count === 0) return 'No hits';
  return at === 0 ? `${total} ${count === 1 ? 'hit' : 'hits'}` : `${at} of ${total}`;
}

function textField(label: string): HTMLInputElement {
  const field = document.createElement('input');
  field.className = 'cm-textfield';
  field.placeholder = label;
  field.ariaLabel = label;
  field.spellcheck = false;
  field.autocapitalize = 'off';
  return field;
}

function button(text: string, onClick: () => void, label?: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'cm-button';
  made.textContent = text;
  if (label !== undefined) {
    made.ariaLabel = label;
    made.title = label;
  }
  made.addEventListener('click', onClick);
  return made;
}

function toggle(text: string, label: string): HTMLButtonElement {
  const made = button(text, () => {}, label);
  made.ariaPressed = 'false';
  return made;
}
