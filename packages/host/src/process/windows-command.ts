/** What to spawn, and whether the arguments are already quoted. */
export interface ResolvedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly isVerbatim: boolean;
}

export interface WindowsSearch {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

/**
 * Finds what Windows would run for a command. `npx` and its like are batch files there: they need `cmd.exe`, and their
 * arguments must be quoted so that it takes nothing in them for a command of its own.
 */
export function resolveWindowsCommand(
  command: string,
  args: readonly string[],
  { env, isFile }: WindowsSearch,
): ResolvedCommand {
  const file = listCandidates(command, env).find(isFile);
  if (file === undefined || !/\.(?:bat|cmd)$/i.test(file)) return { command, args, isVerbatim: false };
  const line = [escapeMeta(file), ...args.map(escapeArgument)].join(' ');
  return { command: env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

function listCandidates(command: string, env: WindowsSearch['env']): string[] {
  const extensions = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const hasExtension = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const names = hasExtension ? [command] : extensions.map((extension) => command + extension);
  if (/[\\/]/.test(command)) return names;
  const folders = (env.Path ?? env.PATH ?? '').split(';').filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => `${folder}\\${name}`));
}

/** Quoted for the program that reads it; then escaped twice, since a batch file that passes it on parses it again. */
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
  return escapeMeta(escapeMeta(quoted));
}

function escapeMeta(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/g, '^$&');
}
