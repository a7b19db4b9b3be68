export { quoteWord, quoteWords, shellLine } from './quote-words.ts';
export { safeForTerminal } from './safe-for-terminal.ts';
export { type TerminalStream, terminalWriter } from './terminal-writer.ts';
