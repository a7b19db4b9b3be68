import type { TerminalEvent, TerminalOutputChunk } from '../event.ts';
import { patchMeta } from './patch-meta.ts';
import type { TerminalRecord, Transcript } from './transcript.ts';

/** How much output of one terminal a transcript keeps. Beyond twice this, the beginning is left out. */
export const MAX_TERMINAL_CHARACTERS: number = 1024 * 1024;

export function applyTerminal(transcript: Transcript, event: TerminalEvent): Transcript {
  return upsert(transcript, event.terminalId, (terminal) => {
    const { terminalId, output, isTruncated } = terminal;
    const { exitCode, signal } = event;
    const hasExited = exitCode !== undefined || signal !== undefined;
    const command = patch(terminal.command, event.command);
    const cwd = patch(terminal.cwd, event.cwd);
    const size = patch(terminal.size, event.size);
    const canCancel = event.canCancel ?? terminal.canCancel;
    const exit = hasExited
      ? { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) }
      : terminal.exit;
    const meta = patchMeta(terminal.meta, event.meta);
    const changed: TerminalRecord = {
      terminalId,
      output,
      isTruncated,
      ...(command !== undefined && { command }),
      ...(cwd !== undefined && { cwd }),
      ...(size && { size }),
      ...(canCancel !== undefined && { canCancel }),
      ...(exit && { exit }),
      ...(meta && { meta }),
    };
    return event.output === undefined ? changed : withOutput({ ...changed, isTruncated: false }, event.output);
  });
}

export function applyTerminalOutput(transcript: Transcript, event: TerminalOutputChunk): Transcript {
  return upsert(transcript, event.terminalId, (terminal) => withOutput(terminal, terminal.output + event.text));
}

/** Absent keeps what was there, null clears it. */
function patch<Value>(known: Value | undefined, change: Value | null | undefined): Value | undefined {
  return change === undefined ? known : (change ?? undefined);
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
