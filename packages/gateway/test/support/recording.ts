import { readFileSync } from 'node:fs';
import type { AgentSource } from '@parley/client';
import type { Message, Transport } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';

/** One message of a conversation that was recorded between a client and an agent. */
export interface RecordedLine {
  readonly from: 'agent' | 'client';
  readonly message: RecordedMessage;
}

export interface RecordedMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

export function readRecording(name: string): RecordedLine[] {
  const file = new URL(`../recordings/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedLine);
}

/** An agent that says what a real one said: after each message of the client, all that followed it in the recording. */
export function recordedAgent(recording: readonly RecordedLine[]): AgentSource {
  return {
    name: 'a recording',
    async open() {
      const [near, far] = createMemoryPair();
      play(recording, far);
      return { transport: near };
    },
  };
}

function play(recording: readonly RecordedLine[], wire: Transport): void {
  let at = 0;
  const waiting: RecordedMessage[] = [];
  /** The ids of the client's requests, by those that were recorded. */
  const ids = new Map<unknown, unknown>();
  const goOn = (): void => {
    for (let line = recording[at]; line; line = recording[at]) {
      const { from, message } = line;
      if (from === 'agent') {
        void wire.send(answers(message) ? ({ ...message, id: ids.get(message.id) } as Message) : (message as Message));
      } else {
        const index = waiting.findIndex((each) => isSame(each, message));
        const [found] = index < 0 ? [] : waiting.splice(index, 1);
        if (!found) return;
        ids.set(message.id, found.id);
      }
      at += 1;
    }
  };
  wire.onMessage((message) => {
    waiting.push(message as RecordedMessage);
    goOn();
  });
}

/** Whether a message is an answer. */
export function answers({ method }: RecordedMessage): boolean {
  return method === undefined;
}

function isSame(given: RecordedMessage, recorded: RecordedMessage): boolean {
  return answers(recorded) ? answers(given) && given.id === recorded.id : given.method === recorded.method;
}
