import { describe, expect, it } from 'vitest';
import { runCommand } from '../../tools/commands/run-command.ts';
import { askUser } from '../../tools/conversation/ask-user.ts';
import { fetchUrl } from '../../tools/fetch-url.ts';
import { deleteFile } from '../../tools/files/delete-file.ts';
import { editFile } from '../../tools/files/edit-file.ts';
import { listFiles } from '../../tools/files/list-files.ts';
import { moveFile } from '../../tools/files/move-file.ts';
import { readFile } from '../../tools/files/read-file.ts';
import { searchFiles } from '../../tools/files/search-files.ts';
import { writeFile } from '../../tools/files/write-file.ts';
import { isAction } from './intent.ts';
import { parsePrompt } from './parse-prompt.ts';
import { callFor } from './tool-call.ts';

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
  ])('are ones that our own tools accept: %s', (prompt) => {
    const [action] = parsePrompt(prompt).steps.filter(isAction);
    const call = action && callFor(action, TOOLS);
    const tool = TOOLS.find(({ name }) => name === call?.name);
    expect(tool).toBeDefined();
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(Object.keys(call?.input ?? {})),
    );
    expect(() => tool?.parse(call?.input ?? {})).not.toThrow();
  });

  it('ask for lines in the words of the tool', () => {
    const [action] = parsePrompt('show lines 3-9 of a.ts').steps.filter(isAction);
    expect(action && callFor(action, TOOLS)?.input).toEqual({ path: 'a.ts', line: 3, limit: 7 });
  });
});
