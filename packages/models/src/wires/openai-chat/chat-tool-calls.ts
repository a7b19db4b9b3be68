import { type JsonObject, numberAt, objectAt, stringAt } from '../../http/json.ts';
import { createCallIds, endToolCall, type OpenToolCall } from '../../http/tool-arguments.ts';
import type { ModelEvent } from '../../model/model.ts';

/** Collects the pieces of tool calls in a chat-completions stream. */
export interface ChatToolCalls {
  read(piece: JsonObject): readonly ModelEvent[];
  end(): readonly ModelEvent[];
  readonly count: number;
}

/**
 * Servers disagree here more than anywhere else. Seen in the wild and accepted: no id, no index, index 0 for every
 * parallel call, the same id twice, the name in every piece, late or never, arguments in one piece, as an object, or null.
 */
export function createChatToolCalls(): ChatToolCalls {
  const calls: OpenToolCall[] = [];
  const takeId = createCallIds();
  const byKey = new Map<string, { readonly call: OpenToolCall; readonly wireId: string | undefined }>();
  let lastKey = '';

  const open = (key: string, wireId: string | undefined, name: string): OpenToolCall => {
    const call: OpenToolCall = { id: takeId(wireId), name, argumentText: '' };
    calls.push(call);
    byKey.set(key, { call, wireId });
    return call;
  };

  return {
    get count() {
      return calls.length;
    },
    read(piece) {
      const fn = objectAt(piece, 'function');
      const name = stringAt(fn, 'name') ?? '';
      const wireId = stringAt(piece, 'id') || undefined;
      const index = numberAt(piece, 'index');
      const key = index === undefined ? (wireId ?? (name === '' ? lastKey : `#${calls.length}`)) : String(index);
      const known = byKey.get(key);
      const isOther = known !== undefined && name !== '' && wireId !== undefined && wireId !== known.wireId;
      lastKey = key;
      const events: ModelEvent[] = [];
      let call = known?.call;
      if (call === undefined || isOther) {
        if (name === '' && wireId === undefined) return events;
        call = open(key, wireId, name);
        events.push({ type: 'tool_call_start', id: call.id, name });
      }
      call.name ||= name;
      const delta = argumentsOf(fn);
      if (delta !== '') {
        call.argumentText += delta;
        events.push({ type: 'tool_call_delta', id: call.id, delta });
      }
      return events;
    },
    end: () => calls.map(endToolCall),
  };
}

function argumentsOf(fn: JsonObject | undefined): string {
  const value = fn?.arguments;
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}
