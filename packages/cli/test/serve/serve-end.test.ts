import { existsSync } from 'node:fs';
import { untilGone } from '@parley/testing/processes';
import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();
/** Long enough for a signal to arrive on a busy machine. */
const TURN_MS = 8000;

describe('a server that is told to end', () => {
  it('says what it waits for, and lets the turn that runs come to its end', async () => {
    const agent = parley.agent({
      on: {
        'session/prompt': [
          { do: 'say', text: 'begun, ' },
          { do: 'wait', ms: TURN_MS },
          { do: 'say', text: 'done' },
          END_TURN,
        ],
      },
    });
    await using server = await startServer(parley, [`slow=${agent}`]);
    const asking = parley.start(['exec', '--agent', 'local', 'go on']);
    await asking.sees('begun');
    server.process.kill('SIGTERM');
    await server.sees('waiting up to 30 s for the turn that runs; Ctrl-C again ends at once', 'stderr');
    await expect.poll(() => existsSync(server.facts.portFile), { timeout: 20_000 }).toBe(false);
    expect(await asking.finished).toMatchObject({ code: 0, stdout: 'begun, done\n[done] end_turn\n' });
    expect(await server.finished).toMatchObject({ code: 0 });
  }, 120_000);

  it('ends at once when it is told twice, with all that its agents have started', async () => {
    const agent = parley.agent({
      on: {
        'session/prompt': [
          { do: 'tell', what: 'pid' },
          { do: 'say', text: ' is me' },
        ],
      },
    });
    await using server = await startServer(parley, [`endless=${agent}`]);
    const asking = parley.start(['exec', '--agent', 'local', 'for ever']);
    await asking.sees(' is me');
    server.process.kill('SIGINT');
    await server.sees('waiting up to 30 s', 'stderr');
    server.process.kill('SIGINT');
    expect(await server.finished).toMatchObject({ code: 130 });
    asking.process.kill('SIGINT');
    const { stdout } = await asking.finished;
    await untilGone([Number.parseInt(stdout, 10)], 60_000);
  }, 120_000);

  it('gives up what does not end in time, which is told as interrupted', async () => {
    writeSettings(parley, { serve: { drainSeconds: 1 } });
    const agent = parley.agent({ on: { 'session/prompt': [{ do: 'say', text: 'begun' }] } });
    await using server = await startServer(parley, [`endless=${agent}`]);
    const asking = parley.start(['exec', '--agent', 'local', 'for ever']);
    await asking.sees('begun');
    server.process.kill('SIGTERM');
    expect(await server.finished).toMatchObject({ code: 0, stderr: expect.stringContaining('waiting up to 1 s') });
    const { code, stderr } = await asking.finished;
    expect(code).not.toBe(0);
    expect(stderr).toContain('interrupted');
  }, 120_000);
});
