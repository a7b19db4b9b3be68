import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Capabilities,
  checkOutgoing,
  checkRules,
  ERROR_KINDS,
  isMethodAvailable,
  kindOfError,
  type MethodSpec,
  type RuleContext,
  v1,
} from '../src/index.ts';

const DOCUMENT = new URL('../../../docs/message-flow.md', import.meta.url);
const START = '<!-- error kinds: made by packages/protocol/test/message-flow.test.ts -->';
const END = '<!-- end of error kinds -->';
const DIRECTIONS = { 'Client to agent:': ['client', 'agent'], 'Agent to client:': ['agent', 'client'] } as const;

interface Message {
  readonly jsonrpc: string;
  readonly id?: number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Step {
  readonly line: number;
  readonly sender: string;
  readonly receiver: string;
  readonly message: Message;
}

/** What the client and the agent of the page advertise in its first two messages. */
function advertisedBy([asked, answered]: readonly Step[]): Required<Capabilities> & RuleContext {
  const { clientCapabilities = {} } = v1.parseParams('initialize', asked?.message.params);
  const { agentCapabilities = {} } = v1.parseResult('initialize', answered?.message.result);
  return { ...agentCapabilities, clientCapabilities, agentCapabilities };
}

/** The messages of the page, each with who sends it. */
function stepsOf(text: string): readonly Step[] {
  return [...text.matchAll(/^(.*)\n\n```json\n([\s\S]*?)\n```$/gm)].map((match) => {
    const [, said = '', json = ''] = match;
    const line = text.slice(0, match.index + match[0].indexOf(json)).split('\n').length;
    const direction = DIRECTIONS[said as keyof typeof DIRECTIONS];
    expect(direction, `line ${line}: who sends the message must stand above it, got "${said}"`).toBeDefined();
    return { line, sender: direction[0], receiver: direction[1], message: JSON.parse(json) as Message };
  });
}

/** The table of error kinds, as the code has them. */
function errorTable(): string {
  const rows = Object.entries(ERROR_KINDS).map(([kind, { code, message, recoverable, action }]) => [
    `\`${kind}\``,
    String(code),
    message,
    recoverable,
    action.replaceAll('_', ' '),
  ]);
  const lines = [['kind', 'number', 'message', 'can still succeed', 'what to do'], Array(5).fill('---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

describe('docs/message-flow.md', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const steps = stepsOf(text);

  it('says of every JSON block who sends it', () => {
    expect(steps.length).toBe(text.split('```json\n').length - 1);
    expect(steps.length).toBeGreaterThan(50);
  });

  it('has only valid messages that were advertised, sent by the right side, each request answered once', () => {
    const advertised = advertisedBy(steps);
    const open = new Map<string, MethodSpec>();
    for (const { line, sender, receiver, message } of steps) {
      const where = `line ${line}`;
      expect(message.jsonrpc, where).toBe('2.0');
      if (message.method !== undefined) {
        const spec = message.id === undefined ? v1.notificationSpec(message.method) : v1.requestSpec(message.method);
        expect(spec, `${where}: ${message.method}`).toBeDefined();
        if (!spec) continue;
        expect([receiver, 'both'], where).toContain(spec.receiver);
        expect(checkOutgoing(spec.params, message.params), where).toBeUndefined();
        expect(checkRules(spec.method as 'session/new', message.params as never, advertised), where).toBeUndefined();
        expect(isMethodAvailable(spec, advertised), `${where}: ${spec.method} is advertised`).toBe(true);
        if (message.id === undefined) continue;
        expect([...open.keys()], where).not.toContain(`${sender} ${message.id}`);
        open.set(`${sender} ${message.id}`, spec);
        continue;
      }
      if (message.error) expect(kindOfError(message.error), where).not.toBe('internal_error');
      if (message.id === null) {
        expect(message.error, where).toBeDefined();
        continue;
      }
      const request = open.get(`${receiver} ${message.id}`);
      expect(request, `${where}: an answer to a request that is open`).toBeDefined();
      open.delete(`${receiver} ${message.id}`);
      if (request?.kind === 'request' && !message.error)
        expect(checkOutgoing(request.result, message.result), where).toBeUndefined();
    }
    expect([...open.keys()]).toEqual([]);
  });

  it('lists the kinds of errors; PARLEY_UPDATE_DOCS=1 writes them', () => {
    const [before, rest = ''] = text.split(START);
    const after = rest.split(END)[1] ?? '';
    const expected = `${before}${START}\n${errorTable()}\n${END}${after}`;
    if (process.env.PARLEY_UPDATE_DOCS === '1') writeFileSync(DOCUMENT, expected);
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(expected);
  });
});
