import type { BackgroundCommand, BackgroundCommands } from '../operations/operations.ts';

/** Commands that have ended are remembered as long as there are not more than this. */
const MAX_KEPT = 50;

/** The commands that one session has left running, by the names that its model knows. */
export function createBackgroundCommands(): BackgroundCommands {
  const commands = new Map<string, BackgroundCommand>();
  let count = 0;
  return {
    add(command) {
      const id = `command-${++count}`;
      const kept: BackgroundCommand = { ...command, id };
      void command.exited.then((exit) => commands.has(id) && commands.set(id, { ...kept, exit }));
      commands.set(id, kept);
      const ended = [...commands.values()].find(({ exit }) => exit !== undefined);
      if (commands.size > MAX_KEPT && ended) commands.delete(ended.id);
      return id;
    },
    find: (id) => commands.get(id),
    list: () => [...commands.values()],
  };
}
