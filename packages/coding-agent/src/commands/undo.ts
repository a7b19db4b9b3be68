import { withOutsideFiles } from '../operations/outside-files.ts';
import { undoTurn } from '../session/undo.ts';
import { shownPath } from '../tools/paths.ts';
import type { SlashCommand } from './command.ts';

export const undo: SlashCommand = {
  name: 'undo',
  description: 'Put back the files that the last turn with changes changed',
  async run({ turn, coding, files }) {
    const { cwd, roots } = turn.session;
    const { journal, restored, changedSince } = await undoTurn(coding.undoJournal, withOutsideFiles(files, roots));
    coding.undoJournal = journal;
    const list = (paths: readonly string[]): string => paths.map((path) => `\`${shownPath(path, cwd)}\``).join(', ');
    const lines = [
      ...(restored.length > 0 ? [`Put back as before: ${list(restored)}. What commands did is not undone.`] : []),
      ...(changedSince.length > 0 ? [`Changed again since, so left alone: ${list(changedSince)}.`] : []),
    ];
    void turn.say(lines.join('\n\n') || 'There is nothing to undo.');
  },
};
