/** Which items a sync begins with, where another screen asks for it. Kept for this page only, and used once. */

interface AskedChoice {
  readonly from: string;
  readonly to: string;
  readonly ids: readonly string[];
}

let asked: AskedChoice | null = null;

/** For the screen that is opened next. */
export function askForChoice(choice: AskedChoice): void {
  asked = choice;
}

/** Null: nothing was asked for this pair of environments. */
export function askedChoice(from: string, to: string): ReadonlySet<string> | null {
  return asked?.from === from && asked.to === to ? new Set(asked.ids) : null;
}

export function forgetChoice(): void {
  asked = null;
}
