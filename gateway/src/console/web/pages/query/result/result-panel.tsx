/** What a run gave: rows, a chart of them, or what went wrong. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted, units } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Lazy } from '../../../components/lazy.tsx';
import { ProblemNotice } from '../../../components/notice.tsx';
import { reveal } from '../../../components/reveal.ts';
import { Tabs } from '../../../components/tabs.tsx';
import { Suggestion } from '../editor/suggestion.tsx';
import { unitsWarned } from '../estimate/plan-ahead.ts';
import type { Run } from '../run/run.ts';
import { AS_THEY_CAME, arranged, isArranged, type Arrangement } from './arrange.ts';
import { Arranged, RowFilter } from './arrange-bar.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { Grid } from './grid.tsx';
import { RunFooter } from './run-footer.tsx';
import type { Place, Selection } from './selection.ts';
import { ValuePanel } from './value-panel.tsx';

type View = 'rows' | 'chart';

const loadChart = () => import('../chart/chart-panel.tsx').then(({ ChartPanel }) => ChartPanel);

function Failure({ run }: { readonly run: Run }) {
  const state = run.state.value;
  if (state.kind !== 'failed') return null;
  return (
    <div class="result-failure">
      <ProblemNotice problem={state.problem} title="The query failed" />
      {unitsWarned.value !== null && state.problem.message.includes('maxReadUnits') ? (
        <p>
          Here maxReadUnits is the limit that stands above, {units(unitsWarned.value)} units: press it to
          change it.
        </p>
      ) : null}
      <Suggestion />
    </div>
  );
}

function Warnings({ run }: { readonly run: Run }) {
  const state = run.state.value;
  const said = state.kind === 'ended' ? (state.end.warnings ?? []) : [];
  if (said.length === 0) return null;
  return (
    <details class="result-warnings">
      <summary>
        <Icon name="warning" /> {counted(said.length, 'hint')}
      </summary>
      <ul>
        {said.map((warning) => (
          <li key={warning}>
            <Foreign text={warning} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface RowsProps {
  readonly run: Run;
  /** It as it is arranged. */
  readonly shown: Run;
  readonly arrangement: Arrangement;
  readonly onArrange: (arrangement: Arrangement) => void;
  readonly selection: Selection | null;
  readonly onSelect: (selection: Selection) => void;
}

function Rows({ run, shown, arrangement, onArrange, selection, onSelect }: RowsProps) {
  const [opened, setOpened] = useState<Place | null>(null);
  const whole = useRef<HTMLDivElement>(null);
  const { kind } = run.state.value;
  // The value takes room of the rows: the cell that it is of stays in view.
  useEffect(() => {
    const grid = whole.current?.querySelector<HTMLElement>('[role="grid"]');
    const cell = grid?.querySelector<HTMLElement>('.grid-cell.active');
    if (opened !== null && grid != null && cell != null) reveal(cell, grid);
  }, [opened]);
  const close = (): void => {
    setOpened(null);
    whole.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  if (run.columns.value.length === 0) return null;
  if (run.rowCount.value === 0 && kind === 'ended') {
    return <p class="result-none">No row answers the query.</p>;
  }
  return (
    <div
      class="result-rows"
      ref={whole}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || opened === null) return;
        // It closes what is open, and stops nothing.
        event.preventDefault();
        close();
      }}
    >
      <Grid
        run={run}
        shown={shown}
        sorting={arrangement.sorting}
        onSort={(sorting) => onArrange({ ...arrangement, sorting })}
        selection={selection}
        onSelect={onSelect}
        onOpen={setOpened}
      />
      {opened === null || opened.row >= shown.rowCount.value ? null : (
        <ValuePanel run={shown} place={opened} onClose={close} />
      )}
    </div>
  );
}

function ResultPanel({ run }: { readonly run: Run }) {
  const [view, setView] = useState<View>('rows');
  const [selection, setSelection] = useState<Selection | null>(null);
  const [arrangement, setArrangement] = useState(AS_THEY_CAME);
  const hasRows = run.rowCount.value > 0;
  // While rows come it stays as it is: they would be arranged with each that does.
  const arrangedCount = useRef(0);
  if (run.state.value.kind !== 'reading') arrangedCount.current = run.rowCount.value;
  const shown = useMemo(
    () => (isArranged(arrangement) ? arranged(run, arrangement) : run),
    [run, arrangement, isArranged(arrangement) ? arrangedCount.current : 0],
  );
  const arrange = (wanted: Arrangement): void => {
    setSelection(null);
    setArrangement(wanted);
  };
  return (
    <section class="result" aria-label="Result">
      <Tabs
        label="Views of the result"
        chosen={view}
        onChoose={setView}
        tabs={[
          { name: 'rows', title: 'Rows' },
          { name: 'chart', title: 'Chart', disabled: !hasRows },
        ]}
        beside={
          <div class="result-actions">
            <Warnings run={run} />
            {hasRows && view === 'rows' ? (
              <>
                <RowFilter arrangement={arrangement} onArrange={arrange} />
                <CopyMenu run={shown} selection={selection} />
              </>
            ) : null}
            {hasRows ? <DownloadMenu run={run} shown={shown} /> : null}
          </div>
        }
      >
        <Failure run={run} />
        {view === 'rows' ? (
          <>
            <Arranged run={run} shown={shown} arrangement={arrangement} onArrange={arrange} />
            <Rows
              run={run}
              shown={shown}
              arrangement={arrangement}
              onArrange={arrange}
              selection={selection}
              onSelect={setSelection}
            />
          </>
        ) : (
          <Lazy load={loadChart} what="the chart" props={{ run }} />
        )}
      </Tabs>
      <RunFooter run={run} />
    </section>
  );
}

/** Of each run a panel of its own: what was chosen in one is nothing to the next. */
export function Result({ run }: { readonly run: Run }) {
  return <ResultPanel key={run.requestId} run={run} />;
}
