/**
 * What two peers that both speak Parley tell each other under `_meta`, beside the protocol; the keys are those of every version.
 * Everybody else passes it over.
 */
export const META = {
  /**
   * In `initialize`, both ways: `true`. In `session/update`: the number of the event in the session's log. In
   * `session/load` and `session/resume`: the number of the last event that the client has, so that it is told only of those after it.
   */
  cursor: 'parley/cursor',
  /**
   * In a `session_info_update`: what the session is doing, `{ state, turnId, stopReason?, error? }`. In the answers to
   * `session/load` and `session/resume`: the same as `{ state, turnId? }`, after all that the client was told before. In a
   * `state_update` of version 2, which says the rest in its own words: `{ turnId }`.
   */
  state: 'parley/state',
  /** In `initialize` of a client: `true` when it wants updates of its own turns, and of no turn of another client. */
  ownTurnsOnly: 'parley/ownTurnsOnly',
  /** In `session/prompt`: the id of the prompt; the same id again runs nothing, and is answered as the first was. */
  promptId: 'parley/promptKey',
  /**
   * In `session/prompt`: `queue` waits until the session is free, `refuse` does not, `steer` lets the turn that runs take the
   * prompt, where the agent can. A prompt that was taken is answered as the turn is; one that was not taken is the next turn.
   */
  whenBusy: 'parley/whenBusy',
  /**
   * In the capability for prompts (`promptCapabilities`, `session.prompt`): `true` where turns take prompts while they run. In
   * a chunk of the user's message: `true` where the message was taken by the turn that ran, and begins none.
   */
  steer: 'parley/steer',
  /**
   * In the capability `fork`: `true`. In `session/fork`: how many turns, counted from the last, the new session leaves out; it goes on
   * as if they had never been.
   */
  dropTurns: 'parley/dropTurns',
  /** In a notice at the start of a conversation that is told again: how many turns before it are no longer kept. */
  droppedTurns: 'parley/droppedTurns',
  /**
   * In the capabilities of a client: `true`. In a `notice`: `{ id, isOpen }`. A notice of the same id takes the place of the one
   * before; while it is open, another may follow.
   */
  notice: 'parley/notice',
  /**
   * In content of a tool call of version 1, whose text is a patch or says which files: what version 2 tells of the changes,
   * `{ changes, hasPatch, patchFormat? }`.
   */
  changes: 'parley/changes',
  /** In `session/request_permission` of version 1: what version 2 tells beside the tool call, `{ title?, description?, subject? }`. */
  question: 'parley/question',
  /**
   * In an update that reports an event of a sub-agent's session: the id of that session. A gateway sends clients with native sub-agent
   * sessions the original update instead, while the turn runs. In the capabilities of a client: `true` to receive these updates in any
   * case; they are in order with all others, and part of replays.
   */
  subagent: 'parley/subagent',
  /** In the answers of a host that open a session: the agent's own id of it. */
  agentSessionId: 'parley/agentSessionId',
} as const;
