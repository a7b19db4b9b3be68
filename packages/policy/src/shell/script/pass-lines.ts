import type { ShellWord } from '../words/shell-word.ts';

/** Does this command print some of the lines it reads, each as it came: `grep -v test`, `head -5`, `sort -u`? */
export function passesLines(words: readonly ShellWord[]): boolean {
  const [program, ...rest] = words.map((word) => word.value);
  if (rest.some((value) => value === undefined)) return false;
  const text = rest.join(' ');
  if (program === 'grep' || program === 'egrep')
    return rest.length > 0 && rest.filter((value) => !FILTERS.test(value ?? '')).length === 1;
  if (program === 'head' || program === 'tail') return /^(?:-n ?\d+|-\d+)?$/.test(text);
  return (program === 'sort' && /^(?:-[ur]+)?$/.test(text)) || (program === 'uniq' && text === '');
}

/** Options of grep that choose lines and change none. */
const FILTERS = /^-[vEFGPiwx]+$/;
