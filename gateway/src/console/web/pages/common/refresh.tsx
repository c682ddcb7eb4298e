/** Has the tables of a schema described and sampled again: how far it is, how it went, and what it cost. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { count, counted, units } from '../../components/figures.ts';
import { Icon } from '../../components/icon.tsx';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import type { Problem } from '../../net/outcome.ts';
import { askCatalog, ofSchema } from './catalog.ts';
import { refreshTables, type Refreshed } from './schemas.ts';

const LOOK_MS = 1_500;

interface Progress {
  readonly seconds: number;
  /** Tables that have been described since it began, of those that are known; null: none is known yet. */
  readonly tables: { readonly done: number; readonly known: number } | null;
}

export type RefreshState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: Refreshed }
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface Refresh {
  readonly state: RefreshState;
  readonly start: () => void;
}

/** @param onEnd called when there may be something new to show */
export function useRefresh(schemaName: string, onEnd: () => void): Refresh {
  const [state, setState] = useState<RefreshState>({ kind: 'idle' });
  const running = useRef(false);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const start = async (): Promise<void> => {
    if (running.current) return;
    running.current = true;
    const began = Date.now();
    const show = (tables: Progress['tables']): void => {
      if (!running.current || !isThere.current) return;
      setState({ kind: 'running', progress: { seconds: Math.floor((Date.now() - began) / 1_000), tables } });
    };
    show(null);
    const watching = setInterval(() => {
      void askCatalog().then((outcome) => {
        const known = outcome.ok ? ofSchema(outcome.value, schemaName) : [];
        const done = known.filter(
          ({ details }) => details !== null && Date.parse(details.describedAt) >= began,
        );
        show(known.length === 0 ? null : { done: done.length, known: known.length });
      });
    }, LOOK_MS);
    const outcome = await refreshTables(schemaName);
    clearInterval(watching);
    running.current = false;
    if (!isThere.current) return;
    setState(
      outcome.ok ? { kind: 'done', result: outcome.value } : { kind: 'failed', problem: outcome.problem },
    );
    onEnd();
  };
  return { state, start: () => void start() };
}

export function RefreshButton({
  refresh,
  small = true,
}: {
  readonly refresh: Refresh;
  readonly small?: boolean;
}) {
  const isRunning = refresh.state.kind === 'running';
  return (
    <Button small={small} busy={isRunning} onClick={refresh.start}>
      {isRunning ? null : <Icon name="refresh" />}
      Refresh
    </Button>
  );
}

function costInWords({ readUnits }: Refreshed): string {
  return readUnits === 0 ? 'It consumed no read units.' : `It consumed ${units(readUnits)} read units.`;
}

/** What stands below the button. */
export function RefreshOutcome({ refresh: { state, start } }: { readonly refresh: Refresh }) {
  switch (state.kind) {
    case 'idle':
      return null;
    case 'running': {
      const { seconds, tables } = state.progress;
      return (
        <div class="refresh-progress" role="status">
          <progress
            aria-label="Tables refreshed"
            {...(tables === null ? {} : { max: tables.known, value: tables.done })}
          />
          <span class="hint figures">
            {tables === null
              ? 'Looking at the tables'
              : `${count(tables.done)} of ${counted(tables.known, 'table')}`}
            , {seconds} s
          </span>
        </div>
      );
    }
    case 'failed':
      return <ProblemNotice title="The refresh failed" problem={state.problem} retry={start} />;
    case 'done':
      if (state.result.skipped) {
        return (
          <Notice kind="info">
            <p>The tables were refreshed less than 30 seconds ago, so nothing was done.</p>
          </Notice>
        );
      }
      return (
        <Notice kind={state.result.ok ? 'success' : 'warning'}>
          <p>
            {state.result.message}. {costInWords(state.result)}
          </p>
        </Notice>
      );
  }
}
