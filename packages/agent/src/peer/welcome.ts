import type { ClientPeer } from '../contract/client-peer.ts';
import type { ServedClient } from '../service/served-client.ts';
import type { LiveSession } from '../session/live-session.ts';

/**
 * A client cannot place updates of a session whose id it is only about to learn, so they go out behind the answer.
 * `showsCommands` where the answer itself does not tell the commands.
 */
export function welcomeLater(session: LiveSession, { peer }: ServedClient, showsCommands: boolean): void {
  const { commands, viewers } = session;
  setTimeout(() => {
    const wereShown = viewers.welcome(peer);
    if (showsCommands && !wereShown && !session.isClosed && session.commands === commands) session.showCommands(peer);
    askNow(session, peer);
  }, 0);
}

/** Open questions of a session go to a client that has loaded it, after the answer to the loading. */
export function askLater(session: LiveSession, { peer }: ServedClient): void {
  setTimeout(() => {
    askNow(session, peer);
  }, 0);
}

function askNow(session: LiveSession, peer: ClientPeer): void {
  session.questions.askAll(peer).catch((error: unknown) => {
    session.report({ kind: 'log_failed', message: 'What a session asks could not be read.', error });
  });
}
