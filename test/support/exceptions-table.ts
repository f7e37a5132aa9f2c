/** Tables in Markdown of what holds for whom: "yes", or the number of a note that says what is otherwise. */

export type Cells = readonly string[];

export function table(head: Cells, rows: readonly Cells[]): string {
  const line = (cells: Cells): string => `| ${cells.join(' | ')} |`;
  return `${[head, head.map(() => '---'), ...rows].map(line).join('\n')}\n`;
}

/** The notes of one page, numbered from 1 in the order in which cells first name them. */
export class Notes {
  readonly #notes: string[] = [];

  /** @param why undefined: there is no exception */
  cell(why: string | undefined): string {
    if (why === undefined) return 'yes';
    if (!this.#notes.includes(why)) this.#notes.push(why);
    return String(this.#notes.indexOf(why) + 1);
  }

  list(): string {
    return `${this.#notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`;
  }
}
