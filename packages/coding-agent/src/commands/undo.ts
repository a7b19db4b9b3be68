import { undoTurn } from '../session/undo.ts';
import { shownPath } from '../tools/paths.ts';
import type { SlashCommand } from './command.ts';

export const undo: SlashCommand = {
  name: 'undo',
  description: 'Put back the files that the last turn with changes changed',
  async run({ turn, coding }) {
    const { cwd } = turn.session;
    const { journal, restored } = await undoTurn(coding.undoJournal, {
      write: (path, content) => coding.files.write(path, Buffer.from(content)),
      remove: (path) => coding.files.remove(path),
    });
    coding.undoJournal = journal;
    if (restored.length === 0) {
      turn.say('There is nothing to undo.');
      return;
    }
    turn.say(
      `Put back as before: ${restored.map((path) => `\`${shownPath(path, cwd)}\``).join(', ')}. What commands did is not undone.`,
    );
  },
};
