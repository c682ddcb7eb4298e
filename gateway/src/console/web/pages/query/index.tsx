/** The Query page: an editor, what the statement will cost and how it is read, and what it gives. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hrefOf, navigate, place } from '../../app/router.ts';
import { isAdmin } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Lazy } from '../../components/lazy.tsx';
import { whenIdle } from '../../components/when-idle.ts';
import { isCatalogKnown } from '../common/catalog.ts';
import { loadKnown, tables as knownTables } from './catalog.ts';
import { Editor } from './editor/editor.tsx';
import { applySuggestion, diagnostics } from './editor/marks.ts';
import { planAhead } from './estimate/plan-ahead.ts';
import { firstQuery } from './first-query.ts';
import { sqlOfFragment } from './link.ts';
import { openSql } from './open.ts';
import { listenForKeys } from './page-keys.ts';
import { PlanPanel } from './plan/plan-panel.tsx';
import { begin, current, stopRun } from './run/current.ts';
import { isUnderWay } from './run/run.ts';
import { isTreeOpen } from './schema-tree/is-open.ts';
import { editorShare, Splitter } from './splitter.tsx';
import { boundResults } from './tabs/bound-results.ts';
import { shownTab, showTab, tabBeside, tabs } from './tabs/open-tabs.ts';
import { PANEL_ID, tabElementId, TabStrip } from './tabs/tab-strip.tsx';
import { keepText, text } from './text.ts';
import { Toolbar } from './toolbar.tsx';

// Runs go on while one looks at other pages.
boundResults();

const loadTree = () => import('./schema-tree/schema-tree.tsx').then(({ SchemaTree }) => SchemaTree);
const loadResult = () => import('./result/result-panel.tsx').then(({ Result }) => Result);

/** Takes the statement of a link out of the address, so that a reload does not bring it back over what was written since. */
function takeLink(): void {
  const sql = sqlOfFragment(place.peek().hash);
  // Where there is no room for it, it stays in the address.
  if (sql !== null && openSql(sql)) navigate('query', { replace: true });
}

function NothingYet() {
  if (isCatalogKnown.value && knownTables.value.length === 0) {
    return (
      <EmptyState
        title="No table is connected yet"
        action={
          isAdmin.value ? (
            <a class="button primary" data-page href={hrefOf('connect')}>
              Connect an account
            </a>
          ) : undefined
        }
      >
        <p>
          {isAdmin.value
            ? 'Connect an AWS account, and its tables can be queried in minutes.'
            : 'An admin of your tenant connects an AWS account; then its tables can be queried.'}
        </p>
      </EmptyState>
    );
  }
  if (shownTab.value.isLetGo.value) {
    return (
      <EmptyState title="The rows were let go">
        <p>Results of other tabs took their room. Run the query again to have them, at its price.</p>
      </EmptyState>
    );
  }
  const query = firstQuery(knownTables.value);
  return (
    <EmptyState
      title="Rows stand here"
      action={
        query === null || text.value.trim() !== '' ? undefined : (
          <Button onClick={() => openSql(query)}>Begin with a query of your own tables</Button>
        )
      }
    >
      <p>
        Write a query and see what it costs before it runs. Ctrl-Enter runs it, or what is selected of it.
      </p>
    </EmptyState>
  );
}

export function QueryPage() {
  const selection = useMemo(() => signal<{ readonly from: number; readonly to: number } | null>(null), []);
  const hasSelection = useMemo(() => signal(false), []);
  useEffect(() => {
    void loadKnown();
    const ends = [planAhead(), keepText(), whenIdle(loadResult)];
    return () => ends.forEach((end) => end());
  }, []);
  useEffect(takeLink, [place.value.hash]);
  useEffect(
    () => listenForKeys({ onRun: run, onStop: stopRun, onTab: (step) => showTab(tabBeside(step)) }),
    [],
  );
  const run = (): void => {
    const chosen = selection.peek();
    const sql = chosen === null ? text.peek() : text.peek().slice(chosen.from, chosen.to);
    begin(sql, chosen?.from ?? 0);
    begun.current = current.peek()?.run.requestId ?? null;
  };
  const shown = current.value;
  const begun = useRef<string | null>(null);
  const resultPlace = useRef<HTMLDivElement>(null);
  const [isPanelShown, setPanelShown] = useState(false);
  const isThere =
    isPanelShown && shown !== null && (shown.run.rowCount.value > 0 || !isUnderWay(shown.run.state.value));
  // Where the page is narrow or enlarged the rows are below the plan, and out of sight.
  useEffect(() => {
    if (!isThere || begun.current !== shown.run.requestId) return;
    begun.current = null;
    resultPlace.current?.scrollIntoView({ block: 'nearest' });
  }, [shown?.run.requestId, isThere]);
  const panel =
    tabs.value.length < 2
      ? {}
      : ({ role: 'tabpanel', 'aria-labelledby': tabElementId(shownTab.value) } as const);
  return (
    <div class="query-page">
      <h1 class="sr-only">Query</h1>
      <TabStrip />
      <div class="query-write" style={{ flexBasis: `${editorShare.value}%` }}>
        <Toolbar onRun={run} hasSelection={hasSelection} />
        <div class="query-write-panes" id={PANEL_ID} {...panel}>
          {isTreeOpen.value ? <Lazy load={loadTree} what="the tables" props={{}} /> : null}
          <Editor
            diagnostics={diagnostics}
            onRun={run}
            onStop={stopRun}
            onApply={applySuggestion}
            onSelect={(chosen) => {
              selection.value = chosen;
              hasSelection.value = chosen !== null;
            }}
          />
          <section class="query-plan" aria-label="Plan">
            <PlanPanel />
          </section>
        </div>
      </div>
      <Splitter />
      <div class="query-result" ref={resultPlace}>
        {shown === null ? (
          <NothingYet />
        ) : (
          <Lazy load={loadResult} what="the rows" props={{ run: shown.run }} onShown={setPanelShown} />
        )}
      </div>
    </div>
  );
}
