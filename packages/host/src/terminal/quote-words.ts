/** Words as one line that a shell reads back as exactly these words, so that a line shown to a person can be pasted. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** A command line to be pasted, as a template: every inserted value is one word. */
export function shellLine(texts: TemplateStringsArray, ...words: readonly string[]): string {
  return texts.reduce((line, text, index) => line + quoteWord(words[index - 1] ?? '') + text);
}

/** One word as a shell wants it. */
export function quoteWord(word: string): string {
  if (PLAIN.test(word)) return word;
  if (!CONTROL.test(word)) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  // bash and zsh read this form; a raw control character would steer the terminal that shows the line.
  return `$'${word.replace(/['\\]/g, String.raw`\$&`).replace(CONTROL_ALL, escapeCharacter)}'`;
}

const PLAIN = /^[\w@%+=:,./-]+$/;
/** Control characters, and marks that turn the direction of text. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const CONTROL_ALL = new RegExp(CONTROL.source, 'gu');

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
