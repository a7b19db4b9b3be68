/** The paths that hold all letters of the query in their order; best first: its name begins so, its name holds it, its path does. */
export function matchFiles(paths: readonly string[], query: string, limit: number): readonly string[] {
  const wanted = query.toLowerCase();
  const found: { readonly path: string; readonly rank: number }[] = [];
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) found.push({ path, rank });
  }
  found.sort(
    (one, other) => one.rank - other.rank || one.path.length - other.path.length || (one.path < other.path ? -1 : 1),
  );
  return found.slice(0, limit).map(({ path }) => path);
}

function rankOf(path: string, query: string): number | undefined {
  if (query === '') return path.split('/').length;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(query)) return 0;
  if (name.includes(query)) return 1;
  if (path.includes(query)) return 2;
  let at = 0;
  for (const letter of query) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return undefined;
  }
  return 3;
}
