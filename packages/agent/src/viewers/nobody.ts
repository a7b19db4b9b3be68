import { ParleyError } from '@parley/jsonrpc';
import type { ClientPeer } from '../contract/client-peer.ts';

const refuse = async (): Promise<never> => {
  throw new ParleyError('no_client', 'No client has this session open, so nothing can be asked of one.');
};

/** Stands for the client while no client has a session open: it offers nothing. */
export const NOBODY: ClientPeer = {
  offers: {
    readTextFile: false,
    writeTextFile: false,
    terminals: false,
    agentTerminals: false,
    elicitForm: false,
    elicitUrl: false,
    notices: false,
    changingNotices: false,
    compaction: false,
    booleanOptions: false,
    terminalAuth: false,
    cursors: false,
    ownTurnsOnly: false,
    plans: false,
    subagents: false,
    nestedSubagents: false,
  },
  info: undefined,
  hearsOwnPrompts: false,
  publish: () => {},
  forget: () => {},
  resume: () => {},
  ask: refuse,
  readTextFile: refuse,
  writeTextFile: refuse,
  createTerminal: refuse,
  terminalOutput: refuse,
  waitForTerminalExit: refuse,
  killTerminal: refuse,
  releaseTerminal: refuse,
  elicit: refuse,
  completeElicitation: () => {},
  callMcp: refuse,
  request: refuse,
  notify: () => {},
};
