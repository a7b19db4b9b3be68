import type { CommandOperations, RunningCommand } from '../operations/operations.ts';
import { watchProtected } from './protected-names.ts';

/** The same commands; what they put in the place of a protected name is moved away when they end, and their output says so. */
export function keepProtected(commands: CommandOperations, roots: readonly string[]): CommandOperations {
  return {
    async start(options): Promise<RunningCommand> {
      const watch = watchProtected(roots);
      const running = await commands.start(options);
      const exit = running.exit.then((ended) => {
        const moved = watch.end();
        if (moved.length > 0) options.onOutput?.(`${NOTICE} ${moved.join(', ')}\n`);
        return ended;
      });
      return {
        ...running,
        exit,
        async stop() {
          await running.stop();
          await exit;
        },
      };
    },
  };
}

const NOTICE = '\nThe sandbox moved new files with protected names to:';
