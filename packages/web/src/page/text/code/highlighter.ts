import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { type CodePiece, readHighlighted } from './highlighted.ts';

// Loaded late: only `code-block.tsx` imports this file, when a block of code is seen.

const LANGUAGES = { bash, c, css, diff, go, java, json, markdown, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(['js', 'jsx', 'javascript', 'mjs', 'cjs', 'tsx', 'mts', 'cts'], { languageName: 'typescript' });
hljs.registerAliases(['shell', 'console', 'fish', 'powershell', 'dockerfile'], { languageName: 'bash' });
hljs.registerAliases(['cpp', 'c++', 'cc', 'hpp', 'cs', 'csharp'], { languageName: 'c' });
hljs.registerAliases(['kotlin', 'scala', 'swift'], { languageName: 'java' });
hljs.registerAliases(['scss', 'less'], { languageName: 'css' });
hljs.registerAliases(['toml', 'ini'], { languageName: 'yaml' });

/** Code in pieces, each with what it is; undefined where the language is not known. */
export function highlight(code: string, language: string): readonly CodePiece[] | undefined {
  if (hljs.getLanguage(language) === undefined) return undefined;
  return readHighlighted(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
