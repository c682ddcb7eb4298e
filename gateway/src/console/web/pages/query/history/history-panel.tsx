/** Runs of this browser, the latest first; a press opens the statement. */
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ago, counted, dateTime, duration, units } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { forgetRuns, pastRuns, type PastRun } from './history.ts';

const MARKS = Object.freeze({
  ended: { icon: 'check', word: 'Ended' },
  stopped: { icon: 'stop', word: 'Stopped' },
  failed: { icon: 'warning', word: 'Failed' },
} as const);

function Past({ run, onOpen }: { readonly run: PastRun; readonly onOpen: (sql: string) => void }) {
  const { icon, word } = MARKS[run.outcome];
  const started = new Date(run.startedAt).toISOString();
  return (
    <li>
      <button type="button" class="listed-query" onClick={() => onOpen(run.sql)}>
        <code class="listed-sql">
          <Foreign text={run.sql.trim()} />
        </code>
        <span class={`listed-facts ${run.outcome}`}>
          <Icon name={icon} /> {word}
          <time dateTime={started} title={dateTime(started)}>
            {ago(started)}
          </time>
          <span>{counted(run.rows, 'row')}</span>
          {run.readUnits === null ? null : <span>{units(run.readUnits)} units</span>}
          <span>{duration(run.tookMs)}</span>
        </span>
        {run.problem === undefined ? null : (
          <span class="listed-problem">
            <Foreign text={run.problem} />
          </span>
        )}
      </button>
    </li>
  );
}

export function HistoryPanel({ onOpen }: { readonly onOpen: (sql: string) => void }) {
  const runs = pastRuns.value;
  if (runs.length === 0) {
    return (
      <EmptyState title="Nothing has run here yet">
        <p>Each run is listed with its time, rows and units. The list stays in this browser.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <ul class="listed">
        {runs.map((run) => (
          <Past key={run.startedAt} run={run} onOpen={onOpen} />
        ))}
      </ul>
      <div class="listed-foot">
        <span class="hint">Kept in this browser only.</span>
        <Button small kind="quiet" onClick={forgetRuns}>
          <Icon name="trash" /> Clear
        </Button>
      </div>
    </>
  );
}
