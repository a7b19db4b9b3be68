import type { CommandInput, ToolRequest } from '@parley/policy';

/** Approvals of one session that wait to be used; older ones are forgotten, and asked for again. */
const MAX_APPROVALS = 100;

/**
 * What a person has just allowed in a permission request, so that the file or terminal request that carries it out is not
 * asked about a second time. Each approval counts once.
 */
export class Approvals {
  readonly #bySession = new Map<string, string[]>();

  add(sessionId: string, request: ToolRequest): void {
    const approvals = this.#bySession.get(sessionId) ?? [];
    approvals.push(...keysOf(request));
    this.#bySession.set(sessionId, approvals.slice(-MAX_APPROVALS));
  }

  /** Uses up the approval of this request; false when there is none. */
  take(sessionId: string, request: ToolRequest): boolean {
    const approvals = this.#bySession.get(sessionId);
    const [key] = keysOf(request);
    const index = key === undefined ? -1 : (approvals?.lastIndexOf(key) ?? -1);
    if (index < 0) return false;
    approvals?.splice(index, 1);
    return true;
  }

  end(sessionId: string): void {
    this.#bySession.delete(sessionId);
  }
}

/** A command and the folder it runs in, or each file with what is done to it. */
function keysOf({ command, kind, paths = [], cwd }: ToolRequest): readonly string[] {
  if (command)
    return command.type === 'unclear'
      ? []
      : [JSON.stringify(['run', lineOf(command), environmentOf(command), cwd ?? ''])];
  const access = kind === 'read' || kind === 'search' ? 'read' : 'edit';
  return paths.map((path) => JSON.stringify([access, path]));
}

type RunnableInput = Exclude<CommandInput, { readonly type: 'unclear' }>;

/** `sh -c 'npm test'` carries out the line `npm test`; other words are compared as they are. */
function lineOf(command: RunnableInput): string | readonly string[] {
  if (command.type === 'line') return command.line;
  const [program = '', flag = '', line, ...rest] = command.words;
  const isShell = /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(program) && /^-l?c$/.test(flag) && rest.length === 0;
  if (isShell && line !== undefined) return line;
  const isPlain = command.words.every((word) => /^[\w@%+=:,./-]+$/.test(word));
  return isPlain ? command.words.join(' ') : command.words;
}

function environmentOf({ environment = {} }: RunnableInput): readonly (readonly [string, string])[] {
  return Object.entries(environment).sort(([left], [right]) => (left < right ? -1 : 1));
}
