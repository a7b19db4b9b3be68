import { describe, expect, it } from 'vitest';
import { dial, host } from './support/hosting.ts';
import { readRecording, recordedAgent } from './support/recording.ts';
import { isOwn, type Replayed, replayClient, type Told } from './support/replay-client.ts';

type Update = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };

/** Recordings of real agents with a fake model: `scripts/make-recording.ts` makes them. The number is the version of the protocol. */
describe.each(['claude-1', 'claude-2', 'codex-1', 'codex-2', 'gemini-1', 'opencode-1', 'qwen-1'])(
  'what %s says',
  (name) => {
    const version = Number(name.slice(-1));

    async function replay(): Promise<Replayed> {
      const recording = readRecording(name);
      return replayClient(dial(host(recordedAgent(recording))), recording, version);
    }

    it('arrives whole at a client of a gateway, message by message', async () => {
      const { sent, received } = await replay();
      const told = (all: readonly Told[]): unknown[] =>
        all
          .filter(({ kind, body }) => kind === 'notification' && !isOwn(body))
          .map(({ method, body }) => ({ method, body: asFirst(body) }));
      expect(told(received)).toEqual(told(sent));
      const asked = (all: readonly Told[]): unknown[] =>
        all.filter(({ kind }) => kind === 'request').map(({ method, body }) => ({ method, body }));
      expect(asked(received)).toEqual(asked(sent));

      // A prompt of version 2 is answered with the name that the message has in our log.
      const answered = (all: readonly Told[]): Told[] => all.filter(({ kind }) => kind === 'answer');
      const bodies = answered(received).map(({ method, body }) => ({ method, body }));
      for (const [index, { method, body }] of answered(sent).entries()) {
        if (method === 'session/prompt' && version === 2) continue;
        expect(bodies[index], method).toMatchObject({ method, body: withoutNothing(body) });
      }
      expect(bodies.length).toBe(answered(sent).length);
    }, 60_000);

    it('comes in its order, and an answer after all that was said before it', async () => {
      const { sent, received } = await replay();
      const places = (all: readonly Told[]): [string, number][] => {
        let before = 0;
        return all.flatMap((each): [string, number][] => {
          if (each.kind !== 'notification') return [[`${each.kind} ${each.method}`, before]];
          if (!isOwn(each.body)) before += 1;
          return [];
        });
      };
      const wanted = places(sent).filter(([what]) => version === 1 || what !== 'answer session/prompt');
      const found = places(received).filter(([what]) => version === 1 || what !== 'answer session/prompt');
      const byName = (list: [string, number][], kind: string) => list.filter(([what]) => what.startsWith(kind));
      expect(byName(found, 'answer')).toEqual(byName(wanted, 'answer'));
      // A question is put when the log has it, and what the agent says meanwhile may come first.
      for (const [index, [what, before]] of byName(wanted, 'request').entries()) {
        const [like, heard] = byName(found, 'request')[index] ?? ['', 0];
        expect(like).toBe(what);
        expect(heard).toBeGreaterThanOrEqual(before);
      }
    }, 60_000);

    it('is told by the log where it is the log that knows: prompts once, states, settings and commands', async () => {
      const { sent, received } = await replay();
      expect(said(updates(received), 'user')).toBe(version === 1 ? '' : said(updates(sent), 'user'));
      for (const kind of ['current_mode_update', 'config_option_update', 'available_commands_update']) {
        const last = (all: readonly Told[]): Update | undefined =>
          updates(all).findLast(({ sessionUpdate }) => sessionUpdate === kind);
        const wanted = last(sent);
        if (wanted) expect(last(received)).toEqual(wanted);
      }
      expect(states(received)).toEqual(states(sent));
    }, 60_000);
  },
);

/** A field that is null, or a list of logins that is empty, says as much as none. */
function withoutNothing(body: unknown): unknown {
  const said = Object.entries(body ?? {}).filter(([, value]) => value !== null && JSON.stringify(value) !== '[]');
  return Object.fromEntries(said);
}

/** The first update of a tool call, of which only a question told before, arrives as the call. */
function asFirst(body: unknown): unknown {
  const { update } = (body ?? {}) as { readonly update?: Update };
  if (update?.sessionUpdate !== 'tool_call_update' && update?.sessionUpdate !== 'tool_call') return body;
  return { ...(body as object), update: { ...update, sessionUpdate: 'tool_call' } };
}

function updates(all: readonly Told[]): Update[] {
  return all
    .filter(({ method }) => method === 'session/update')
    .map(({ body }) => (body as { readonly update: Update }).update);
}

function said(all: readonly Update[], who: 'user'): string {
  return all
    .filter(({ sessionUpdate }) => sessionUpdate.startsWith(`${who}_message`))
    .flatMap(({ content }) => [content].flat())
    .map((block) => (block as { readonly text: string }).text)
    .join('|');
}

/** How the session went on, without the numbers of our turns; told twice, a state is the same. */
function states(all: readonly Told[]): unknown[] {
  const told = updates(all)
    .filter(({ sessionUpdate }) => sessionUpdate === 'state_update')
    .map(({ _meta, ...state }) => {
      const { 'parley/state': _, ...meta } = (_meta ?? {}) as Readonly<Record<string, unknown>>;
      return Object.keys(meta).length > 0 ? { ...state, _meta: meta } : state;
    });
  return told.filter((state, index) => JSON.stringify(state) !== JSON.stringify(told[index - 1]));
}
