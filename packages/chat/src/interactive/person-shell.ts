import { type ShellCommand, tellShellRun } from '../shell/shell-command.ts';
import { runShell, type ShellRun } from '../shell/shell-run.ts';
import { viewShellRun } from '../shell/shell-view.ts';
import type { ChatControls } from './chat-controls.ts';

/** Runs the commands of the person, one at a time. */
export class PersonShell {
  #running: ShellRun | undefined;

  /** The command that runs, if one does. */
  get running(): ShellRun | undefined {
    return this.#running;
  }

  /** Shows what comes of it, and keeps it for the agent's next prompt unless it is private. */
  async run(command: ShellCommand, chat: ChatControls): Promise<void> {
    if (this.#running) throw new Error(`"${this.#running.command}" still runs; esc stops it.`);
    const run = runShell(command.command, {
      cwd: chat.options.session.cwd,
      env: chat.environment.env,
      onOutput: () => chat.window.redraw(),
    });
    this.#running = run;
    const end = await run.ended;
    this.#running = undefined;
    if (!command.isPrivate) chat.conversation.addNote(tellShellRun(command, run.output, end));
    chat.print('shell', viewShellRun(command, { output: run.output, end }, chat.view));
  }
}
