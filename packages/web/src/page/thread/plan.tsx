import type { PlanRecord } from '@parley/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Markdown } from '../text/markdown/late-markdown.tsx';
import { visibleLine } from '../text/visible-text.ts';
import { ResourceName } from './content.tsx';
import { Icon, type IconName } from './icon.tsx';

/** What the agent means to do, with how far it is: one line, or all steps. */
export function Plan({
  plan,
  isNamed,
  cwd,
}: {
  readonly plan: PlanRecord;
  readonly isNamed: boolean;
  readonly cwd: string;
}): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const { entries, document, planId } = plan;
  if (entries.length === 0 && !document) return null;
  const done = entries.filter(({ status }) => status === 'completed').length;
  const current =
    entries.find(({ status }) => status === 'in_progress') ?? entries.find(({ status }) => status === 'pending');
  const name = isNamed && planId !== undefined ? `Plan ${visibleLine(planId)}` : 'Plan';
  return (
    <section class="plan" aria-label={name}>
      <button type="button" class="thread-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="fold" />
        <strong>{name}</strong>
        {entries.length > 0 && (
          <span class="plan-count">
            {done}/{entries.length}
          </span>
        )}
        {!isOpen && current && <span class="plan-current">{visibleLine(current.content)}</span>}
      </button>
      {isOpen && entries.length > 0 && (
        <ol class="plan-steps">
          {entries.map(({ content, status, priority }, index) => (
            <li key={index} class={`plan-step plan-${iconOf(status)}`}>
              <Icon name={iconOf(status)} />
              <span class="visually-hidden">{status.replaceAll('_', ' ')}:</span> <span>{visibleLine(content)}</span>
              {priority === 'high' && <span class="plan-priority">high</span>}
            </li>
          ))}
        </ol>
      )}
      {isOpen && document && (
        <div class="plan-document">
          {'uri' in document ? <ResourceName uri={document.uri} cwd={cwd} /> : <Markdown text={document.markdown} />}
        </div>
      )}
    </section>
  );
}

function iconOf(status: string): IconName {
  if (status === 'completed') return 'done';
  if (status === 'in_progress') return 'running';
  return status === 'cancelled' ? 'cancelled' : 'pending';
}
