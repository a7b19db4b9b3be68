import type { AuthMethod } from '@parley/protocol';

/** A way to log in, as a page can show it. */
export interface LoginMethod {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Whether the agent carries it out when it is asked to. The others are done on the machine of the server. */
  readonly isHere: boolean;
  readonly steps?: string;
  /** What to type there. */
  readonly command?: string;
}

export function describeLogin(method: AuthMethod): LoginMethod {
  const { id, name, description } = method;
  const about = { id, name, ...(description && { description }) };
  const names = variablesOf(method);
  if (names.length > 0) {
    const command = names.map((each) => `export ${each}=…`).join('\n');
    const steps = `Set ${names.length === 1 ? 'this variable' : 'these variables'} where the server is started, and start it again:`;
    return { ...about, isHere: false, steps, command };
  }
  if (isTerminal(method)) {
    const command = terminalCommand(method);
    const steps = 'It runs in a terminal on the machine of the server:';
    return command === undefined
      ? {
          ...about,
          isHere: false,
          steps: "Log in with the agent's own command in a terminal on the machine of the server.",
        }
      : { ...about, isHere: false, steps, command };
  }
  return { ...about, isHere: true };
}

/** The environment variables that a method wants; agents tell them before the specification has a stable word for it. */
function variablesOf(method: object): readonly string[] {
  const { type, vars } = method as { readonly type?: unknown; readonly vars?: unknown };
  if (type !== 'env_var' || !Array.isArray(vars)) return [];
  return vars.map((each: { readonly name?: unknown }) => String(each.name));
}

function isTerminal(method: AuthMethod): boolean {
  return ('type' in method && method.type === 'terminal') || method._meta?.['terminal-auth'] !== undefined;
}

function terminalCommand({ _meta }: AuthMethod): string | undefined {
  const note = _meta?.['terminal-auth'];
  if (typeof note !== 'object' || note === null) return undefined;
  const { command, args } = note as { readonly command?: unknown; readonly args?: unknown };
  if (typeof command !== 'string') return undefined;
  return [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ');
}
