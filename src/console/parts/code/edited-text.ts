/** What a view is given that shows a text as something other than text, such as a table: the text stays the only state. */
export interface EditedTextProps {
  readonly text: string;
  readonly readOnly: boolean;
  /** JSON Pointer of the value that was opened last; null: none was. */
  readonly pointer: string | null;
  readonly onPointer: (pointer: string) => void;
  readonly onText: (text: string) => void;
  readonly onUndo: () => boolean;
  readonly onRedo: () => boolean;
  /** Shows the text at a place, both from 1. */
  readonly onGoTo: (line: number, column: number) => void;
}
