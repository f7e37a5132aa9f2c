/** Numbers objects by identity: query keys for states that may be megabytes long. */
const numbers = new WeakMap<object, number>();
let last = 0;

export function identityOf(value: object): number {
  const number = numbers.get(value) ?? ++last;
  numbers.set(value, number);
  return number;
}
