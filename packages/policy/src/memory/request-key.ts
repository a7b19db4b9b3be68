import { isRecord } from '../request/record.ts';
import type { ToolRequest } from '../request/request.ts';
import { resolvePath } from '../workspace/paths.ts';

/**
 * One text for one request, different for every other: what is run or touched, and in which folder. Without `cwd` the key is
 * for the request in any folder, which only an answer with scope `user` uses.
 */
export function requestKey(request: ToolRequest, cwd: string | undefined): string {
  const folder = cwd === undefined ? '' : resolvePath(cwd, request.cwd ?? '.');
  const isKnown = request.command !== undefined || request.paths !== undefined || request.url !== undefined;
  return JSON.stringify([
    folder,
    request.tool,
    request.kind ?? '',
    request.command ?? null,
    request.paths ?? null,
    request.url ?? null,
    isKnown ? null : sortKeys(request.input, 0),
  ]);
}

/** The same JSON for the same data, whatever order its fields came in. */
function sortKeys(value: unknown, depth: number): unknown {
  if (depth > MAX_INPUT_DEPTH) return 'deeper';
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, depth + 1));
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortKeys(value[name], depth + 1)]),
  );
}

/** How deep a tool's input is compared. */
const MAX_INPUT_DEPTH = 32;
