import { type Fields, isRecord, mapField, mapItems, pick, rename, without } from '../../fields.ts';
import type { MapUpdate } from '../context.ts';
import { dropFacts, keep, keepFacts, keptFact } from '../kept-facts.ts';
import { writeModeId } from '../modes.ts';
import { isDerived } from '../read/tool-call.ts';
import { type DialectState, note } from '../state.ts';
import { writeKind } from './nearest-words.ts';

/** One canonical update as S4:351 tags it. */
export const writeUpdate: MapUpdate = (update, { state }) => {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return [writeMessage(update, 'agent')];
    case 'user_message_chunk':
      return [writeMessage(update, 'user')];
    case 'agent_thought_chunk':
      if (!state.options.strict) return [writeMessage(update, 'thought')];
      note(state, 'D71', 'A thought was left out.');
      return [];
    case 'tool_call':
    case 'tool_call_update':
      return [writeToolCall(tag(update), state)];
    case 'current_mode_update': {
      const currentModeId = writeModeId(update.currentModeId, state.options);
      return [rename({ ...tag(update), currentModeId }, 'currentModeId', 'modeId')];
    }
    default:
      return [tag(update)];
  }
};

function tag(update: Fields): Fields {
  return rename(update, 'sessionUpdate', 'type');
}

/** The hot path, so that nothing is copied that need not be. */
function writeMessage(update: Fields, role: string): Fields {
  const content = [writeContent(update.content)];
  if (update.messageId === undefined && update._meta === undefined) return { type: 'message', role, content };
  const { sessionUpdate: _tag, content: _content, ...rest } = update;
  const known = isDerived(update, 'messageId') ? dropFacts(without(rest, 'messageId'), 'derived') : rest;
  return { ...known, type: 'message', role, content };
}

export function writeContent(block: unknown): unknown {
  return isRecord(block) && block.annotations ? mapField(block, 'annotations', writeAnnotations) : block;
}

/** S4:496 tells the priority in words, and has a title. */
function writeAnnotations(annotations: Fields): Fields {
  const title = keptFact(annotations, 'title');
  const custom = keptFact(annotations, 'custom');
  const rest = dropFacts(annotations, 'title', 'custom');
  const own = { ...(title === undefined ? {} : { title }), ...(isRecord(custom) ? custom : {}) };
  const { priority } = rest;
  if (typeof priority !== 'number') return { ...rest, ...own };
  const isExact = priority === 1 || priority === 0.5 || priority === 0;
  return keep({ ...rest, ...own, priority: priorityInWords(priority) }, isExact ? {} : { priority });
}

function priorityInWords(priority: number): string {
  if (priority >= 0.75) return 'high';
  return priority >= 0.25 ? 'medium' : 'low';
}

function writeToolCall(call: Fields, state: DialectState): Fields {
  return writeLocation(mapItems(writeKind(call), 'content', (item) => writeItem(item, state)));
}

/** S4:519 has one location. */
function writeLocation(call: Fields): Fields {
  const { locations } = call;
  if (locations === undefined) return call;
  const written = pick(call, (name) => name !== 'locations');
  const list: readonly unknown[] = Array.isArray(locations) ? locations : [];
  if (list.length > 0) written.location = list[0];
  return list.length === 1 ? written : keep(written, { locations });
}

function writeItem(item: unknown, state: DialectState): unknown {
  if (!isRecord(item)) return item;
  switch (item.type) {
    case 'content':
      return unwrap(item);
    case 'diff':
      return writeDiff(item);
    case 'terminal':
      return writeTerminal(item, state);
    default:
      return item;
  }
}

/** S4:566 lists content blocks without a wrapper. */
function unwrap(item: Fields): unknown {
  const block = writeContent(item.content);
  if (!isRecord(block)) return item;
  return keepFacts(block, { item: item._meta });
}

/** S4:591 knows the media type; S4:1362 shows a new file by an empty old text. */
function writeDiff(diff: Fields): Fields {
  const mimeType = keptFact(diff, 'mimeType');
  const written = { ...dropFacts(diff, 'mimeType'), ...(typeof mimeType === 'string' ? { mimeType } : {}) };
  if (diff.oldText !== null && diff.oldText !== undefined) return written;
  return keep({ ...written, oldText: '' }, { oldText: null });
}

/** S4:598 tells command and exit code, where they are known. */
function writeTerminal(item: Fields, state: DialectState): Fields {
  const { terminalId } = item;
  const terminal = typeof terminalId === 'string' ? state.terminals.get(terminalId) : undefined;
  const command = keptFact(item, 'command') ?? terminal?.command;
  const exitCode = keptFact(item, 'exitCode') ?? terminal?.exitCode;
  const rest = dropFacts(item, 'command', 'exitCode');
  return { ...rest, ...(command === undefined ? {} : { command }), ...(exitCode === undefined ? {} : { exitCode }) };
}
