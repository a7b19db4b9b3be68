import { type AgentScript, MISBEHAVIOURS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import { AgentError } from '../../src/errors.ts';
import { spawnAgent } from '../../src/node/spawn-agent.ts';
import type { PhaseEvent } from '../../src/phase.ts';
import type { TurnEvent } from '../../src/turn/turn-event.ts';
import { CWD, failureOf, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

describe('an agent that does not come up', () => {
  it('is given up at the deadline of the phase, with a progress event before', async () => {
    const phases: PhaseEvent[] = [];
    const error = await failureOf(
      agents.connect(MISBEHAVIOURS.neverAnswers, {
        deadlines: { initialize: 1300 },
        onPhase: (event) => phases.push(event),
      }),
    );
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: 'deadline_passed', phase: 'initialize', agent: 'scripted' });
    expect(String(error)).toContain('did not answer initialize within 1.3 s');
    expect(phases.map(({ phase, status }) => `${phase} ${status}`)).toEqual([
      'spawn started',
      'spawn done',
      'initialize started',
      'initialize waiting',
      'initialize failed',
    ]);
  });

  it('that dies is reported with its exit code and last words', async () => {
    const error = await failureOf(agents.connect(MISBEHAVIOURS.diesAtStart));
    expect(error).toMatchObject({ code: 'agent_exited', phase: 'initialize', exitCode: 3, signal: null });
    expect(String(error)).toContain('scripted exited with code 3 during initialize');
    expect(String(error)).toContain('fatal: no configuration found');
  });

  it('can be given up before its deadline', async () => {
    const controller = new AbortController();
    const connecting = failureOf(agents.connect(MISBEHAVIOURS.neverAnswers, { signal: controller.signal }));
    controller.abort(new Error('never mind'));
    expect(String(await connecting)).toContain('never mind');
    const open = (): Promise<never> => new Promise(() => {});
    const dialling = failureOf(connect({ name: 'nowhere', open }, { signal: AbortSignal.timeout(20) }));
    expect(await dialling).toMatchObject({ name: 'TimeoutError' });
  });

  it('with a version we do not speak is refused and closed', async () => {
    const error = await failureOf(agents.connect(MISBEHAVIOURS.wrongVersion));
    expect(error).toMatchObject({ code: 'unsupported_version' });
    expect(String(error)).toContain('speaks ACP version 7');
  });

  it('that never opens a session is given up there, and the connection can be closed', async () => {
    await using connection = await agents.connect(MISBEHAVIOURS.neverOpensSession, {
      deadlines: { 'session/new': 50 },
    });
    const error = await failureOf(connection.newSession({ cwd: CWD }));
    expect(error).toMatchObject({ code: 'deadline_passed', phase: 'session/new' });
  });

  it('that writes without a line end is given up for its size, long before the deadline', async () => {
    const endless = `const more = () => process.stdout.write('x'.repeat(65536), more); more();`;
    const source = spawnAgent(process.execPath, ['-e', endless], { recordsDir: false, maxMessageBytes: 1_000_000 });
    const notices: string[] = [];
    const error = await failureOf(connect(source, { onDiagnostic: ({ message }) => notices.push(message) }));
    expect(error).toMatchObject({ code: 'invalid_answer', phase: 'initialize' });
    expect(String(error)).toContain('sent more than 1000000 bytes without a line end; is it an ACP agent');
    expect(notices[0]).toContain('that message was passed over');
  });

  it('that answers nonsense gets an error with the path', async () => {
    await using connection = await agents.connect(MISBEHAVIOURS.invalidAnswers);
    const error = await failureOf(connection.newSession({ cwd: CWD }));
    expect(error).toMatchObject({ code: 'invalid_answer', phase: 'session/new' });
    expect(String(error)).toContain('sessionId: expected string');
  });

  it('that names a session with a megabyte is refused', async () => {
    const script = { on: { 'session/new': [{ do: 'respond', result: { sessionId: '$fill:1000000' } } as const] } };
    await using connection = await agents.connect(script);
    const error = await failureOf(connection.newSession({ cwd: CWD }));
    expect(error).toMatchObject({ code: 'invalid_answer' });
    expect(String(error).length).toBeLessThan(1000);
  });
});

describe('an agent that fails in a turn', () => {
  it('by dying rejects the result and the events with exit code and last words', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.diesMidTurn);
    await using _ = connection;
    const turn = session.prompt('hello');
    const events: TurnEvent[] = [];
    const seen = failureOf(collect(turn, events));
    const error = await failureOf(turn.result);
    expect(error).toMatchObject({ code: 'agent_exited', exitCode: 7 });
    expect(String(error)).toContain('panic: out of memory');
    expect(await seen).toBe(error);
    expect(events).toEqual([{ type: 'text', text: 'half a sen' }]);
    expect(session.transcript.turns.at(0)).toMatchObject({ status: 'failed' });
    expect(session.state).toBe('lost');
    expect(() => session.prompt('again')).toThrow(/lost/);
    expect(await connection.closed).toMatchObject({ code: 'agent_exited' });
  });

  it('by a signal is reported with the signal', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.isKilledMidTurn);
    await using _ = connection;
    expect(await failureOf(session.prompt('hello').result)).toMatchObject({ code: 'agent_exited', signal: 'SIGKILL' });
  });

  it('by closing its output ends the turn too', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.closesOutputMidTurn);
    await using _ = connection;
    const error = await failureOf(session.prompt('hello').result);
    expect(error).toBeInstanceOf(AgentError);
  });

  it('by freezing can still be closed', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.freezesMidTurn);
    const turn = session.prompt('hello');
    for await (const event of turn) {
      expect(event).toEqual({ type: 'text', text: 'half' });
      break;
    }
    await connection.close();
    expect(await failureOf(turn.result)).toMatchObject({ code: 'connection_closed' });
  });
});

describe('an agent with bad manners on the wire', () => {
  it('may write noise to stdout; it is counted', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.noiseOnStdout);
    await using _ = connection;
    expect((await session.prompt('hello').result).text).toBe('fine');
    expect(connection.counts.noiseLines).toBeGreaterThanOrEqual(3);
  });

  it('may end a turn with a stop reason that nobody knows; the turn counts, and it is told', async () => {
    const told: string[] = [];
    const script: AgentScript = {
      on: {
        'session/prompt': [
          { do: 'say', text: 'done' },
          { do: 'respond', result: { stopReason: 'bored' } },
        ],
      },
    };
    const { connection, session } = await agents.open(script, { onDiagnostic: ({ message }) => told.push(message) });
    await using _ = connection;
    expect(await session.prompt('hello').result).toMatchObject({ stopReason: 'end_turn', text: 'done' });
    expect(told).toEqual([expect.stringContaining('stopReason')]);
  });

  it('may send updates after the response; the transcript has them', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.updatesAfterResponse);
    await using _ = connection;
    // Where both come in one piece, what is late is in the turn too.
    expect((await session.prompt('hello').result).text).toMatch(/^early/);
    const said = (): unknown[] => session.transcript.entries.toArray().map((entry) => 'text' in entry && entry.text);
    await expect.poll(said).toEqual(['hello', 'early late']);
  });

  it('loses nothing when updates and response share a chunk', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.updatesInChunkOfResponse);
    await using _ = connection;
    const { text } = await session.prompt('hello').result;
    expect(text).toBe(Array.from({ length: 100 }, (_, index) => `${index},`).join(''));
  });

  it('cannot reach a session with the id of another', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.foreignSessionIds);
    await using _ = connection;
    const result = await session.prompt('hello').result;
    expect(result.text).toBe('mine');
    expect(JSON.stringify(session.transcript)).not.toContain('not mine');
    expect(connection.counts.foreignUpdates).toBe(2);
  });

  it('may send unknown variants; they are kept, and what is broken is left out', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.unknownVariants);
    await using _ = connection;
    const { text, entries } = await session.prompt('hello').result;
    expect(text).toBe('still here');
    expect(entries.filter(({ type }) => type === 'unknown')).toMatchObject([
      { variant: 'hologram', raw: { beam: { strength: 9 } } },
    ]);
  });

  it('may flood; all of it arrives', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.flood);
    await using _ = connection;
    expect((await session.prompt('hello').result).text).toBe('x'.repeat(20_000));
  });

  it('may write a line of 600 KB', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.hugeLine);
    await using _ = connection;
    expect((await session.prompt('hello').result).text).toBe('big');
  });

  it('may ask what nobody knows; it is told so, and the turn goes on', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.asksUnknownThings);
    await using _ = connection;
    const { text } = await session.prompt('hello').result;
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).error.code),
    ).toEqual([-32601, -32601]);
  });

  it('may use what was not offered; it is refused', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.usesFilesUnasked);
    await using _ = connection;
    const { text } = await session.prompt('hello').result;
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).error.code),
    ).toEqual([-32601, -32601]);
  });
});

describe('updates before the session is known', () => {
  it('are kept for the session and reach no other', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.earlyUpdates);
    await using _ = connection;
    expect(session.transcript.commands).toEqual([{ name: 'plan', description: 'Make a plan' }]);
    expect(session.transcript.title).toBe('Early title');
    expect(connection.counts).toMatchObject({ foreignUpdates: 1, droppedUpdates: 0 });
  });
});

async function collect(turn: AsyncIterable<TurnEvent>, events: TurnEvent[]): Promise<void> {
  for await (const event of turn) events.push(event);
}
