/** The last part of a program's path, without the ending Windows gives it. */
export function programName(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return base.endsWith('.exe') ? base.slice(0, -4) : base;
}
