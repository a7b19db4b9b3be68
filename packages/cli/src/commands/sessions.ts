import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import { resumeSession } from '../chat/resume-session.ts';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { exportSession } from '../sessions/archive/export-session.ts';
import { importSession } from '../sessions/archive/import-session.ts';
import { closeSession, deleteSessions } from '../sessions/delete-sessions.ts';
import { forkSession } from '../sessions/fork-session.ts';
import { addKeepFlags } from '../sessions/kept-turns.ts';
import { ensureSession, newSession } from '../sessions/new-session.ts';
import { pruneSessions } from '../sessions/prune-sessions.ts';
import { addStoreFlags, refuseStore } from '../sessions/records/server-store.ts';
import { renameSession } from '../sessions/rename-session.ts';
import { trimSession } from '../sessions/trim-session.ts';
import { listSessions } from '../sessions/view/list-sessions.ts';
import { showHistory } from '../sessions/view/show-history.ts';
import { showStatus } from '../sessions/view/show-status.ts';
import { watchSession } from '../sessions/view/watch-session.ts';
import { copySessions } from '../stores/copy-sessions.ts';

/** `parley sessions`: everything about sessions that were kept. */
export function configure(command: Command, context: CliContext): void {
  command.description('Sessions that were kept: those of `parley prompt` and the chat, and all of our own agent.');
  const add = (name: string, says: string): Command => command.command(name).description(says);

  const list = command
    .command('list', { isDefault: true })
    .description('the sessions of this folder')
    .option('--all', 'of every folder, and closed ones too')
    .option('--filter-cwd <dir>', 'of this folder')
    .option('--from-agent', 'ask the agent of --agent what it has')
    .option('--cursor <cursor>', "the page of the agent's list that begins here")
    .option('--local', 'what is known on this machine (the default)')
    .option('--json', 'as JSON')
    .action(async () => listSessions(sharedFlags(list), context));
  addStoreFlags(list);
  const create = add('new', 'begin a session, without a prompt')
    .option('-s, --session <name>', 'a name for it')
    .option('--name <name>', 'the same')
    .option('--resume-session <id>', "take over a session by the agent's own id")
    .action(async () => newSession(sharedFlags(create), context));
  const ensure = add('ensure', 'begin a session unless there is one of that name')
    .option('-s, --session <name>', 'its name')
    .option('--name <name>', 'the same')
    .option('--resume-session <id>', "take over a session by the agent's own id")
    .action(async () => ensureSession(sharedFlags(ensure), context));
  const show = add('show', 'what is known of a session')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .action(async (word?: string) => showStatus(named(show, word), context));
  addStoreFlags(show.option('--json', 'as JSON'));
  const history = add('history', 'what was said and done')
    .alias('read')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .option('--limit <n>', 'only the last entries')
    .option('--tail <n>', 'the same')
    .option('--json', 'every event as a line of JSON')
    .action(async (word?: string) => showHistory(named(history, word), context));
  addStoreFlags(history);
  const watch = add('watch', 'follow a session, whichever process works in it')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .option('--cursor <n>', 'begin after this event')
    .option('--json', 'every event as a line of JSON, with its cursor')
    .action(async (word?: string) => watchSession(named(watch, word), context));
  addStoreFlags(watch);
  const resume = add('resume', 'go on with a session in the chat')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .action(async (word?: string) => {
      throw new Exit(await resumeSession(named(resume, word), context));
    });
  const fork = add('fork', 'a new session that knows what another one knew')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .option('--name <name>', 'a name for the new one')
    .action(async (word?: string) => forkSession(named(fork, word), context));
  const exported = add('export', 'a session as a file')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .option('-o, --output <file>', 'where to; default: stdout')
    .option('--markdown', 'to be read, not to be imported')
    .action(async (word?: string) => exportSession(named(exported, word), context));
  addStoreFlags(exported);
  const imported = add('import', 'a session from a file that `export` has written')
    .argument('<file>')
    .option('--name <name>', 'a name for it')
    .action(async (file: string) => importSession({ ...sharedFlags(imported), file }, context));
  const byServer = ['parley chat --agent <address of the server>', 'parley prompt --store <place> -s <session> "..."'];
  for (const each of [create, ensure, resume]) refuseStore(each, byServer);
  for (const each of [fork, imported]) refuseStore(each, ['parley sessions copy --from <place> --to <place>']);
  const copied = add('copy', 'all sessions of one store into another, such as a database for many machines')
    .requiredOption('--from <place>', 'a file, or postgres://user@host/database')
    .requiredOption('--to <place>', 'the same')
    .option('--json', 'as JSON')
    .action(async () => copySessions(copied.opts(), context));
  const close = add('close', 'hide a session from lists; nothing is lost')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .action(async (word?: string) => closeSession(named(close, word), context));
  addStoreFlags(close);
  const remove = add('delete', 'delete sessions for good')
    .argument('<sessions...>')
    .option('--from-agent', 'also ask an agent that is not ours to delete it')
    .action(async (words: readonly string[]) => deleteSessions({ ...sharedFlags(remove), words }, context));
  addStoreFlags(remove);
  const rename = add('rename', 'give a session another title')
    .argument('<session>')
    .argument('<title...>')
    .action(async (session: string, words: readonly string[]) =>
      renameSession({ ...sharedFlags(rename), session, title: words.join(' ') }, context),
    );
  addStoreFlags(rename);
  const trim = add('trim', 'delete the oldest turns of a session for good; it goes on with the others')
    .argument('[session]')
    .option('-s, --session <name>', 'the session')
    .action(async (word?: string) => trimSession(named(trim, word), context));
  addStoreFlags(addKeepFlags(trim));
  const prune = addKeepFlags(add('prune', 'delete sessions that were not used for long, or their oldest turns'))
    .option('--older-than <days>', 'sessions not used for so many days (30)')
    .option('--before <date>', 'sessions not used since this day')
    .option('--store <place>', 'in the file or database of `parley serve`, of everybody')
    .option('--include-history', 'accepted for acpx scripts; what was said always goes too')
    .action(async () => pruneSessions(sharedFlags(prune), context));
}

/** A session may be named as an argument or with `-s`. */
function named(command: Command, word: string | undefined): object {
  return word === undefined ? sharedFlags(command) : { ...sharedFlags(command), session: word };
}
