/** The files that a git patch changes, as it names them, without its `a/` and `b/`. */
export function changedPaths(patch: string): readonly string[] {
  const paths = new Set<string>();
  // A hunk counts its own lines, so that a line of a file is never taken for the name of one.
  let left = { old: 0, new: 0 };
  for (const line of patch.split('\n')) {
    if (left.old > 0 || left.new > 0) {
      if (line.startsWith('-') || line.startsWith(' ') || line === '') left.old -= 1;
      if (line.startsWith('+') || line.startsWith(' ') || line === '') left.new -= 1;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) left = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
    const named = /^(?:--- (?:a\/)?|\+\+\+ (?:b\/)?|rename (?:from|to) |copy (?:from|to) )(.+?)\t?$/.exec(line)?.[1];
    if (named !== undefined && named !== '/dev/null') paths.add(unquote(named));
  }
  return [...paths];
}

/** Git puts names with unusual characters in quotes. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const inner = name.slice(1, name.endsWith('"') ? -1 : undefined).replace(/^[ab]\//, '');
  const bytes = inner.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(bytes, 'latin1')
    .toString('utf8')
    .replace(/\\(["\\])/g, '$1');
}
