import type { StateEvent, SubagentEvent, UsageEvent } from '../event.ts';
import { applyChunk, applyPrompt } from './apply-chunk.ts';
import { applyCompaction, applyCompactionChunk } from './apply-compaction.ts';
import { applyNotice } from './apply-notice.ts';
import { applyPlan } from './apply-plan.ts';
import { applyTerminal, applyTerminalOutput } from './apply-terminal.ts';
import { applyToolCall, applyToolCallChunk, cancelToolCalls } from './apply-tool-call.ts';
import { applyWhole } from './apply-whole.ts';
import { appendEntry, isRunning } from './entries.ts';
import { createTranscript, type Transcript, type TurnRecord } from './transcript.ts';
import type { LocalEvent, TranscriptEvent } from './transcript-event.ts';

/**
 * The transcript after an event. Pure: the given transcript stays as it was, and the cost does not grow with its length.
 * `at` is the time of the event, for durations; a fold that does not care leaves it out.
 */
export function applyEvent(transcript: Transcript, event: TranscriptEvent, at?: number): Transcript {
  switch (event.type) {
    case 'message_chunk':
    case 'thought_chunk':
      return applyChunk(transcript, event, at);
    case 'whole_message':
    case 'whole_thought':
      return applyWhole(transcript, event, at);
    case 'tool_call':
      return applyToolCall(transcript, event, at);
    case 'tool_call_chunk':
      return applyToolCallChunk(transcript, event, at);
    case 'plan':
      return applyPlan(transcript, event);
    case 'subagent':
      return { ...transcript, subagents: applySubagent(transcript.subagents, event) };
    // The tool call of the sub-agent holds its task and its report.
    case 'session_message':
      return transcript;
    case 'commands':
      return { ...transcript, commands: event.commands };
    case 'mode':
      return applyMode(transcript, event.modeId);
    case 'modes':
      return { ...transcript, mode: { currentModeId: event.currentModeId, availableModes: event.availableModes } };
    case 'config':
      return { ...transcript, options: event.options };
    case 'info':
      return {
        ...transcript,
        title: event.title === undefined ? transcript.title : (event.title ?? undefined),
        updatedAt: event.updatedAt === undefined ? transcript.updatedAt : (event.updatedAt ?? undefined),
      };
    case 'usage':
      return { ...transcript, usage: contextUsage(event) };
    case 'notice':
      return applyNotice(transcript, event, at);
    case 'compaction':
      return applyCompaction(transcript, event, at);
    case 'compaction_chunk':
      return applyCompactionChunk(transcript, event, at);
    case 'terminal':
      return applyTerminal(transcript, event);
    case 'terminal_output':
      return applyTerminalOutput(transcript, event);
    case 'unknown':
      return appendEntry(
        transcript,
        { type: 'unknown', variant: event.variant, raw: event.raw },
        { at, meta: event.meta },
      );
    case 'state':
      return applyState(transcript, event);
    default:
      return applyLocalEvent(transcript, event, at);
  }
}

/**
 * What turns of others do: a turn of ours has events of its own. A lost connection is lost until it is restored, and what is told
 * again does not happen now.
 */
function applyState(transcript: Transcript, { state }: StateEvent): Transcript {
  if (transcript.state === 'lost' || transcript.isReplaying) return transcript;
  if (!isRunning(transcript)) return { ...transcript, state: state === 'requires_action' ? 'waiting' : state };
  // Of a turn of ours only whether it waits for a person is told so.
  if (state === 'idle' || transcript.state === 'cancelling') return transcript;
  return state === 'requires_action' ? { ...transcript, state: 'waiting' } : withState(transcript);
}

/** Omitted keeps what was there, null clears it. */
function applySubagent(
  subagents: Transcript['subagents'],
  { type: _, meta: _meta, ...told }: SubagentEvent,
): Transcript['subagents'] {
  const before = subagents.find(({ sessionId }) => sessionId === told.sessionId);
  const known = Object.fromEntries(Object.entries({ ...before, ...told }).filter(([, value]) => value !== null));
  const after = { ...known, sessionId: told.sessionId };
  return before ? subagents.map((each) => (each === before ? after : each)) : [...subagents, after];
}

type LocalOnly = Exclude<LocalEvent, { type: 'modes' }>;

function applyLocalEvent(transcript: Transcript, event: LocalOnly, at: number | undefined): Transcript {
  switch (event.type) {
    case 'turn_started':
      return applyPrompt(startTurn(transcript, at), event.prompt, at);
    case 'turn_cancelling':
      return cancelToolCalls({
        ...changeTurn(transcript, { status: 'cancelling' }),
        state: transcript.state === 'lost' ? 'lost' : 'cancelling',
        questions: [],
      });
    case 'turn_ended': {
      const { stopReason, usage, meta } = event;
      const ended = changeTurn(transcript, {
        status: 'ended',
        stopReason,
        ...(usage && { usage }),
        ...(meta && { meta }),
        ...(at !== undefined && { endedAt: at }),
      });
      return stopReason === 'cancelled' ? cancelToolCalls(settled(ended)) : settled(ended);
    }
    case 'turn_failed':
      return cancelToolCalls(
        settled(
          changeTurn(transcript, { status: 'failed', error: event.error, ...(at !== undefined && { endedAt: at }) }),
        ),
      );
    case 'question':
      return withState({ ...transcript, questions: [...transcript.questions, event.question] });
    case 'answer':
      return withState({
        ...transcript,
        questions: transcript.questions.filter(({ questionId }) => questionId !== event.questionId),
      });
    case 'replay_started':
      return { ...transcript, isReplaying: true };
    case 'replay_ended':
      return { ...transcript, isReplaying: false };
    case 'cleared':
      return cleared(transcript);
    case 'session_replaced':
      return transcript;
    case 'connection_lost':
      return { ...transcript, state: 'lost', questions: [] };
    case 'connection_restored':
      return { ...transcript, state: stateOfTurn(transcript) };
  }
}

/** A turn that has outlived the connection goes on. */
function stateOfTurn({ turns }: Transcript): Transcript['state'] {
  const status = turns.at(-1)?.status;
  return status === 'running' || status === 'cancelling' ? status : 'idle';
}

/** Settings of the session stay; its conversation goes. */
function cleared({ commands, mode, options, title, updatedAt, state, questions, isReplaying }: Transcript): Transcript {
  return { ...createTranscript(), commands, mode, options, title, updatedAt, state, questions, isReplaying };
}

function startTurn(transcript: Transcript, at: number | undefined): Transcript {
  const turn: TurnRecord = {
    status: 'running',
    firstEntry: transcript.entries.length,
    ...(at !== undefined && { startedAt: at }),
  };
  return { ...transcript, turns: transcript.turns.push(turn), state: 'running', plan: [], plans: [] };
}

/** Changes the turn that runs; an event that comes when none does changes nothing. */
function changeTurn(transcript: Transcript, change: Partial<TurnRecord>): Transcript {
  const turn = transcript.turns.at(-1);
  if (!turn || turn.status === 'ended' || turn.status === 'failed') return transcript;
  return { ...transcript, turns: transcript.turns.set(transcript.turns.length - 1, { ...turn, ...change }) };
}

function settled(transcript: Transcript): Transcript {
  const state = transcript.state === 'lost' ? 'lost' : 'idle';
  return { ...transcript, state, questions: [], folding: { ...transcript.folding, unechoed: '' } };
}

/** A running session waits exactly as long as a question is open. */
function withState(transcript: Transcript): Transcript {
  if (transcript.state !== 'running' && transcript.state !== 'waiting') return transcript;
  return { ...transcript, state: transcript.questions.length > 0 ? 'waiting' : 'running' };
}

function applyMode(transcript: Transcript, currentModeId: string): Transcript {
  return { ...transcript, mode: { availableModes: transcript.mode?.availableModes ?? [], currentModeId } };
}

function contextUsage({ used, size, cost }: UsageEvent): Transcript['usage'] {
  return cost ? { used, size, cost } : { used, size };
}
