import type { Problem } from '../validation/problem.ts';
import { broken, type Path } from './broken.ts';
import { firstProblem } from './paths.ts';

/** What names and reaches an MCP server; the schema lets each of them be empty. */
const SERVER_FIELDS = ['name', 'command', 'url', 'serverId'] as const;

/** An MCP server has no empty name, command or address. */
export function checkServerFields(server: object, path: Path): Problem | undefined {
  const fields = server as Readonly<Record<string, unknown>>;
  const empty = SERVER_FIELDS.find((name) => fields[name] === '');
  return empty === undefined ? undefined : broken([...path, empty], 'a non-empty string', 'an empty string');
}

/** A person must have something to choose from, and an answer must name one choice. */
export function checkOptions(options: readonly { readonly optionId: string }[]): Problem | undefined {
  if (options.length === 0) return broken(['options'], 'at least one option', 'an empty list');
  const ids = new Set<string>();
  return firstProblem(options, ({ optionId }, index) => {
    if (ids.has(optionId)) return broken(['options', index, 'optionId'], 'an id of its own', 'one used before');
    ids.add(optionId);
    return undefined;
  });
}
