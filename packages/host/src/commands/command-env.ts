import { hasSecretName, isSecretVariable } from '../secrets/secret-variables.ts';

/** Variables that commands need to work at all, and that hold no secrets. */
const HARMLESS: ReadonlySet<string> = new Set([
  'COLORTERM',
  'COMSPEC',
  'EDITOR',
  'HOME',
  'HOMEDRIVE',
  'HOMEPATH',
  'LANG',
  'LANGUAGE',
  'LOGNAME',
  'NODE_PATH',
  'PATH',
  'PATHEXT',
  'PWD',
  'SHELL',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TERM',
  'TMP',
  'TMPDIR',
  'TZ',
  'USER',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
]);
const HARMLESS_PREFIXES = ['LC_', 'XDG_'];
/** They change how a shell reads every line, so that nobody could say what a line does. */
const CHANGES_SHELL = /^(?:BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|IFS|PS4|PROMPT_COMMAND)$/;

/** Which variables of our own a command may see: these besides the harmless ones, all but secrets, or all. */
export type AllowedEnv = readonly string[] | 'withoutSecrets' | 'inherit';

/**
 * The environment of a command that an agent runs. Our own may hold keys that were never meant for it, so
 * only what is allowed passes; what is given for this command, passes.
 */
export function commandEnv(
  own: Readonly<Record<string, string | undefined>>,
  allowed: AllowedEnv,
  given: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  if (allowed === 'inherit') return { ...own, ...given };
  const passing = Object.entries(own).filter(([name, value = '']) =>
    allowed === 'withoutSecrets'
      ? !isSecretVariable(name, value) && !CHANGES_SHELL.test(name.toUpperCase())
      : allowed.includes(name) || isHarmless(name),
  );
  return { ...Object.fromEntries(passing), ...given };
}

function isHarmless(name: string): boolean {
  const upper = name.toUpperCase();
  if (hasSecretName(name)) return false;
  return HARMLESS.has(upper) || HARMLESS_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
