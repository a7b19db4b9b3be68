import { collectAnswer, createOfflineModel, messageOf, type ToolCallPart, toolCallsOf } from '@parley/models';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../src/tools/commands/run-command.ts';
import { askUser } from '../src/tools/conversation/ask-user.ts';
import { fetchUrl } from '../src/tools/fetch-url.ts';
import { deleteFile } from '../src/tools/files/delete-file.ts';
import { editFile } from '../src/tools/files/edit-file.ts';
import { listFiles } from '../src/tools/files/list-files.ts';
import { moveFile } from '../src/tools/files/move-file.ts';
import { readFile } from '../src/tools/files/read-file.ts';
import { searchFiles } from '../src/tools/files/search-files.ts';
import { writeFile } from '../src/tools/files/write-file.ts';

const TOOLS = [
  readFile,
  writeFile,
  editFile,
  deleteFile,
  moveFile,
  listFiles,
  searchFiles,
  runCommand,
  fetchUrl,
  askUser,
];

/** The first call that the offline model makes for a prompt. */
async function callFor(prompt: string): Promise<ToolCallPart | undefined> {
  const model = createOfflineModel();
  const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }] }] as const;
  return toolCallsOf(messageOf(await collectAnswer(model.stream({ messages, tools: TOOLS }))))[0];
}

describe('the calls of the offline model', () => {
  it.each([
    'read a.ts',
    'show lines 3-9 of a.ts',
    'list the files in src',
    'list *.md',
    'search for "x" in src',
    'replace "a" with "b" in c.ts',
    'create a.txt with "hello"',
    'append "x" to a.txt',
    'delete a.txt',
    'move a.txt to b.txt',
    'run npm test',
    'run node server.js in the background',
    'fetch https://example.com/',
    'ask me "Which port?"',
  ])('are ones that our own tools accept: %s', async (prompt) => {
    const call = await callFor(prompt);
    const tool = TOOLS.find(({ name }) => name === call?.name);
    expect(tool).toBeDefined();
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(Object.keys(call?.input ?? {})),
    );
    expect(() => tool?.parse(call?.input ?? {})).not.toThrow();
  });

  it('ask for lines in the words of the tool', async () => {
    expect((await callFor('show lines 3-9 of a.ts'))?.input).toEqual({ path: 'a.ts', line: 3, limit: 7 });
  });
});
