import type { PlanEntry } from '@parley/session';
import type { ToolDescription } from '../description/description.ts';
import { fillText } from '../invocation/templates.ts';
import { compilePath } from '../paths/compile-path.ts';
import { diffOf, locationsOf, planOf } from '../reading/read-values.ts';
import type { FileDiff } from '../reading/signal.ts';

/** What is known of one use of a tool from its name and what it is given. */
export interface ToolFacts {
  readonly kind?: string;
  readonly title?: string;
  readonly locations?: readonly string[];
  readonly diff?: FileDiff;
  /** The call is a plan, and shown as one. */
  readonly plan?: readonly PlanEntry[];
}

export type FindToolFacts = (name: string, input: unknown) => ToolFacts;

type ReadFacts = (input: unknown) => ToolFacts;

/** The field `tools` as a function; for tools that it does not know, what common names say. */
export function compileToolFacts(tools: Readonly<Record<string, ToolDescription>> = {}): FindToolFacts {
  const exact = new Map<string, ReadFacts>();
  const beginnings: { readonly beginning: string; readonly read: ReadFacts }[] = [];
  for (const [name, tool] of Object.entries(tools)) {
    if (name.endsWith('*')) beginnings.push({ beginning: name.slice(0, -1), read: compileFacts(tool) });
    else exact.set(name, compileFacts(tool));
  }
  return (name, input) => {
    const read = exact.get(name) ?? beginnings.find(({ beginning }) => name.startsWith(beginning))?.read;
    const known = read?.(input) ?? {};
    const kind = known.kind ?? guessKind(name);
    const locations = known.locations ?? (kind === undefined ? undefined : guessLocations(input));
    return { ...known, ...(kind !== undefined && { kind }), ...(locations && { locations }) };
  };
}

function compileFacts({ kind, title, locations, diff, plan }: ToolDescription): ReadFacts {
  const getLocations = locations === undefined ? undefined : compilePath(locations);
  const getPlan = plan === undefined ? undefined : compilePath(plan);
  const [getPath, getOld, getNew] = [diff?.path, diff?.old, diff?.new].map((path) =>
    path === undefined ? undefined : compilePath(path),
  );
  return (input) => {
    const files = locationsOf(getLocations?.(input, input));
    const changes = diffOf(getPath?.(input, input), getOld?.(input, input), getNew?.(input, input));
    const steps = planOf(getPlan?.(input, input));
    const words = title === undefined ? undefined : fillTitle(title, input);
    return {
      ...(kind !== undefined && { kind }),
      ...(words !== undefined && { title: words }),
      ...(files && { locations: files }),
      ...(changes && { diff: changes }),
      ...(steps.length > 0 && { plan: steps }),
    };
  };
}

/** Undefined while something that the title names is not known. */
function fillTitle(title: string, input: unknown): string | undefined {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const filled = fillText(title, values).replace(/\s+/g, ' ').trim();
  return /\{\{\s*[\w.]+\s*\}\}/.test(title) && filled === title.trim()
    ? undefined
    : filled.slice(0, MAX_TITLE) || undefined;
}

const MAX_TITLE = 200;

/** Words in the names of tools, the first that fits. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/think|todo|plan/i, 'think'],
  [/fetch|browse|web|http|url/i, 'fetch'],
  [/grep|glob|search|find|list|(^|_)ls$/i, 'search'],
  [/bash|shell|exec|command|terminal|(^|_)run/i, 'execute'],
  [/delete|remove/i, 'delete'],
  [/move|rename/i, 'move'],
  [/write|edit|patch|replace|create|insert/i, 'edit'],
  [/read|view|open|cat/i, 'read'],
];

function guessKind(name: string): string | undefined {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1];
}

const PATH_FIELDS = ['file_path', 'filePath', 'absolute_path', 'path'] as const;

function guessLocations(input: unknown): readonly string[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const field = PATH_FIELDS.find((name) => typeof (input as Readonly<Record<string, unknown>>)[name] === 'string');
  return field && locationsOf((input as Readonly<Record<string, unknown>>)[field]);
}
