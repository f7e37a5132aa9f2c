/** Reads the attribute that a dotted path names. Only own properties count, so nothing inherited is ever found. */

/** Reads one attribute of an object; null when it is not there, as the condition dialect has it. */
export type AttributeReader = (subject: unknown) => unknown;

/** Compiles `a.b.0.c`: members of objects and elements of arrays. A name that holds a dot cannot be addressed. */
export function compilePath(path: string): AttributeReader {
  const names = path.split('.');
  const [first] = names;
  if (names.length === 1 && first !== undefined) return (subject) => member(subject, first);
  return (subject) => {
    let current = subject;
    for (const name of names) {
      current = member(current, name);
      if (current === null) return null;
    }
    return current;
  };
}

function member(subject: unknown, name: string): unknown {
  if (typeof subject !== 'object' || subject === null || !Object.hasOwn(subject, name)) return null;
  return (subject as Record<string, unknown>)[name] ?? null;
}
