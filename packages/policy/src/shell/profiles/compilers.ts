import type { FileUse } from '../analysis.ts';
import { danger } from '../arguments/dangers.ts';
import { mentionedFiles } from '../arguments/mentions.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import type { ShellWord } from '../words/shell-word.ts';

/** C and C++ compilers: what chooses warnings, language and machine is plain; the rest can run programs, load plugins or write. */
const lookIntoCompiler: Look = ({ words }): Findings => {
  const files: FileUse[] = [];
  const odd: ShellWord[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined) break;
    if (value === undefined) {
      odd.push(word);
    } else if (/^-[oIL]/.test(value)) {
      const file = value.length > 2 ? { ...word, value: value.slice(2) } : words[index + 1];
      if (file) files.push({ word: file, access: value.startsWith('-o') ? 'write' : 'read', isTree: false });
      if (value.length === 2) index += 1;
    } else if (value === '-x') {
      index += 1;
    } else if (!value.startsWith('-') && !value.startsWith('@')) {
      files.push({ word, access: 'read', isTree: false });
    } else if (!PLAIN.test(value)) {
      odd.push(word);
    }
  }
  return {
    files: [...files, ...odd.flatMap(mentionedFiles).map((use) => ({ ...use, isGuess: true }))],
    dangers: odd.map((word) => danger('can run programs, load code or write files', word)),
  };
};

const PLAIN =
  /^-(?:[cESvw]|g[0-3]?|ggdb|O[0-3sgz]?|pipe|pthread|static|shared|pedantic(?:-errors)?|ansi|std=[\w+]+|W[a-zA-Z][\w+=-]*|[DU]\w+(?:=[^,]*)?|l[\w+.-]+|m(?:32|64|native|(?:arch|tune|cpu|fpu|float-abi)=[\w.+-]+|(?:no-)?(?:avx|sse|fma)[\w.]*)|f(?:no-)?(?:PIC|pic|PIE|pie|sanitize=[\w,-]+|stack-protector[\w-]*|exceptions|rtti|omit-frame-pointer|strict-aliasing|visibility=\w+|inline[\w-]*|common|diagnostics-color(?:=\w+)?|color-diagnostics|fast-math|wrapv|openmp|unroll-loops|max-errors=\d+|syntax-only)|fsyntax-only|-version|-help|version|dumpversion|dumpmachine)$/;

const COMPILER: CommandProfile = { lookInstead: lookIntoCompiler };

export const COMPILERS: Readonly<Record<string, CommandProfile>> = Object.fromEntries(
  'gcc g++ cc c++ clang clang++ tcc'.split(' ').map((name) => [name, COMPILER]),
);
