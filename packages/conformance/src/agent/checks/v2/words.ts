/** No agent has a session of this name. */
export const NO_SUCH_SESSION = 'parley-no-such-session';
