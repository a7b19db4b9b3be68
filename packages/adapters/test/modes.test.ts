import { describe, expect, it } from 'vitest';
import { Scene, sharedStore, until } from './scene.ts';

const STAYS = `
  note({ started: words });
  say({ type: 'start', session: 'own-1' });
  for await (const line of lines()) {
    note(JSON.parse(line));
    const { text, interrupt } = JSON.parse(line);
    if (interrupt) say({ type: 'result', text: '', reason: 'interrupted' });
    else if (text === 'wait') say({ type: 'delta', text: 'waiting' });
    else if (text === 'die') process.exit(3);
    else { say({ type: 'delta', text: 'You ' }); say({ type: 'delta', text: 'said ' + text }); say({ type: 'result', text: 'You said ' + text }); }
  }
`;
const PERSISTENT = {
  sessionMode: 'persistent',
  prompt: { stdin: true, stdinFormat: 'json', message: { text: '{{prompt}}' } },
  resume: { flag: '--resume', sessionIdPath: '$.session' },
} as const;

describe('a command line that stays open', () => {
  it('takes one prompt after the other on its stdin', async () => {
    using scene = new Scene(STAYS);
    await using client = await scene.connect(PERSISTENT);
    const sessionId = await client.newSession();
    await client.prompt(sessionId, 'one');
    await client.prompt(sessionId, '{{prompt}} "two" $&');
    expect(scene.notes()).toEqual([{ started: [] }, { text: 'one' }, { text: '{{prompt}} "two" $&' }]);
    expect(client.texts()).toEqual(['You said one', 'You said {{prompt}} "two" $&']);
  });

  it('has a process for each session', async () => {
    using scene = new Scene(STAYS);
    await using client = await scene.connect(PERSISTENT);
    await Promise.all([1, 2].map(async (index) => client.prompt(await client.newSession(), `go ${index}`)));
    expect(scene.notes().filter((note) => 'started' in note)).toHaveLength(2);
  });

  it('is started again with its session when it has died, and the turn in which it died fails', async () => {
    using scene = new Scene(STAYS);
    await using client = await scene.connect(PERSISTENT);
    const sessionId = await client.newSession();
    await client.prompt(sessionId, 'one');
    await expect(client.prompt(sessionId, 'die')).rejects.toThrow('exited with code 3');
    await client.prompt(sessionId, 'two');
    expect(scene.notes().filter((note) => 'started' in note)).toContainEqual({ started: ['--resume', 'own-1'] });
    expect(client.texts()).toEqual(['You said one', 'You said two']);
  });

  it('is started again with other arguments when the mode has changed', async () => {
    using scene = new Scene(STAYS);
    await using client = await scene.connect({ ...PERSISTENT, modes: [{ id: 'a' }, { id: 'b', args: ['--b'] }] });
    const sessionId = await client.newSession();
    await client.prompt(sessionId, 'one');
    await client.connection.request('session/set_mode', { sessionId, modeId: 'b' });
    await client.prompt(sessionId, 'two');
    expect(scene.notes().filter((note) => 'started' in note)).toEqual([
      { started: [] },
      { started: ['--b', '--resume', 'own-1'] },
    ]);
  });

  it('is asked to end a turn that is cancelled, and stays', async () => {
    using scene = new Scene(STAYS);
    await using client = await scene.connect({ ...PERSISTENT, interrupt: { interrupt: '{{id}}' } });
    const sessionId = await client.newSession();
    const turn = client.prompt(sessionId, 'wait');
    await until(() => client.texts().length > 0);
    client.cancel(sessionId);
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    await client.prompt(sessionId, 'two');
    expect(scene.notes().filter((note) => 'started' in note)).toHaveLength(1);
    expect(client.texts()).toEqual(['waiting', 'You said two']);
  });

  it('is ended when it cannot be asked to end a turn, and started again with the next', async () => {
    using scene = new Scene(STAYS);
    await using client = await scene.connect(PERSISTENT);
    const sessionId = await client.newSession();
    const turn = client.prompt(sessionId, 'wait');
    await until(() => client.texts().length > 0);
    client.cancel(sessionId);
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect(await client.prompt(sessionId, 'two')).toMatchObject({ stopReason: 'end_turn' });
    expect(client.texts().at(-1)).toBe('You said two');
  });
});

describe('a command line without memory', () => {
  const ITERATIVE = { sessionMode: 'iterative', prompt: {} } as const;
  const ECHO = `note(words); say({ type: 'text', text: 'Answer $& {{input}}' }); say({ type: 'result', text: '' });`;

  it('is told all that was said before, exactly as it was said', async () => {
    using scene = new Scene(ECHO);
    await using client = await scene.connect(ITERATIVE);
    const sessionId = await client.newSession();
    const odd = 'a $& $$ $1 {{output}} "q" \\ \n {{input}}';
    await client.prompt(sessionId, odd);
    await client.prompt(sessionId, 'two');
    expect(scene.notes()).toEqual([[odd], [`User: ${odd}\nAssistant: Answer $& {{input}}\n\nUser: two`]]);
  });

  it('is told so in the words of its description, with the instructions first, also after a restart', async () => {
    using scene = new Scene(ECHO);
    const store = await sharedStore();
    const description = {
      ...ITERATIVE,
      historyTemplate: { system: 'Be brief.', turnFormat: '<q>{{input}}</q><a>{{output}}</a>' },
    };
    let sessionId: string;
    {
      await using client = await scene.connect(description, { store });
      sessionId = await client.newSession();
      await client.prompt(sessionId, 'one');
    }
    await using client = await scene.connect(description, { store });
    await client.loadSession(sessionId);
    await client.prompt(sessionId, 'two');
    expect(scene.notes()).toEqual([
      ['Be brief.\n\none'],
      ['Be brief.\n\n<q>one</q><a>Answer $& {{input}}</a>\n\n<q>two</q>'],
    ]);
  });

  it('may write plain text', async () => {
    using scene = new Scene(`process.stdout.write('Hello\\n'); process.stdout.write('world');`);
    await using client = await scene.connect({
      ...ITERATIVE,
      outputMode: 'text',
      outputEvents: [],
    });
    await client.prompt(await client.newSession(), 'x');
    expect(client.texts()).toEqual(['Hello\nworld']);
  });

  it('reads its prompt from stdin', async () => {
    using scene = new Scene(`note(readFileSync(0, 'utf8')); say({ type: 'result', text: 'ok' });`);
    await using client = await scene.connect({ ...ITERATIVE, prompt: { stdin: true } });
    await client.prompt(await client.newSession(), 'in here');
    expect(scene.notes()).toEqual(['in here\n']);
  });
});
