import type { ToolCallEntry, TurnEvent } from '@parley/client';
import { customContentLabel, isCustomContent } from '@parley/protocol';
import type { CliContext } from '../context.ts';
import type { OutputSettings } from '../run/output-settings.ts';
import { describeDenial } from './describe-denial.ts';
import { describeNotice } from './describe-notice.ts';
import { describeToolCall } from './describe-tool-call.ts';
import { printable, printableLine } from './printable.ts';
import { createProgress } from './progress.ts';
import type { RunOutput } from './run-output.ts';
import { createStyles, hasColor } from './styles.ts';

/** A readable account: what the agent says, and a line for each thing it does. */
export function createTextOutput(settings: OutputSettings, context: CliContext): RunOutput {
  const { isVerbose, hidesReads, isQuietAboutProgress } = settings;
  const { stdout, stderr } = context;
  const progress = createProgress(context, { isSilent: isQuietAboutProgress });
  const styles = createStyles(hasColor(context, stdout, settings));
  const errorStyles = createStyles(hasColor(context, stderr, settings));
  /** The state in which each tool call was shown last. */
  const shown = new Map<string, string>();
  /** What the last thing written was, so that a new kind begins on a new line. */
  let last: 'nothing' | 'text' | 'thought' | 'line' = 'nothing';
  let isAtLineStart = true;

  const write = (text: string): void => {
    if (text === '') return;
    isAtLineStart = text.endsWith('\n');
    stdout.write(text);
  };
  const begin = (kind: 'text' | 'thought' | 'line'): void => {
    if (!isAtLineStart && (kind !== last || kind === 'line')) write('\n');
    if (kind === 'text' && last === 'line') write('\n');
    if (kind === 'thought' && last !== 'thought') write(styles.dim('[thinking] '));
    last = kind;
  };
  const line = (text: string): void => {
    begin('line');
    write(`${text}\n`);
  };
  const onToolCall = (toolCall: ToolCallEntry): void => {
    const { toolCallId, status, title } = toolCall;
    const hasEnded = status !== 'pending' && status !== 'in_progress';
    const state = hasEnded ? status : `running ${title}`;
    if (shown.get(toolCallId) === state) return;
    shown.set(toolCallId, state);
    line(
      describeToolCall(toolCall, {
        styles,
        isVerbose,
        hidesReads,
      }),
    );
  };

  return {
    wantsMessages: false,
    onMessage: () => {},
    onPhase: progress.onPhase,
    onSilence: progress.onSilence,
    onNotice: progress.say,
    onSession(sessionId, agent) {
      if (isVerbose) progress.say(`session ${sessionId} with ${agent}`);
    },
    onEvent(event: TurnEvent) {
      switch (event.type) {
        case 'text':
          begin('text');
          return write(printable(event.text));
        case 'thought':
          begin('thought');
          return write(styles.dim(printable(event.text)));
        case 'content':
          return line(styles.dim(wordContentType(event.content)));
        case 'tool_call':
          return onToolCall(event.toolCall);
        case 'plan':
          line(styles.bold('[plan]'));
          for (const { status, content } of event.entries)
            line(`  ${PLAN_MARKS[status] ?? '-'} ${printableLine(content)}`);
          return;
        case 'notice':
          return line(styles.yellow(describeNotice(event)));
        case 'gap':
          return line(styles.dim(`[${event.skipped} events left out]`));
        default:
          return;
      }
    },
    onEnd({ stopReason, error, denials = [] }) {
      if (!isAtLineStart) write('\n');
      if (stopReason !== undefined) line(styles.dim(`[done] ${stopReason}`));
      for (const each of denials) for (const text of describeDenial(each)) progress.say(text);
      if (!error) return;
      stderr.write(`${errorStyles.red('parley:')} ${printable(error.message)}\n`);
      for (const next of error.next) stderr.write(`${errorStyles.dim('try:')} ${next}\n`);
    },
  };
}

function wordContentType(content: { readonly type: string }): string {
  return isCustomContent(content) ? printableLine(customContentLabel(content)) : `[${content.type}]`;
}

const PLAN_MARKS: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' };
