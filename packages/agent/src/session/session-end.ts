/**
 * Why a session is closed: `closed` by a client that asked for it, `left` by the last client, which is gone, `deleted` or put
 * away, or `reopened` with another setup.
 */
export type SessionEnd = 'closed' | 'left' | 'deleted' | 'reopened';
