import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

/** Has the model make these calls one after the other, and gives what it was asked at the end. */
async function callTools(
  files: Readonly<Record<string, string | Buffer>>,
  calls: readonly (readonly [name: string, input: object])[],
) {
  const project = await makeProject(files);
  const { env, server } = await startModel({
    script: [...calls.map(([name, input]) => ({ events: [{ type: 'tool_call' as const, name, input }] })), 'Done.'],
  });
  const connection = await startInProcess({ agent: { env, permissions: { mode: 'bypassPermissions' } } });
  const session = await connection.newSession({ cwd: project.path });
  const { toolCalls, text } = await session.prompt('go').result;
  expect(text).toBe('Done.');
  return { project, session, toolCalls, asked: JSON.stringify(server.requests.at(-1)?.body) };
}

describe('a model that calls tools', () => {
  it("is told which shell reads its lines, and they see the person's environment", async () => {
    process.env.PARLEY_TEST_PLACE = 'over there';
    const { asked } = await callTools({}, [['run_command', { command: '[[ 1 == 1 ]] && echo "$PARLEY_TEST_PLACE"' }]]);
    delete process.env.PARLEY_TEST_PLACE;
    expect(asked).toMatch(/Shell: (bash|sh|cmd\.exe)/);
    expect(asked).toContain('over there\\n(exit code 0)');
  });

  it('searches as with grep', async () => {
    const { asked } = await callTools({ 'a.ts': 'function one() {\n  return 1;\n}\nfunction two() {}\n' }, [
      ['search_files', { pattern: 'function (one|two)', after: 1 }],
    ]);
    expect(asked).toContain('a.ts:1: function one() {\\na.ts-2-   return 1;\\n--\\na.ts:4: function two() {}');
  });

  it('makes several edits at once, overlooks small differences and reads the changed lines', async () => {
    const edits = [
      { old_text: "one('a');", new_text: "one('b');" },
      { old_text: '    two();', new_text: '    three();' },
    ];
    const { project, asked, toolCalls } = await callTools({ 'a.ts': 'one(\u2018a\u2019);\nif (x) {\n\ttwo();\n}\n' }, [
      ['read_file', { path: 'a.ts' }],
      ['edit_file', { path: 'a.ts', edits }],
    ]);
    expect(await project.read('a.ts')).toBe("one('b');\nif (x) {\n\tthree();\n}\n");
    expect(asked).toContain('(quotes, dashes or blanks; indentation); it was replaced all the same');
    expect(asked).toContain('    3  \\tthree();');
    expect(toolCalls[1]).toMatchObject({ title: 'Edit a.ts (2 places)', status: 'completed' });
  });

  it('does not overwrite what changed after it was read', async () => {
    const { project, asked } = await callTools({ 'a.ts': 'one\n' }, [
      ['read_file', { path: 'a.ts' }],
      ['run_command', { command: 'echo mine >> a.ts' }],
      ['write_file', { path: 'a.ts', content: 'two\n' }],
    ]);
    expect(asked).toContain('a.ts has changed since you read it');
    expect(await project.read('a.ts')).toBe('one\nmine\n');
  });
});
