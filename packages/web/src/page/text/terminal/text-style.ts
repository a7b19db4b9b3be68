/** How a piece of terminal output looks. Equal styles are one object, so that runs can be told by identity. */
export interface TextStyle {
  /** One of the 16 colours by its number, or `#rrggbb`. */
  readonly color?: number | string;
  readonly background?: number | string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  readonly isInverse?: boolean;
}

/** What a sequence such as `ESC[1;31m` makes of a style; undefined is the plain one. Unknown codes change nothing. */
export function applyStyleCodes(before: TextStyle | undefined, parameters: string): TextStyle | undefined {
  let style = before;
  const codes = parameters.replaceAll(':', ';').split(';', MAX_CODES).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) style = undefined;
    else if (code === 38 || code === 48) {
      const [color, used] = readColor(codes, index + 1);
      if (color !== undefined) style = { ...style, [code === 38 ? 'color' : 'background']: color };
      index += used;
    } else style = applyCode(style, code);
  }
  return style;
}

const MAX_CODES = 32;

function applyCode(style: TextStyle | undefined, code: number): TextStyle | undefined {
  const change = TOGGLES[code];
  if (change) return { ...style, ...change };
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  if (code === 39) return without(style, 'color');
  if (code === 49) return without(style, 'background');
  return style;
}

const TOGGLES: Readonly<Record<number, TextStyle>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
};

/** `5;n` is one of 256 colours, `2;r;g;b` any; and how many codes that took. */
function readColor(codes: readonly number[], start: number): [color: number | string | undefined, used: number] {
  const kind = codes[start];
  if (kind === 5) return [colorOf256(codes[start + 1]), 2];
  if (kind !== 2) return [undefined, 1];
  const parts = codes.slice(start + 1, start + 4);
  return [parts.length === 3 && parts.every(isByte) ? hex(parts) : undefined, 4];
}

const LEVELS = [0, 95, 135, 175, 215, 255];

function colorOf256(number: number | undefined): number | string | undefined {
  if (number === undefined || !isByte(number)) return undefined;
  if (number < 16) return number;
  if (number >= 232) return hex(Array.from({ length: 3 }, () => 8 + (number - 232) * 10));
  const cube = number - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => LEVELS[step] ?? 0));
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 255;
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function without(style: TextStyle | undefined, field: 'color' | 'background'): TextStyle | undefined {
  if (!style) return undefined;
  const { [field]: _dropped, ...rest } = style;
  return rest;
}
