import type { ComponentChildren } from 'preact';
import { goToSignIn } from '../app/session.ts';
import type { Problem } from '../net/outcome.ts';
import { Button } from './button.tsx';
import { wordsOfDetail } from './detail-words.ts';
import { Foreign } from './foreign.tsx';

interface NoticeProps {
  readonly kind: 'problem' | 'warning' | 'success' | 'info';
  readonly title?: string;
  readonly children?: ComponentChildren;
}

/** Said in the page where it matters, and to screen readers when it appears. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {title === undefined ? null : <h2>{title}</h2>}
      {children}
    </div>
  );
}

/** What went wrong, and a button that tries again where that may help. */
export function ProblemNotice({
  problem,
  title,
  retry,
}: {
  readonly problem: Problem;
  readonly title?: string;
  readonly retry?: () => void;
}) {
  if (problem.kind === 'stopped') return null;
  const words = problem.detail === undefined ? null : wordsOfDetail(problem.message, problem.detail);
  return (
    <Notice kind="problem" {...(title === undefined ? {} : { title })}>
      <p>
        <Foreign text={problem.message} />
      </p>
      {words === null ? null : (
        <p class="detail">
          <Foreign text={words} />
        </p>
      )}
      {problem.requestId === undefined || problem.kind === 'signed-out' ? null : (
        <p class="hint">
          Request <code>{problem.requestId}</code>
        </p>
      )}
      {problem.code === 'SIGN_IN_AGAIN' ? (
        <Button onClick={() => goToSignIn({ fresh: true })}>Sign in again</Button>
      ) : retry === undefined ? null : (
        <Button onClick={retry}>Try again</Button>
      )}
    </Notice>
  );
}
