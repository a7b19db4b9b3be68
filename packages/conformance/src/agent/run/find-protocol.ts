import { type CheckLimits, DEFAULT_CHECK_LIMITS } from '../../limits.ts';
import { fieldsOf } from '../../messages/message.ts';
import { Probe } from '../../probe/probe.ts';
import { PROTOCOLS, type Protocol } from '../../versions/protocol.ts';
import { wordsOf } from '../../versions/words.ts';
import type { Target } from '../agent-target.ts';
import { openWire } from './open-wire.ts';

/** The highest version that an agent speaks, asked of a process of its own. One that says nothing of use is taken for 1. */
export async function findProtocol(target: Target, limits: CheckLimits = DEFAULT_CHECK_LIMITS): Promise<Protocol> {
  const wire = await openWire(target, { cwd: process.cwd(), exitMs: Math.min(1000, limits.exitMs) });
  const probe = new Probe(wire, { name: 'version', side: 'client', limits });
  try {
    // The fields of both versions, since nobody knows yet which one the agent will choose.
    const params = { ...wordsOf(1).initialize('full'), ...wordsOf(2).initialize('full') };
    const answer = await probe.request('initialize', params, { timeoutMs: limits.startMs });
    const told = answer.kind === 'result' ? fieldsOf(answer.result).protocolVersion : undefined;
    return PROTOCOLS.find((protocol) => protocol === told) ?? 1;
  } finally {
    await probe.close();
  }
}
