import { cleanLine } from '@parley/terminal';
import { listFiles } from './list-files.ts';

/** After so long the list is read again, when somebody asks. */
const STALE_MS = 10_000;
const MAX_MATCHES = 8;

/** The files that can be named in a prompt. Read when first asked for, and kept for a while. */
export class FileIndex {
  readonly #directory: string;
  readonly #onLoaded: () => void;
  #files: readonly string[] = [];
  #loadedAt = Number.NEGATIVE_INFINITY;
  #isLoading = false;

  constructor(directory: string, onLoaded: () => void) {
    this.#directory = directory;
    this.#onLoaded = onLoaded;
  }

  /** The best matches so far; `onLoaded` is called when there may be better ones. */
  find(query: string): string[] {
    void this.#refresh();
    return rankFiles(this.#files, query, MAX_MATCHES);
  }

  async #refresh(): Promise<void> {
    if (this.#isLoading || performance.now() - this.#loadedAt < STALE_MS) return;
    this.#isLoading = true;
    // A name that could steer the terminal is not offered.
    this.#files = withFolders((await listFiles(this.#directory)).filter((path) => cleanLine(path) === path));
    this.#loadedAt = performance.now();
    this.#isLoading = false;
    this.#onLoaded();
  }
}

/** The files, and the folders that they are in, which end with a slash. */
export function withFolders(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders, ...files];
}

/** Best first: the name begins with the query, has it, the path has it, or has its letters in this order. */
export function rankFiles(files: readonly string[], query: string, limit: number): string[] {
  const wanted = query.toLowerCase();
  // Only the best are kept in order: nearly every file of a large repository may match.
  const best: { readonly path: string; readonly rank: number }[] = [];
  for (const path of files) {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank === undefined) continue;
    const place = best.findIndex(
      (other) => rank < other.rank || (rank === other.rank && path.length < other.path.length),
    );
    if (place < 0 && best.length >= limit) continue;
    best.splice(place < 0 ? best.length : place, 0, { path, rank });
    if (best.length > limit) best.pop();
  }
  return best.map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1);
  if (name.startsWith(wanted)) return 0;
  if (path.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  let place = -1;
  for (const letter of wanted) {
    place = path.indexOf(letter, place + 1);
    if (place < 0) return undefined;
  }
  return 4;
}
