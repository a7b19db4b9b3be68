import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { AgentScript, Step } from './script.ts';
import { wellBehaved } from './well-behaved.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { text?: string }[] };
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * Plays a script on this process's own stdin and stdout. It shares no code with Parley's connection on purpose: a
 * counterpart that made the same mistakes would prove nothing.
 */
export function runScript(script: AgentScript): void {
  const waiting = new Map<unknown, (message: Message) => void>();
  const awaited = new Map<string, (() => void)[]>();
  const saved = new Map<string, string>();
  let lastId = 0;
  let sessions = 0;
  let newestSession = 's0';
  let gathered: string[] | undefined;

  function write(text: string): void {
    if (gathered) gathered.push(text);
    else process.stdout.write(text);
  }
  const send = (message: object): void => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  function ask(method: string, params: unknown): Promise<Message> {
    lastId += 1;
    const id = `agent-${lastId}`;
    send({ id, method, params });
    return new Promise((resolve) => waiting.set(id, resolve));
  }

  async function play(steps: readonly Step[], message: Message, index = 0): Promise<void> {
    for (const step of steps) await playStep(fill(step, message, index), message);
  }

  function fill(step: Step, { params }: Message, index: number): Step {
    if (step.do === 'repeat' || step.do === 'inOneWrite') return step;
    const words: Record<string, string> = {
      $sessionId: params?.sessionId ?? newestSession,
      $prompt: params?.prompt?.map(({ text }) => text ?? '').join('') ?? '',
      $index: String(index),
    };
    const text = JSON.stringify(step).replace(/\$(?:sessionId|prompt|index|saved:\w+|fill:\d+)/g, (word) => {
      if (word.startsWith('$fill:')) return 'x'.repeat(Number(word.slice('$fill:'.length)));
      const value = word.startsWith('$saved:')
        ? (saved.get(word.slice('$saved:'.length)) ?? '')
        : (words[word] ?? word);
      return JSON.stringify(value).slice(1, -1);
    });
    return JSON.parse(text) as Step;
  }

  const say = (message: Message, text: string, messageId?: string): void =>
    send({
      method: 'session/update',
      params: {
        sessionId: message.params?.sessionId ?? newestSession,
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text },
          ...(messageId && { messageId }),
        },
      },
    });

  async function playStep(step: Step, message: Message): Promise<void> {
    switch (step.do) {
      case 'respond':
        return send({ id: message.id, result: step.result });
      case 'fail':
        return send({ id: message.id, error: { code: step.code, message: step.message, data: step.data } });
      case 'update':
        return send({
          method: 'session/update',
          params: { sessionId: step.sessionId ?? message.params?.sessionId ?? newestSession, update: step.update },
        });
      case 'say':
        return say(message, step.text, step.messageId);
      case 'request': {
        const { result, error } = await ask(step.method, step.params);
        const answer = result as { terminalId?: string } | undefined;
        if (step.save && answer?.terminalId) saved.set(step.save, answer.terminalId);
        if (step.echo) say(message, `${JSON.stringify(error === undefined ? { result } : { error })}\n`);
        return;
      }
      case 'ask':
        void ask(step.method, step.params).then(() => play(step.afterwards ?? [], message));
        return;
      case 'notify':
        return send({ method: step.method, params: step.params });
      case 'raw':
        return write(step.text);
      case 'stderr':
        return void process.stderr.write(step.text);
      case 'wait':
        return new Promise((resolve) => setTimeout(resolve, step.ms));
      case 'waitFor':
        return new Promise((resolve) => {
          awaited.set(step.method, [...(awaited.get(step.method) ?? []), resolve]);
        });
      case 'repeat':
        for (let index = 0; index < step.times; index += 1) await play(step.steps, message, index);
        return;
      case 'inOneWrite': {
        gathered = [];
        await play(step.steps, message);
        const text = gathered.join('');
        gathered = undefined;
        return write(text);
      }
      case 'exit':
        return process.exit(step.code);
      case 'killSelf':
        process.kill(process.pid, step.signal);
        return new Promise(() => {});
      case 'closeOutput':
        return void process.stdout.end();
      case 'ignoreSignals':
        for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
        return;
      case 'spawnChild': {
        const stubborn =
          "for (const s of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(s, () => {}); console.log('ready'); setInterval(() => {}, 1000)";
        const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'ignore'] });
        await new Promise((resolve) => child.stdout.once('data', resolve));
        return say(message, `child ${child.pid}\n`);
      }
      case 'tell':
        return say(message, `${tell(step.what)}\n`);
      case 'freeze':
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        return;
    }
  }

  function receive(line: string): void {
    if (line.trim() === '') return;
    const message = JSON.parse(line) as Message;
    const { id, method } = message;
    if (method === undefined) {
      waiting.get(id)?.(message);
      waiting.delete(id);
      return;
    }
    const resolvers = awaited.get(method) ?? [];
    awaited.delete(method);
    for (const resolve of resolvers) resolve();
    if (method === 'session/new' || method === 'session/fork') {
      sessions += 1;
      newestSession = `s${sessions}`;
    }
    const steps =
      script.on?.[`${method} ${message.params?.sessionId}`] ??
      script.on?.[method] ??
      wellBehaved(script, method, id !== undefined, newestSession);
    void play(steps, message);
  }

  const lines = createInterface({ input: process.stdin });
  lines.on('line', receive);
  lines.on('close', () => {
    if (script.ignoresEnd) setInterval(() => {}, 1000);
    else process.exit(0);
  });
  void play(script.onStart ?? [], {});
}

function tell(what: string): string {
  if (what === 'pid') return `pid ${process.pid}`;
  if (what === 'cwd') return process.cwd();
  return process.env[what.slice('env:'.length)] ?? '(not set)';
}
