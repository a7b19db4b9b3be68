import type { Field, Shape } from '@parley/host/json-files';
import { LOG_LEVELS } from './serve-config.ts';

const TEXT: Shape = { type: 'string' };
const TEXTS: Shape = { type: 'list', items: TEXT };
const SWITCH: Shape = { type: 'boolean' };
const MANY = Number.MAX_SAFE_INTEGER;

const count = (says: string, { min = 1, max = MANY }: { min?: number; max?: number } = {}): Field => ({
  shape: { type: 'integer', min, max },
  says,
});

const CAPS: Shape = {
  type: 'object',
  fields: {
    connections: count('connections that are open at once'),
    sessions: count('sessions that are open at once'),
    processes: count('processes of agents at once'),
    bytesPerSecond: count('bytes that come in, a second'),
    requestsPerSecond: count('requests that come in, a second'),
  },
};

const TOKEN: Shape = {
  type: 'object',
  fields: {
    tokenFile: { shape: TEXT, says: 'a file that has the token, which nobody else can read' },
    tokenEnv: { shape: TEXT, says: 'the environment variable that has the token' },
    hash: { shape: TEXT, says: 'sha256: and the digest of the token in hexadecimal' },
    caps: { shape: CAPS, says: 'caps for this one' },
  },
};

/** The key `serve` of a settings file. */
export const SERVE: Shape = {
  type: 'object',
  fields: {
    host: { shape: TEXT, says: 'the address to listen on; 127.0.0.1' },
    port: count('the port; 7700, and 0 takes a free one', { min: 0, max: 65_535 }),
    socket: { shape: TEXT, says: 'a unix domain socket in place of host and port' },
    socketMode: {
      shape: { type: 'choice', values: ['600', '660', '666'] },
      says: 'who may connect to the socket: the user alone, also the group, or everybody; default: 600',
    },
    allowRemote: { shape: SWITCH, says: 'on an address that other machines can reach' },
    agents: { shape: TEXTS, says: 'which agents are hosted; parley and all of `agents`' },
    defaultAgent: { shape: TEXT, says: 'the one at /acp; else `defaultAgent` of the settings' },
    tokens: {
      shape: { type: 'map', values: TOKEN },
      says: 'who else is let in, by name; each has sessions of its own',
    },
    caps: { shape: CAPS, says: 'what each of them may use' },
    tls: {
      shape: {
        type: 'object',
        fields: {
          cert: { shape: TEXT, says: 'the certificate, with those of its authorities (PEM)' },
          key: { shape: TEXT, says: 'its key (PEM)' },
        },
      },
      says: 'serves https and wss',
    },
    hosts: { shape: TEXTS, says: 'further names in Host, such as that of a proxy: agents.example' },
    origins: { shape: TEXTS, says: 'web pages that may connect: https://app.example' },
    store: {
      shape: { type: 'either', shapes: [TEXT, { type: 'choice', values: [false] }] },
      says: 'the file for sessions (gateway.db in the state folder), or postgres://user@host/database. false: in memory',
    },
    leaseSeconds: {
      shape: { type: 'number' },
      says: 'with a store that several machines share: how long a session stays with one that was lost; 15',
    },
    keepTurns: count('turns that are kept of each session; older ones are deleted between two turns. All'),
    keepDays: count('days for which turns are kept, with the last one in any case. For ever'),
    idleMinutes: { shape: { type: 'number' }, says: 'after which an agent with nothing to do is stopped; 10' },
    processes: {
      shape: { type: 'choice', values: ['shared', 'perPrincipal', 'perSession'] },
      says: 'how many processes an agent has; perPrincipal',
    },
    rememberBy: {
      shape: { type: 'choice', values: ['transcript', 'notice'] },
      says: 'what becomes of a session that an agent has forgotten; transcript',
    },
    files: { shape: SWITCH, says: 'files of this machine, where a client offers none; false' },
    terminals: { shape: SWITCH, says: 'commands on this machine, where a client offers none; false' },
    log: {
      shape: {
        type: 'object',
        fields: {
          level: { shape: { type: 'choice', values: LOG_LEVELS }, says: 'info' },
          file: { shape: TEXT, says: 'where to; stderr' },
        },
      },
      says: 'the log, one JSON object a line',
    },
    audit: { shape: TEXT, says: 'a file that every decision is added to: who came, asked, was allowed' },
    metrics: { shape: { type: 'choice', values: ['token', 'anyone', 'off'] }, says: 'who may read /metrics; token' },
    traffic: { shape: SWITCH, says: 'keeps the last messages in memory, each for whoever sent or got it; true' },
    web: { shape: SWITCH, says: 'serves the web client at /; true' },
    drainSeconds: count('that turns may take to end when the server is stopped; 30', { min: 0, max: 86_400 }),
  },
};
