import type { TerminalEvent, TerminalOutputChunk } from '../event.ts';
import type { TerminalRecord, Transcript } from './transcript.ts';

/** How much output of one terminal a transcript keeps. Beyond twice this, the beginning is left out. */
export const MAX_TERMINAL_CHARACTERS: number = 1024 * 1024;

export function applyTerminal(transcript: Transcript, event: TerminalEvent): Transcript {
  const { terminalId, command, cwd, exitCode, signal } = event;
  const hasExited = exitCode !== undefined || signal !== undefined;
  return upsert(transcript, terminalId, (terminal) => ({
    ...terminal,
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(hasExited && {
      exit: { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) },
    }),
  }));
}

export function applyTerminalOutput(transcript: Transcript, event: TerminalOutputChunk): Transcript {
  return upsert(transcript, event.terminalId, (terminal) => withOutput(terminal, terminal.output + event.text));
}

/** The latest state of one terminal. */
export function getTerminal(transcript: Transcript, terminalId: string): TerminalRecord | undefined {
  const position = transcript.folding.terminalIndex.get(terminalId);
  return position === undefined ? undefined : transcript.terminals.at(position);
}

function upsert(
  transcript: Transcript,
  terminalId: string,
  change: (terminal: TerminalRecord) => TerminalRecord,
): Transcript {
  const { terminals, folding } = transcript;
  const position = folding.terminalIndex.get(terminalId);
  const known = position === undefined ? undefined : terminals.at(position);
  if (position !== undefined && known) return { ...transcript, terminals: terminals.set(position, change(known)) };
  return {
    ...transcript,
    terminals: terminals.push(change({ terminalId, output: '', isTruncated: false })),
    folding: { ...folding, terminalIndex: folding.terminalIndex.add(terminalId, terminals.length) },
  };
}

/** Cutting only at twice the limit keeps the work in proportion to what arrives. */
function withOutput(terminal: TerminalRecord, output: string): TerminalRecord {
  if (output.length <= 2 * MAX_TERMINAL_CHARACTERS) return { ...terminal, output };
  return { ...terminal, output: output.slice(-MAX_TERMINAL_CHARACTERS), isTruncated: true };
}
