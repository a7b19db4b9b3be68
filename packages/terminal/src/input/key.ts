/**
 * What a person did at the keyboard. Keys have names such as `up`, `ctrl+a`, `alt+enter` or `shift+tab`; modifiers come
 * in the order ctrl, alt, shift.
 */
export type Key =
  | { readonly type: 'key'; readonly name: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string };

export const SPECIAL_KEYS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

export const NUMBERED_KEYS: Readonly<Record<string, string>> = {
  '1': 'home',
  '2': 'insert',
  '3': 'delete',
  '4': 'end',
  '5': 'pageup',
  '6': 'pagedown',
  '7': 'home',
  '8': 'end',
};

/** The name of a control character. */
export function nameOfControl(code: number): string {
  switch (code) {
    case 0x00:
      return 'ctrl+space';
    case 0x08:
    case 0x7f:
      return 'backspace';
    case 0x09:
      return 'tab';
    case 0x0d:
      return 'enter';
    case 0x1b:
      return 'escape';
    default:
      // 1 to 26 are letters; 28 to 31 are the signs that follow them in ASCII.
      return `ctrl+${String.fromCharCode(code + 0x40).toLowerCase()}`;
  }
}

/** The key of a Unicode code point with modifiers, as the kitty protocol and xterm's modifyOtherKeys report it. */
export function keyOfCodePoint(codePoint: number, modifiers: number): Key | undefined {
  if (!Number.isFinite(codePoint) || codePoint > 0x10ffff) return undefined;
  const named = KEYS_BY_CODE[codePoint] ?? (codePoint < 0x20 ? nameOfControl(codePoint) : undefined);
  if (named !== undefined) return { type: 'key', name: withModifiers(named, modifiers) };
  if (codePoint >= 0xd800 && codePoint <= 0xf8ff) return undefined; // Halves of pairs, and keys we have no use for.
  const character = String.fromCodePoint(codePoint);
  const isPlain = (modifiers - 1) % 16 <= 1; // None, or only shift.
  if (isPlain) return { type: 'text', text: modifiers === 2 ? character.toUpperCase() : character };
  return { type: 'key', name: withModifiers(character.toLowerCase(), modifiers) };
}

const KEYS_BY_CODE: Readonly<Record<number, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57414: 'enter', // On the number pad.
};

/** Terminals send one more than the sum of 1 for shift, 2 for alt, 4 for ctrl. */
export function withModifiers(name: string, modifiers: number): string {
  const bits = Number.isFinite(modifiers) && modifiers > 0 ? modifiers - 1 : 0;
  const prefix = `${bits & 4 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}`;
  return prefix + name;
}

/** Escape and a key soon after it come as one key with alt; where Escape closes something, two keys were meant. */
export function keyAfterEscape(key: Key): Key | undefined {
  if (key.type !== 'key' || !key.name.startsWith('alt+')) return undefined;
  const name = key.name.slice('alt+'.length);
  return [...name].length === 1 ? { type: 'text', text: name } : { type: 'key', name };
}
