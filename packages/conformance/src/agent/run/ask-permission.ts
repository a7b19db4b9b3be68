import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asRequest, asUpdate, fieldsOf } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import type { Answer } from '../../probe/answer.ts';
import type { Responder } from '../../probe/probe.ts';
import type { Session } from '../../probe/session.ts';
import { notProvoked } from '../../verdict.ts';
import type { WireWords } from '../../versions/wire-words.ts';
import type { CheckContext } from './check-context.ts';

/** A turn in which the agent asked for permission. */
export interface AskedTurn {
  readonly session: Session;
  readonly answer: Answer;
  /** How many frames there were before the turn. */
  readonly mark: number;
  /** The permission requests, in order. */
  readonly asked: readonly Frame[];
  /** Signs that something was done, in order: finished tool calls, effects through the client, changed files. */
  readonly effects: readonly string[];
}

/** Makes the agent ask for permission, answers in a way of the check's own, and tells what came of it. */
export async function askForPermission(context: CheckContext, responder: Responder): Promise<AskedTurn> {
  const { requireTurns, newSession, prompts, workspace } = context;
  await requireTurns();
  await rm(join(workspace.cwd, 'parley-check.txt'), { force: true });
  const session = await newSession();
  const before = await listFiles(workspace.cwd);
  const { answer, mark } = await session.probe.respondDuring('session/request_permission', responder, async () => {
    const turn = session.begin(prompts.permission);
    return { answer: await turn.answer, mark: turn.mark };
  });
  await session.probe.settle();
  const frames = session.probe.received(mark);
  const asked = frames.filter((frame) => asRequest(frame)?.method === 'session/request_permission');
  if (asked.length === 0) notProvoked('The agent asked for no permission. Tell it to with --prompt-for-permission.');
  const changed = (await listFiles(workspace.cwd)).filter((file) => !before.includes(file));
  return {
    session,
    answer,
    mark,
    asked,
    effects: [...effectsIn(frames, asked, session.probe.words), ...changed.map((file) => `${file} was written`)],
  };
}

/** What the frames tell of things done: completion of a tool call that was asked about, writing, running. */
export function effectsIn(
  frames: readonly Frame[],
  asked: readonly Frame[],
  { toolCallOf }: WireWords,
): readonly string[] {
  const ids = new Set(asked.map((frame) => toolCallOf(fieldsOf(asRequest(frame)?.params))));
  return frames.flatMap((frame) => {
    const method = asRequest(frame)?.method;
    if (method === 'fs/write_text_file' || method === 'terminal/create') return [`#${frame.number} ${method}`];
    const update = asUpdate(frame)?.update;
    const isDone = update?.status === 'completed' && ids.has(update.toolCallId);
    return isDone ? [`#${frame.number} tool call ${String(update.toolCallId)} completed`] : [];
  });
}

/** Names with size and time, so that a rewritten file counts as changed. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return `${name} (${size} bytes, ${Math.round(mtimeMs)})`;
    }),
  );
}
