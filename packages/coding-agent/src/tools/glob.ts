/**
 * Whether a relative path fits a glob: `*` and `?` within a name, `**` across directories, `{a,b}` for alternatives.
 * A glob without a slash fits the name in any directory, as in .gitignore.
 */
export function createGlob(glob: string): (path: string) => boolean {
  const anchored = glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`;
  const expression = new RegExp(`^${translate(anchored)}$`);
  return (path) => expression.test(path.replace(/\/$/, ''));
}

function translate(glob: string): string {
  let result = '';
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? '';
    if (glob.startsWith('**/', at)) {
      result += '(?:[^/]+/)*';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      result += '.*';
      at += 1;
    } else if (character === '*') result += '[^/]*';
    else if (character === '?') result += '[^/]';
    else if (character === '{') {
      result += '(?:';
      depth++;
    } else if (character === '}' && depth > 0) {
      result += ')';
      depth--;
    } else if (character === ',' && depth > 0) result += '|';
    else result += character.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  }
  return result + ')'.repeat(depth);
}
