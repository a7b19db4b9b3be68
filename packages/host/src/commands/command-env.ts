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
const SECRET = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;

/**
 * The environment of a command that an agent runs. Our own may hold keys that were never meant for it, so
 * only harmless variables and those named in `allowed` pass; what is given for this command, passes.
 */
export function commandEnv(
  own: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[] | 'inherit',
  given: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  if (allowed === 'inherit') return { ...own, ...given };
  const passing = Object.entries(own).filter(([name]) => allowed.includes(name) || isHarmless(name));
  return { ...Object.fromEntries(passing), ...given };
}

function isHarmless(name: string): boolean {
  const upper = name.toUpperCase();
  if (SECRET.test(upper)) return false;
  return HARMLESS.has(upper) || HARMLESS_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
