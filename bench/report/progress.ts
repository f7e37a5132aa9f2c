/** Says on one line what is going on, for people who wait; a log gets every line. '' takes the line away. */
export function progressLine(line: string): void {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r\x1b[K${line.slice(0, stderr.columns - 1)}`);
  else if (line !== '') stderr.write(`${line}\n`);
}
