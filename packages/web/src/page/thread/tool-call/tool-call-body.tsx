import type { TerminalRecord, ToolCallEntry } from '@parley/client';
import type { ToolCallContent } from '@parley/session';
import { wordCount } from '@parley/session/view';
import type { JSX } from 'preact';
import { late } from '../../parts/late.tsx';
import type { OpenSession } from '../../sessions/open-session.ts';
import { CodeBlock } from '../../text/code/code-block.tsx';
import { Diffs } from '../../text/diff/diff.tsx';
import { shortPath } from '../../text/short-path.ts';
import { TerminalOutput } from '../../text/terminal/terminal-output.tsx';
import { visibleText } from '../../text/visible-text.ts';
import { Content } from '../content.tsx';
import { RawCard, writeRaw } from '../raw-card.tsx';
import type { SafetyNoteProps } from '../safety-note.tsx';
import { hasDiffs, hasEnded, outputOf, placesOf } from './tool-call-facts.ts';

/** Loaded with the first tool call whose agent reports how safe it is. */
const SafetyNote = late<SafetyNoteProps>(
  async () => (await import('../safety-note.tsx')).SafetyNote,
  () => null,
);

const MAX_PLACES = 20;

interface ToolCallBodyProps {
  readonly entry: ToolCallEntry;
  readonly terminals: readonly TerminalRecord[];
  readonly open: OpenSession;
}

/** What a tool call is about and what came of it: places, changes, output, and its input and output as they came. */
export function ToolCallBody({ entry, terminals, open }: ToolCallBodyProps): JSX.Element {
  const { cwd } = open.session;
  const places = placesOf(entry);
  const isRunning = !hasEnded(entry);
  return (
    <div class="tool-call-body">
      {entry.meta && <SafetyNote meta={entry.meta} />}
      {places.length > 0 && (
        <ul class="tool-call-places" aria-label="Places">
          {places.slice(0, MAX_PLACES).map(({ path, line }, index) => (
            <li key={index}>
              <code>
                {shortPath(path, cwd)}
                {line != null && `:${line}`}
              </code>
            </li>
          ))}
          {places.length > MAX_PLACES && <li>and {wordCount(places.length - MAX_PLACES, 'more place')}</li>}
        </ul>
      )}
      {hasDiffs(entry.content) && <Diffs content={entry.content} cwd={cwd} />}
      {terminals.map((terminal) => (
        <TerminalPart key={terminal.terminalId} terminal={terminal} isRunning={isRunning} open={open} />
      ))}
      {drawContents(entry, cwd)}
      <RawParts entry={entry} />
    </div>
  );
}

function TerminalPart({
  terminal,
  isRunning,
  open,
}: {
  readonly terminal: TerminalRecord;
  readonly isRunning: boolean;
  readonly open: OpenSession;
}): JSX.Element {
  const { terminalId, command, cwd, output, isTruncated, exit, canCancel } = terminal;
  const hasExited = exit !== undefined;
  return (
    <div class="tool-call-terminal">
      {command !== undefined && (
        <p class="terminal-command" title={cwd}>
          <span aria-hidden="true">$ </span>
          {visibleText(command)}
        </p>
      )}
      <TerminalOutput output={output} isRunning={isRunning && !hasExited} isTruncated={isTruncated} />
      {hasExited && (
        <p class="terminal-note">
          {exit.signal ? `Ended by ${exit.signal}` : `Exit code ${exit.exitCode ?? 'not told'}`}
        </p>
      )}
      {canCancel && !hasExited && (
        <button
          type="button"
          class="text-button"
          onClick={() => void open.session.cancelTerminal(terminalId).catch(() => {})}
        >
          Stop command
        </button>
      )}
    </div>
  );
}

/** The output of a command is shown as one, all else by its kind. */
function drawContents(entry: ToolCallEntry, cwd: string): JSX.Element | JSX.Element[] {
  const isOutput = entry.kind === 'execute';
  const others = entry.content.filter((part) => !isOutput || part.type !== 'content' || part.content.type !== 'text');
  const text = isOutput ? outputOf(entry) : '';
  return [
    ...(text === '' ? [] : [<TerminalOutput key="output" output={text} isRunning={false} isTruncated={false} />]),
    ...others.flatMap((part, index) => drawPart(part, index, cwd) ?? []),
  ];
}

function drawPart(part: ToolCallContent, index: number, cwd: string): JSX.Element | undefined {
  if (part.type === 'content')
    return (
      <div key={index} class="tool-call-content">
        <Content block={part.content} cwd={cwd} />
      </div>
    );
  if (part.type === 'changes' && part.patch === undefined)
    return (
      <ul key={index} class="tool-call-places" aria-label="Changed files">
        {part.changes.map(({ operation, path, oldPath }) => (
          <li key={path}>
            <code>
              {visibleText(operation)} {oldPath !== undefined && `${shortPath(oldPath, cwd)} → `}
              {shortPath(path, cwd)}
            </code>
          </li>
        ))}
      </ul>
    );
  return part.type === 'unknown' ? (
    <RawCard key={index} label="A part of a kind that this page does not know" raw={part.raw} />
  ) : undefined;
}

function RawParts({ entry }: { readonly entry: ToolCallEntry }): JSX.Element | null {
  const parts = [
    { label: 'Input', raw: entry.rawInput },
    { label: 'Output', raw: entry.rawOutput },
  ].filter(({ raw }) => raw !== undefined && raw !== null);
  if (parts.length === 0) return null;
  return (
    <details class="tool-call-raw">
      <summary>{parts.map(({ label }) => label).join(' and ')} as sent</summary>
      {parts.map(({ label, raw }) => (
        <CodeBlock key={label} code={writeRaw(raw)} language="json" label={label} />
      ))}
    </details>
  );
}
