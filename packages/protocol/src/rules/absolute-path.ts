/**
 * Whether a path means the same place for both sides: `/home/me`, `C:\work`, `C:/work` or `\\server\share`. Which of
 * them the machine understands is for the one who opens it to find out. A NUL would cut the path short in system calls.
 */
export function isAbsolutePath(path: string): boolean {
  if (path.includes('\0')) return false;
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || /^\\\\[^\\/]+[\\/][^\\/]+/.test(path);
}
