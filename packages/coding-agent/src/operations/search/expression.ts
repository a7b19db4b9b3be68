/** A regular expression as it was understood: its source and flags in JavaScript's words. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
}

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/**
 * Reads a pattern as people and models write it for grep: flags at its beginning, `(?P<name>`, classes such as
 * `[[:space:]]`, the ends of words as `\<` and `\>`. Throws what JavaScript says where it is no expression at all.
 */
export function readExpression(pattern: string, isCaseSensitive: boolean): Expression {
  const [, written = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = withWordEnds(
    pattern
      .slice(written === '' ? 0 : written.length + 3)
      .replaceAll('(?P<', '(?<')
      .replace(/\[:([a-z]+):\](?=[^[]*\])/g, (whole, name: string) => POSIX_CLASSES[name] ?? whole),
  );
  const flags = new Set([...written, ...(isCaseSensitive ? '' : 'i')]);
  const expression = { source, flags: [...flags].sort().join('') };
  compileExpression(expression);
  return expression;
}

/** To grep these are the ends of a word, to who escapes too much they are brackets: `Map\<string\>`. Either is found. */
const WORD_ENDS: Readonly<Record<string, string>> = { '\\<': '(?:<|\\b(?=\\w))', '\\>': '(?:>|\\b(?<=\\w))' };

function withWordEnds(source: string): string {
  let isInClass = false;
  return source.replace(/\\[\s\S]|[[\]]/g, (part) => {
    if (part === '[' || part === ']') isInClass = part === '[';
    return isInClass ? part : (WORD_ENDS[part] ?? part);
  });
}

/** By the strict rules, else by those of old, which take the escapes and braces that people and models are used to. */
export function compileExpression({ source, flags }: Expression): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

/** The expression that finds a text as it stands. */
export function literalExpression(text: string, isCaseSensitive: boolean): Expression {
  return { source: text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), flags: isCaseSensitive ? '' : 'i' };
}
