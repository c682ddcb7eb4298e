/** The states that everything has that is asked for: it loads, it failed, it is there but could not be renewed. */
import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.tsx';
import { ago } from '../../components/figures.ts';
import { Loading } from '../../components/loading.tsx';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import type { Asked } from './use-asked.ts';

interface ShownProps<T> {
  readonly asked: Asked<T>;
  /** In words, after "Loading". */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

export function Shown<T>({ asked, what, children }: ShownProps<T>) {
  const { value, problem, askedAt, again } = asked;
  const retry = (): void => void again();
  if (value === null) {
    return problem === null ? (
      <Loading what={what} />
    ) : (
      <ProblemNotice title={`Can't show ${what}`} problem={problem} retry={retry} />
    );
  }
  return (
    <>
      {problem === null || problem.kind === 'stopped' ? null : (
        <Notice kind="warning">
          <p>
            This is {what} as of {ago(new Date(askedAt).toISOString())}: {problem.message}
          </p>
          <Button small onClick={retry}>
            Try again
          </Button>
        </Notice>
      )}
      {children(value)}
    </>
  );
}
