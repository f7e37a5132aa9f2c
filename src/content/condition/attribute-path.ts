/** Reads the attribute that a dotted path names. Only own properties count, so nothing inherited is ever found. */

/** Reads one attribute of an object; null when it is not there, as the condition dialect has it. */
export type AttributeReader = (subject: unknown) => unknown;

/** Compiles `a.b.0.c`: members of objects and elements of arrays. A name that holds a dot cannot be addressed. */
export function compilePath(path: string): AttributeReader {
  const names = path.split('.');
  const [first] = names;
  if (names.length === 1 && first !== undefined) return compileMember(first);
  const readers = names.map(compileMember);
  return (subject) => {
    let current = subject;
    for (const read of readers) {
      current = read(current);
      if (current === null) return null;
    }
    return current;
  };
}

/**
 * Whether a property is an own one is asked only of names that could be inherited. An attribute is read per rule and
 * request, and asking doubles what that takes.
 */
function compileMember(name: string): AttributeReader {
  if (isInherited(name)) {
    return (subject) =>
      isObject(subject) && Object.hasOwn(subject, name) ? (subject[name] ?? null) : null;
  }
  return (subject) => (isObject(subject) ? (subject[name] ?? null) : null);
}

/** What `JSON.parse` makes inherits from these two alone. */
function isInherited(name: string): boolean {
  return name in Object.prototype || name in Array.prototype;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
