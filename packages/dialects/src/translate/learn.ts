import { type Fields, isRecord, set } from '../fields.ts';
import type { Direction } from './context.ts';
import { isVersion2 } from './read/capabilities.ts';
import {
  DIALECT_LIMITS,
  type DialectState,
  type PendingRequest,
  remember,
  type SessionState,
  sessionOf,
  terminalOf,
} from './state.ts';
import { addChunk, createTurnContent } from './turn-content.ts';

/** Remembers what a canonical request or notification tells, whichever way it goes. */
export function learnParams(state: DialectState, method: string, params: Fields, direction: Direction): void {
  switch (method) {
    case 'initialize':
      if (isRecord(params.clientCapabilities)) state.clientCapabilities = params.clientCapabilities;
      if (direction === 'in') state.hasPeerInfo = isRecord(params.clientInfo);
      return;
    case 'session/prompt':
      sessionOf(state, params).turn = createTurnContent();
      return;
    case 'session/load':
      learnPlace(state, params, params);
      // The replay names the same calls again, and each of them begins anew.
      sessionOf(state, params).toolCalls.clear();
      return;
    case 'session/cancel': {
      const { turn } = sessionOf(state, params);
      if (turn) turn.isCancelled = true;
      return;
    }
    case 'terminal/kill':
      terminalOf(state, params.terminalId).isRunning = false;
      return;
  }
}

/** Remembers what a canonical result tells. */
export function learnResult(state: DialectState, request: PendingRequest, result: Fields, direction: Direction): void {
  const { method, params } = request;
  switch (method) {
    case 'initialize':
      state.isVersion2 = isVersion2(result);
      if (isRecord(result.agentCapabilities)) state.agentCapabilities = result.agentCapabilities;
      if (direction === 'in') state.hasPeerInfo = isRecord(result.agentInfo);
      return;
    case 'session/new':
    case 'session/fork':
      learnPlace(state, result, params);
      learnSession(sessionOf(state, result), result);
      return;
    case 'session/load':
    case 'session/resume':
    case 'session/set_config_option':
      learnSession(sessionOf(state, params), result);
      return;
    case 'session/set_mode':
      learnMode(sessionOf(state, params), params.modeId);
      return;
    case 'session/prompt':
      sessionOf(state, params).turn = undefined;
      return;
    case 'terminal/create':
      learnTerminal(state, result.terminalId, params);
      return;
    case 'terminal/wait_for_exit':
      terminalOf(state, params.terminalId).isRunning = false;
      return;
    case 'terminal/output':
      learnOutput(state, params.terminalId, result);
      return;
  }
}

/** Remembers what a canonical update tells. */
export function learnUpdate(state: DialectState, session: SessionState, update: Fields): void {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      if (session.turn) addChunk(session.turn, update.content, DIALECT_LIMITS.maxTurnCharacters);
      return;
    case 'tool_call':
    case 'tool_call_update':
      learnToolCall(state, session, update);
      return;
    case 'current_mode_update':
      learnMode(session, update.currentModeId);
      return;
    case 'config_option_update':
      learnSession(session, update);
      return;
  }
}

function learnPlace(state: DialectState, named: Fields, { cwd, mcpServers }: Fields): void {
  const session = sessionOf(state, named);
  if (typeof cwd === 'string') session.cwd = cwd;
  if (Array.isArray(mcpServers)) session.mcpServers = mcpServers;
}

function learnSession(session: SessionState, { modes, configOptions }: Fields): void {
  if (isRecord(modes)) session.modes = modes;
  if (Array.isArray(configOptions)) session.configOptions = configOptions;
}

function learnMode(session: SessionState, currentModeId: unknown): void {
  session.modes = { availableModes: [], ...session.modes, currentModeId };
}

function learnToolCall(state: DialectState, { toolCalls }: SessionState, update: Fields): void {
  const { toolCallId } = update;
  if (typeof toolCallId !== 'string') return;
  const known = toolCalls.get(toolCallId) ?? {};
  // `harness` repeats everything with each change; the others need no more than what a question about the call tells.
  const names = state.choice.dialect === 'harness' ? Object.keys(update) : BRIEF;
  for (const name of names) {
    const value = update[name];
    if (value !== undefined && value !== null && name !== '_meta') set(known, name, value);
  }
  if (!toolCalls.has(toolCallId)) remember(toolCalls, toolCallId, known, DIALECT_LIMITS.maxToolCalls);
}

const BRIEF: readonly string[] = ['title', 'name', 'kind', 'status'];

function learnTerminal(state: DialectState, terminalId: unknown, { command, args, outputByteLimit }: Fields): void {
  const terminal = terminalOf(state, terminalId);
  terminal.isRunning = true;
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
  terminal.command = words.join(' ');
  if (typeof outputByteLimit === 'number' && outputByteLimit >= 0) terminal.outputByteLimit = outputByteLimit;
}

function learnOutput(state: DialectState, terminalId: unknown, { output, exitStatus }: Fields): void {
  const terminal = terminalOf(state, terminalId);
  if (typeof output === 'string') terminal.output = output;
  if (!isRecord(exitStatus)) return;
  terminal.isRunning = false;
  if (typeof exitStatus.exitCode === 'number') terminal.exitCode = exitStatus.exitCode;
}
