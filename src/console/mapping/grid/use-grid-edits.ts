/** Edits of the grid: of a variant's value in the targeting, or of everybody's value in the text. Each can be undone. */
import { useRef, useState } from 'react';
import type { PlainValue, Tokens } from '../../../content/derive/plain-value.js';
import { setCell, type WantedValue, writeMutation } from '../../../content/derive/set-cell.js';
import { removePlace, setPlace } from '../../../content/derive/set-place.js';
import { useDraft } from '../../draft/draft-context.js';
import { prettyJson } from '../../parts/code/pretty-json.js';
import { useRule } from '../rules/rule-handle.js';
import type { MutationKind } from '../rules/rule-view.js';
import type { GridArm, GridLine } from './grid-model.js';
import { describeConversion, describePlace, describeWanted } from './grid-words.js';

export interface GridNotice {
  readonly message: string;
  /** The form of the change is another now, or nothing was changed. */
  readonly isImportant: boolean;
}

export interface GridEdits {
  readonly notice: GridNotice | null;
  readonly mayUndo: boolean;
  readonly setArm: (arm: GridArm, base: PlainValue, tokens: Tokens, wanted: WantedValue) => void;
  readonly setBase: (line: GridLine, tokens: Tokens, wanted: WantedValue) => void;
  /** Gives the arm another change altogether. */
  readonly setMutation: (arm: GridArm, kind: MutationKind, source: string) => void;
  readonly undo: () => void;
}

const width = 72;
const undosMax = 100;

export function useGridEdits(): GridEdits {
  const { edit } = useRule();
  const { changeText } = useDraft();
  const [notice, setNotice] = useState<GridNotice | null>(null);
  const undos = useRef<(() => boolean)[]>([]);
  const [undoCount, setUndoCount] = useState(0);
  const remember = (undo: () => boolean): void => {
    undos.current = [...undos.current.slice(1 - undosMax), undo];
    setUndoCount(undos.current.length);
  };
  /** Takes an edit of the mapping back, unless something else was edited since. */
  const rememberMapping = (before: string, after: string): void =>
    remember(() => {
      let isDone = false;
      edit((now) => {
        isDone = now === after;
        return isDone ? before : now;
      });
      return isDone;
    });
  const say = (message: string, isImportant = false): void => setNotice({ message, isImportant });

  const setArm: GridEdits['setArm'] = (arm, base, tokens, wanted) => {
    edit((mapping, rule) => {
      const result = setCell(mapping, {
        ...{ rule, variant: arm.variant, base, tokens, wanted },
        layOut: (source) => prettyJson(source, width),
      });
      if (result.kind === 'issue') {
        say(`${describePlace(tokens)} of ${arm.name} stays as it is: ${result.reason}`, true);
        return mapping;
      }
      if (result.mapping === mapping) return mapping;
      rememberMapping(mapping, result.mapping);
      const words = `${describePlace(tokens)} of ${arm.name} ${describeWanted(wanted)}.`;
      const { converted } = result;
      say(
        converted === null ? words : `${words} ${describeConversion(converted, arm.name)}`,
        converted !== null,
      );
      return result.mapping;
    });
  };
  const setMutation: GridEdits['setMutation'] = (arm, kind, source) => {
    edit((mapping, rule) => {
      const { variant, name } = arm;
      const written = writeMutation(mapping, { rule, variant }, { kind, source });
      rememberMapping(mapping, written);
      say(`The change of ${name} was derived from the text.`);
      return written;
    });
  };
  const setBase: GridEdits['setBase'] = ({ appVersion, text }, tokens, wanted) => {
    const changed =
      wanted.kind === 'value' ? setPlace(text, tokens, wanted.source) : removePlace(text, tokens);
    if (changed === null) {
      say(`${describePlace(tokens)} has no place in the text yet. Add it in the Text tab.`, true);
      return;
    }
    if (changed === text) return;
    changeText(appVersion, changed);
    remember(() => {
      changeText(appVersion, text);
      return true;
    });
    say(`${describePlace(tokens)} ${describeWanted(wanted)} in the text of version ${appVersion}.`);
  };
  const undo = (): void => {
    const last = undos.current.at(-1);
    if (last === undefined) return;
    undos.current = undos.current.slice(0, -1);
    setUndoCount(undos.current.length);
    if (last()) say('The last edit is undone.');
    else say('The last grid edit cannot be undone, because the rules were edited after it.', true);
  };
  return { notice, mayUndo: undoCount > 0, setArm, setBase, setMutation, undo };
}
