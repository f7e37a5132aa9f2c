/** Made once: `toLocaleString` looks its locale up with each call. */
const numbers = new Intl.NumberFormat('en');

/** A number with its noun: `1 user`, `1,000 users`. */
export function counted(count: number, noun: string): string {
  return `${numbers.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
