import { sep } from 'node:path';
import { type Input, objectSchema, requireText } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool } from '../tool.ts';
import { tellMissing } from './similar-paths.ts';

interface Args {
  readonly from: string;
  readonly to: string;
}

export const moveFile: Tool<Args> = {
  name: 'move_file',
  kind: 'move',
  level: 2,
  description: 'Moves or renames a file. Missing directories are created; a file that is in the way is not replaced.',
  inputSchema: objectSchema(
    {
      from: { type: 'string', description: 'The file as it is called now.' },
      to: { type: 'string', description: 'What it is called afterwards.' },
    },
    ['from', 'to'],
  ),
  parse: (input: Input) => ({ from: requireText(input, 'from'), to: requireText(input, 'to') }),
  describe({ from, to }, { cwd }) {
    const [source, target] = [resolvePath(from, cwd), resolvePath(to, cwd)];
    return {
      title: `Move ${shownPath(source, cwd)} to ${shownPath(target, cwd)}`,
      locations: [{ path: source }, { path: target }],
      subject: { type: 'paths', paths: [source, target] },
      undo: `Move ${shownPath(target, cwd)} back to ${shownPath(source, cwd)}.`,
    };
  },
  async run(context) {
    const { args, cwd, operations, signal } = context;
    const [source, target] = [resolvePath(args.from, cwd), resolvePath(args.to, cwd)];
    try {
      if (!(await operations.files.stat(source))) return failure(await tellMissing(args.from, context));
      if (target.startsWith(`${source}${sep}`)) {
        return failure(`${shownPath(source, cwd)} cannot be moved into itself; nothing was moved.`);
      }
      if (await operations.files.stat(target)) {
        return failure(
          `${shownPath(target, cwd)} exists already; nothing was moved. Delete it first or choose another name.`,
        );
      }
      const content = await operations.files.read(source, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      await operations.files.move(source, target);
      return {
        text: `Moved ${shownPath(source, cwd)} to ${shownPath(target, cwd)}.`,
        locations: [{ path: target }],
        rawOutput: { from: source, to: target },
        ...(content !== undefined && {
          changes: [
            { path: source, before: content, after: null },
            { path: target, before: null, after: content },
          ],
        }),
      };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};
