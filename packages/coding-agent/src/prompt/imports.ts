import { dirname, isAbsolute, join, resolve } from 'node:path';

/** `@docs/style.md` at the beginning of a line or after a blank; never inside code. */
const IMPORT = /(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w.\-/]*\w)/gm;

/** The files that a text imports, as absolute paths. What has neither a slash nor a dot in it is somebody's name. */
export function importedPaths(text: string, file: string, home: string | undefined): readonly string[] {
  const paths = [...withoutCode(text).matchAll(IMPORT)].flatMap(([, path = '']) => {
    if (!/[./]/.test(path)) return [];
    if (path.startsWith('~/')) return home === undefined ? [] : [join(home, path.slice(2))];
    return [isAbsolute(path) ? path : resolve(dirname(file), path)];
  });
  return [...new Set(paths)];
}

function withoutCode(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
}
