/**
 * A JavaScript regular expression in ripgrep's words, or undefined where the two could disagree about what it means:
 * then it is not handed over. Classes such as `\w` mean ASCII in JavaScript and all of Unicode in ripgrep.
 */
export function toRipgrepExpression(pattern: string): string | undefined {
  let result = '';
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '\\') {
      const escaped = translateEscape(pattern[++at] ?? '', isInClass);
      if (escaped === undefined) return undefined;
      result += escaped;
      continue;
    }
    if (isInClass) {
      // `[a&&b]`, `[a--b]` and `[[:x:]]` are set operations there and plain characters here.
      if ('[&~'.includes(character) || (character === '-' && pattern[at + 1] === '-')) return undefined;
      if (character === ']') isInClass = false;
    } else if (character === '[') {
      if (pattern[at + 1] === ']') return undefined;
      isInClass = true;
    } else if (pattern.startsWith('(?', at) && !pattern.startsWith('(?:', at)) return undefined;
    result += character;
  }
  return result;
}

const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_' };
const CONTROLS = 'tnrfv';

function translateEscape(character: string, isInClass: boolean): string | undefined {
  const members = CLASSES[character.toLowerCase()];
  if (members !== undefined) {
    const isNegated = character !== character.toLowerCase();
    if (isInClass) return isNegated ? undefined : members;
    return `[${isNegated ? '^' : ''}${members}]`;
  }
  if (character === 's' || character === 'S') return `\\${character}`;
  if (character === 'b' && !isInClass) return '(?-u:\\b)';
  if (CONTROLS.includes(character)) return `\\${character}`;
  return /^[\\^$.*+?()[\]{}|/-]$/.test(character) ? `\\${character}` : undefined;
}
