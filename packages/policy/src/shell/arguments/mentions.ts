import { GLOBSTAR } from '../../glob.ts';
import type { FileUse } from '../analysis.ts';
import { literalWord, type ShellWord, unknownWord } from '../words/shell-word.ts';

/**
 * The files that an argument of a program we do not know may name: the word itself, what follows `=`, `:`, `,` or `@`,
 * and a path glued to a short option. Addresses other than `file:` name none.
 */
export function mentionedFiles(word: ShellWord): readonly FileUse[] {
  if (word.value === undefined) {
    // A pattern that meets nothing stays as it is written.
    const written = word.glob.includes(GLOBSTAR)
      ? []
      : mentionedFiles(literalWord(word.text.replaceAll(/['"\\]/g, '')));
    return isFlagStart(word) ? [] : [touch(word), ...written];
  }
  const value = word.value;
  if (PLAIN.test(value)) return [touch(word)];
  if (value === '') return [];
  if (value.length > MAX_PATH_CHARS) return [touch(unknownWord(word.text))];
  const text = value.replace(FILE_URL, '').replace(URL, '');
  const isOption = text.startsWith('-');
  const found = isOption || text === '' ? [] : [touch(text === value ? word : literalWord(text, word.text))];
  const glued = isOption ? GLUED.exec(text)?.[1] : undefined;
  if (glued !== undefined && PATH_START.test(glued)) found.push(touch(literalWord(glued, word.text)));
  else if (glued !== undefined) found.push(...namesInCode(literalWord(glued, word.text)));
  if (/\s/.test(text)) found.push(...namesInCode(word));
  if (SEPARATORS.test(text)) {
    for (const piece of text.split(SEPARATORS))
      if (piece !== '' && piece !== text) found.push(touch(literalWord(piece, word.text)));
  }
  return found;
}

/** Words in a script that may be names of files, for rules that ask or deny: `r .env`, `open('.env')`. */
export function namesInCode(word: ShellWord): readonly FileUse[] {
  if (word.value === undefined || word.value.length > MAX_PATH_CHARS) return [];
  const written = word.value.match(/[\w.~/-]*[\w/-][\w.~/-]*/g) ?? [];
  // In `1r.env` the name begins behind a command.
  const names = new Set(written.flatMap((name) => [name, name.replace(/^[^./]+/, '')]));
  return [...names]
    .filter((name) => /[./]/.test(name))
    .slice(0, MAX_NAMES_IN_CODE)
    .map((name) => ({ ...touch(literalWord(name, word.text)), isGuess: true }));
}

/** How many words of a script are compared with rules. */
const MAX_NAMES_IN_CODE = 64;
/** Longest argument that is taken apart; a longer one counts as unknown. */
const MAX_PATH_CHARS = 4096;

function touch(word: ShellWord): FileUse {
  return { word, access: 'touch', isTree: false };
}

/** `--name=$value`: what comes after is unknown, what comes before is no path. */
function isFlagStart(word: ShellWord): boolean {
  return word.glob[0] === DASH && word.glob.indexOf(SLASH) < 0 && word.glob.indexOf(EQUALS) < 0;
}

/** Most arguments are a name and nothing else. */
const PLAIN = /^[A-Za-z0-9_./][A-Za-z0-9_./-]{0,255}$/;
const DASH = 45;
const SLASH = 47;
const EQUALS = 61;
const FILE_URL = /^file:\/\/(?:localhost)?(?=\/)/i;
const URL = /^[a-z][a-z0-9+.-]*:\/\/\S*$/i;
/** `-f.env`: an option with its value. */
const GLUED = /^-[A-Za-z](.*[./].*)$/s;
/** A value that is a path for certain. */
const PATH_START = /^(?:~|\.{0,2}\/|\.\.$)/;
const SEPARATORS = /[=:,@]/;
