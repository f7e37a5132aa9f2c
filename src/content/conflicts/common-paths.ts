/** Where the paths that two mutations write meet: at a path of one that is also written, or lies below one, of the other. */

const indexToken = /^(?:0|[1-9][0-9]*)$/;

/**
 * The deeper path of each pair that meets, ascending. Two appends to one list do not meet, since both elements stay; an append
 * meets what is written to an element by its index.
 * @param a paths as `writtenPaths` gives them
 */
export function commonPaths(a: readonly string[], b: readonly string[]): readonly string[] {
  const common = new Set<string>();
  addBelow(a, new Set(b), common);
  addBelow(b, new Set(a), common);
  return [...common].sort();
}

/** Adds those of `paths` that are at or below one of `others`. */
function addBelow(paths: readonly string[], others: ReadonlySet<string>, to: Set<string>): void {
  for (const path of paths) {
    if (isAtOrBelow(path, others)) to.add(path);
  }
}

function isAtOrBelow(path: string, others: ReadonlySet<string>): boolean {
  if (others.has('')) return true;
  for (let start = 0; start >= 0 && path !== ''; ) {
    const next = path.indexOf('/', start + 1);
    const outer = next === -1 ? path : path.slice(0, next);
    const isAppend = next === -1 && outer.endsWith('/-');
    if (others.has(outer) && !isAppend) return true;
    if (indexToken.test(outer.slice(start + 1)) && others.has(`${outer.slice(0, start)}/-`)) {
      return true;
    }
    start = next;
  }
  return false;
}
