import type { Answer, Question } from '@parley/session';
import type { NewQuestion } from '../contract/session.ts';
import { canAnswer, TIMED_OUT } from '../questions/questions.ts';
import type { OwnedSession } from './owned-session.ts';

/**
 * Puts a question to every client that has a session open. It belongs to the turn that runs, if one does, and is withdrawn with
 * it. Where clients are there and none can answer such a question, nobody chooses.
 */
export async function askSession(
  session: OwnedSession,
  question: NewQuestion,
  signal: AbortSignal = NEVER,
): Promise<Answer> {
  const asked: Question = { ...question, questionId: crypto.randomUUID() };
  const { peers } = session.viewers;
  if (peers.length > 0 && !peers.some(({ offers }) => canAnswer(offers, asked))) return nobodyChose(asked);
  const { running } = session.turns;
  if (running) return put(session, asked, { turnId: running.id, signal: AbortSignal.any([signal, running.signal]) });
  // Outside of turns it is this process that asks, for as long as the question is open.
  await session.hold();
  try {
    return await put(session, asked, { turnId: '', signal });
  } finally {
    await session.release();
  }
}

async function put(
  session: OwnedSession,
  question: Question,
  options: { readonly turnId: string; readonly signal: AbortSignal },
): Promise<Answer> {
  const answer = await session.questions.ask(question, options);
  return answer === TIMED_OUT ? nobodyChose(question) : answer;
}

function nobodyChose({ type }: Question): Answer {
  return type === 'permission' ? { type } : { type: 'form', action: 'cancel' };
}

const NEVER: AbortSignal = new AbortController().signal;
