import type { ToolKind } from '@parley/protocol';
import type { Decision } from '../judge/decision.ts';
import type { Place, Remembered, RememberedWhat, RememberScope } from '../memory/remembered.ts';
import { requestKey } from '../memory/request-key.ts';
import type { ToolRequest } from '../request/request.ts';
import { showText } from '../shell/check-text.ts';

/** What a lasting answer leaves behind. */
export interface ToRemember {
  readonly scope: RememberScope;
  readonly what: RememberedWhat;
  readonly shown: string;
}

/** A lasting answer, and the request that it is about. */
export interface LastingAnswer {
  readonly request: ToolRequest;
  /** Why the person was asked. */
  readonly decision: Pick<Decision, 'canRemember'>;
  readonly isAllow: boolean;
  readonly scope: RememberScope;
  /** The folder that the request is for. */
  readonly cwd: string;
}

/**
 * What may be remembered of a lasting answer: exactly this request, so nothing where the request cannot be identified. An approval is
 * remembered only where the person could see all of the request, and where no rule or protected file asks every time.
 */
export function whatToRemember(answer: LastingAnswer): ToRemember | undefined {
  const { request, decision, isAllow, scope, cwd } = answer;
  const shown = describeRequest(request, cwd);
  if (isAllow && (!decision.canRemember || shown.length > MAX_SHOWN_CHARS)) return undefined;
  const key = requestKey(request, scope === 'user' ? undefined : cwd);
  return key === undefined ? undefined : { scope, what: { type: 'exact', key }, shown };
}

/** The entry to store for a chosen option; nothing for "once", or where session or project are not known. */
export function rememberedFrom(
  chosen: { readonly isAllow: boolean; readonly remember?: ToRemember },
  entry: { readonly id: string; readonly createdAt: string; readonly place: Place },
): Remembered | undefined {
  if (chosen.remember === undefined) return undefined;
  const { scope, what, shown } = chosen.remember;
  const belongsTo = scope === 'session' ? entry.place.sessionId : scope === 'project' ? entry.place.project : undefined;
  if (scope !== 'user' && belongsTo === undefined) return undefined;
  return {
    id: entry.id,
    effect: chosen.isAllow ? 'allow' : 'deny',
    scope,
    what,
    shown,
    createdAt: entry.createdAt,
    ...(belongsTo === undefined ? {} : { belongsTo }),
    ...(scope === 'session' && entry.place.agent !== undefined && { agent: entry.place.agent }),
    ...(scope === 'session' && entry.place.project !== undefined && { folder: entry.place.project }),
  };
}

/** What a request does, in the words of the request itself; this is what "always" is about. */
export function describeRequest(request: ToolRequest, cwd?: string): string {
  const { command } = request;
  if (command?.type === 'line') return quote(command.line);
  if (command?.type === 'arguments')
    return quote(command.words.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : JSON.stringify(word))).join(' '));
  const name = request.tool || request.kind || 'this tool';
  if (request.paths !== undefined) {
    const paths = request.paths.map((path) => showText(shorten(path, cwd))).join(', ');
    const words = WORDS_OF_KIND[request.kind ?? 'other'];
    return words === undefined ? `${name} on ${paths}` : `${words} ${paths}`;
  }
  if (request.url !== undefined)
    return request.kind === 'fetch' ? `fetching ${showText(request.url)}` : `${name} of ${showText(request.url)}`;
  return request.input === undefined ? name : `${name} with ${showText(JSON.stringify(request.input) ?? '')}`;
}

/** What is done to files, for people who do not know the names of tools. */
const WORDS_OF_KIND: { readonly [Kind in ToolKind]?: string } = {
  read: 'reading',
  edit: 'changes to',
  delete: 'deleting',
  move: 'moving',
};

function shorten(path: string, cwd: string | undefined): string {
  return cwd !== undefined && cwd !== '/' && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function quote(text: string): string {
  return `\`${showText(text)}\``;
}

/** Beyond this a question could not show all that an approval stands for. */
const MAX_SHOWN_CHARS = 300;
