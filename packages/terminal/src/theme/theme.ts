/** What the terminal looks like, as far as that matters for colours. */
export interface Theme {
  readonly background: 'dark' | 'light';
  /** Whether it has 256 colours, of which some are dark enough for a light background. */
  readonly hasManyColors: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The theme before the terminal has answered: by the setting, by `COLORFGBG`, else dark. */
export function guessTheme(env: Environment, wanted: 'auto' | 'light' | 'dark' = 'auto'): Theme {
  const hasManyColors = /256color|direct/.test(env.TERM ?? '') || (env.COLORTERM ?? '') !== '';
  const background = wanted === 'auto' ? (backgroundOf(env.COLORFGBG) ?? 'dark') : wanted;
  return { background, hasManyColors };
}

/** `15;0` is white on black; the last number is the background. */
function backgroundOf(colors: string | undefined): Theme['background'] | undefined {
  const last = colors?.split(';').at(-1) ?? '';
  if (!/^\d+$/.test(last)) return undefined;
  return Number(last) === 7 || Number(last) > 8 ? 'light' : 'dark';
}

/** Asks a terminal for the colour of its background (OSC 11). Terminals that do not know it are silent. */
export const ASK_BACKGROUND = '\u001b]11;?\u0007';

/** The background by a terminal's answer, such as `11;rgb:ffff/ffff/ffff`; undefined when it is another answer. */
export function readBackground(answer: string): Theme['background'] | undefined {
  const [, red, green, blue] = /^11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(answer) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  const part = (digits: string): number => Number.parseInt(digits, 16) / (16 ** digits.length - 1);
  const brightness = 0.299 * part(red) + 0.587 * part(green) + 0.114 * part(blue);
  return brightness > 0.5 ? 'light' : 'dark';
}

/** Colours that are too bright to be read on a light background, and what stands for them there. */
const ON_LIGHT: Readonly<Record<string, string>> = {
  '31': '38;5;124',
  '32': '38;5;28',
  '33': '38;5;130',
  '34': '38;5;25',
  '35': '38;5;90',
  '36': '38;5;30',
  '37': '38;5;240',
  '91': '38;5;160',
  '92': '38;5;28',
  '93': '38;5;130',
  '94': '38;5;25',
  '95': '38;5;90',
  '96': '38;5;30',
  '97': '38;5;240',
};

/** A foreground colour as this theme shows it. */
export function foregroundIn(theme: Theme | undefined, color: string): string {
  return theme?.background === 'light' && theme.hasManyColors ? (ON_LIGHT[color] ?? color) : color;
}
