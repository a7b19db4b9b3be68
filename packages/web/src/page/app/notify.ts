import type { SessionSummary } from '../../api/index.ts';
import { nameOf } from '../sessions/session-list.ts';

/** Whether the person may be told on the desktop; `unknown` until they were asked. */
export function notifyPermission(): 'granted' | 'denied' | 'unknown' | 'unsupported' {
  if (!('Notification' in globalThis)) return 'unsupported';
  return Notification.permission === 'default' ? 'unknown' : Notification.permission;
}

export async function allowNotifications(): Promise<void> {
  await Notification.requestPermission();
}

/** Tells on the desktop that somebody waits, when nobody looks at the page. The same question is told once, over all tabs. */
export function notifyWaiting(session: SessionSummary, onChoose: () => void): void {
  if (!document.hidden || notifyPermission() !== 'granted') return;
  const [question] = session.questions;
  const notification = new Notification(`Waiting for you: ${nameOf(session)}`, {
    tag: question?.questionId ?? session.sessionId,
    ...(question?.type === 'permission' && { body: question.toolCall.title ?? '' }),
  });
  notification.onclick = () => {
    window.focus();
    onChoose();
    notification.close();
  };
}
