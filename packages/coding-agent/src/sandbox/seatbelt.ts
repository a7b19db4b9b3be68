import type { Confine, ConfineOptions } from './confine.ts';
import { findCredentials } from './credentials.ts';
import { findProtected } from './protected-names.ts';

export interface SeatbeltOptions extends ConfineOptions {
  /** The program `sandbox-exec`. */
  readonly command: string;
}

/** Devices that programs write to without changing anything. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr', '/dev/tty'] as const;

/**
 * Runs programs by a profile of macOS's `sandbox-exec`. UNTESTED: written from Apple's documentation and the profiles of other
 * agents, and never run on macOS. There, `openSandbox` proves it before the first use and goes without it where it does not hold.
 */
export function createSeatbelt({ command, ...options }: SeatbeltOptions): Confine {
  return (program) => ({ command, args: ['-p', profileOf(options), program.command, ...program.args] });
}

/** The last rule that matches decides. Other processes' files in the temporary folders are hidden by the credentials' rule. */
function profileOf({ profile, roots, hasNetwork = false, readable = [], writable = [] }: ConfineOptions): string {
  const hidden = ['/private/tmp', '/private/var/folders', ...findCredentials().map(({ path }) => path)];
  const lines = [
    ...['(version 1)', '(allow default)', '(deny file-write*)'],
    `(deny file-read* ${hidden.map(subpath).join(' ')})`,
    `(allow file-read* ${[...roots, ...readable].map(subpath).join(' ')})`,
    `(allow file-write* ${DEVICES.map((path) => `(literal ${quote(path)})`).join(' ')})`,
    ...(hasNetwork ? [] : ['(deny network*)']),
    ...['(deny process-info* (target others))', '(deny signal (target others))', '(deny mach-register)'],
  ];
  if (profile !== 'reading') {
    lines.push(`(allow file-write* ${roots.map(subpath).join(' ')})`);
    const kept = findProtected(roots).map(subpath);
    if (kept.length > 0) lines.push(`(deny file-write* ${kept.join(' ')})`);
  }
  if (writable.length > 0) lines.push(`(allow file-read* file-write* ${writable.map(subpath).join(' ')})`);
  return lines.join('\n');
}

function subpath(path: string): string {
  return `(subpath ${quote(path)})`;
}

function quote(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}
