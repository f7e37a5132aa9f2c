/** Reads and writes CSV (RFC 4180), separated by comma, semicolon or tab, whichever the first line has. Pure. */

export interface CsvField {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Where it begins, from 1. */
  readonly line: number;
}

const separators = ['\t', ';', ','];
const needsQuotes = /[",;\r\n\t]|^\s|\s$/;
/** A spreadsheet would take it for a formula. */
const formula = /^[=+\-@]/;
const figure = /^-?\d/;

/** Rows without empty lines. A quote that is never closed ends with the text. */
export function readCsv(text: string): readonly (readonly CsvField[])[] {
  const [head = ''] = text.split('\n', 1);
  const separator = separators.find((one) => head.includes(one)) ?? ',';
  const rows: CsvField[][] = [];
  let row: CsvField[] = [];
  let line = 1;
  for (let at = 0; at <= text.length; ) {
    const startLine = line;
    let field = '';
    const isQuoted = text[at] === '"';
    if (isQuoted) {
      at++;
      while (at < text.length && (text[at] !== '"' || text[at + 1] === '"')) {
        if (text[at] === '"') at++;
        if (text[at] === '\n') line++;
        field += text[at++];
      }
      at++;
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\n') field += text[at++];
    if (field.endsWith('\r')) field = field.slice(0, -1);
    row.push({ text: field, isQuoted, line: startLine });
    if (at < text.length && text[at] === separator) {
      at++;
      continue;
    }
    if (row.length > 1 || field !== '') rows.push(row);
    row = [];
    line++;
    at++;
  }
  return rows;
}

/** Lines ended by CR LF; what a spreadsheet would take for a formula begins with a quote mark. */
export function writeCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}

function fieldOf(value: string | number | null): string {
  if (value === null) return '';
  const plain = String(value);
  const text = formula.test(plain) && !figure.test(plain) ? `'${plain}` : plain;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
