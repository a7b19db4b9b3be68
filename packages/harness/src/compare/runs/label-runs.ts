import { HarnessError } from '../../errors.ts';

/** A file of results as it was named: `results.jsonl`, or `base=results.jsonl`. */
export interface NamedFile {
  readonly label: string;
  readonly path: string;
}

/** Gives every file a label of its own: the one that was given, or as much of its path as tells it from the others. */
export function labelRuns(words: readonly string[]): readonly NamedFile[] {
  const given = words.map((word) => {
    const [, label, path] = /^([^=/\\]+)=(.+)$/.exec(word) ?? [];
    return { label, path: path ?? word };
  });
  const taken = new Set<string>();
  for (const { label } of given) {
    if (label === undefined) continue;
    if (taken.has(label)) {
      throw new HarnessError('options_invalid', `Two runs are called "${label}"; give each a label of its own.`);
    }
    taken.add(label);
  }
  const unnamed = given.flatMap(({ label, path }) => (label === undefined ? [path] : []));
  return given.map(({ label, path }, index) => ({ label: label ?? free(shortest(path, unnamed), taken, index), path }));
}

/** The name of the file without its end, and as many folders before it as are needed. */
function shortest(path: string, all: readonly string[]): string {
  if (path === '-') return 'stdin';
  const parts = partsOf(path);
  const others = all.filter((other) => other !== path).map(partsOf);
  for (let count = 1; count <= parts.length; count++) {
    const label = parts.slice(-count).join('/');
    if (others.every((other) => other.slice(-count).join('/') !== label)) return label;
  }
  return parts.join('/');
}

function partsOf(path: string): readonly string[] {
  const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  const last = parts.at(-1) ?? path;
  return [...parts.slice(0, -1), last.replace(/(?<=.)\.(jsonl|ndjson|json)$/i, '')];
}

function free(label: string, taken: Set<string>, index: number): string {
  let found = label;
  for (let count = 2; taken.has(found); count++) found = `${label} (${count})`;
  if (found === '') found = `run ${index + 1}`;
  taken.add(found);
  return found;
}
