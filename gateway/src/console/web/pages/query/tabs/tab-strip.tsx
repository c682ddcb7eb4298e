/** The open queries as tabs, from two on. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Spinner } from '../../../components/loading.tsx';
import { reveal } from '../../../components/reveal.ts';
import { pastRuns } from '../history/history.ts';
import { openings } from '../open.ts';
import { closeTab, shownTab, showTab, tabBeside, tabs } from './open-tabs.ts';
import { isAsSaved, isBlank, titleOf, type QueryTab } from './query-tab.ts';

/** What the tabs show: the editor with its plan. */
export const PANEL_ID = 'query-tab-panel';
const CLOSES = '[data-closes]';

export const tabElementId = (tab: QueryTab): string => `query-tab-${tab.id}`;

/** Whether its text is nowhere else: neither saved nor run. */
const isOnlyHere = (tab: QueryTab): boolean =>
  !isBlank(tab) && !isAsSaved(tab) && !pastRuns.peek().some(({ sql }) => sql === tab.text.peek());

interface TabProps {
  readonly tab: QueryTab;
  readonly onClose: (tab: QueryTab) => void;
}

function Tab({ tab, onClose }: TabProps) {
  const isShown = shownTab.value === tab;
  const origin = tab.origin.value;
  const text = tab.text.value;
  const title = titleOf({ text, origin });
  const run = tab.current.value?.run;
  const isRunning = run?.state.value.kind === 'reading';
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const list = place.current?.parentElement;
    if (isShown && place.current !== null && list != null) reveal(place.current, list);
  }, [isShown]);
  return (
    <button
      ref={place}
      type="button"
      role="tab"
      id={tabElementId(tab)}
      class="query-tab"
      aria-selected={isShown}
      aria-controls={PANEL_ID}
      aria-keyshortcuts="Delete"
      tabIndex={isShown ? 0 : -1}
      title={`${title}\nAlt-PageUp and Alt-PageDown go from tab to tab; on a tab Delete closes it.`}
      onClick={(event) => {
        const isClosing = event.target instanceof Element && event.target.closest(CLOSES) !== null;
        if (isClosing) onClose(tab);
        else showTab(tab);
      }}
      onAuxClick={(event) => {
        if (event.button === 1) onClose(tab);
      }}
    >
      {isRunning ? <Spinner /> : null}
      <span class="query-tab-title">
        <Foreign text={title} />
      </span>
      {isRunning ? <span class="sr-only">, running</span> : null}
      {origin === null || origin.sql === text ? null : (
        <span class="hint">
          <span aria-hidden="true">•</span>
          <span class="sr-only">, changed</span>
        </span>
      )}
      <span class="query-tab-close" data-closes aria-hidden="true">
        <Icon name="close" />
      </span>
    </button>
  );
}

export function TabStrip() {
  const [closing, setClosing] = useState<QueryTab | null>(null);
  const all = tabs.value;
  const focusShown = (): void => {
    const element = document.getElementById(tabElementId(shownTab.peek()));
    // Of a single tab there is no strip: then the editor has the focus.
    if (tabs.peek().length > 1 && element !== null) element.focus();
    else openings.value += 1;
  };
  const close = (tab: QueryTab): void => {
    closeTab(tab);
    // Once the strip is drawn without it, and a dialog that asked is gone.
    requestAnimationFrame(focusShown);
  };
  const wantClosed = (tab: QueryTab): void => {
    if (isOnlyHere(tab)) setClosing(tab);
    else close(tab);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const goals: Readonly<Record<string, () => QueryTab | undefined>> = {
      ArrowRight: () => tabBeside(1),
      ArrowLeft: () => tabBeside(-1),
      Home: () => all[0],
      End: () => all.at(-1),
    };
    const goal = goals[event.key]?.();
    if (goal !== undefined) {
      showTab(goal);
      document.getElementById(tabElementId(goal))?.focus();
    } else if (event.key === 'Delete') wantClosed(shownTab.peek());
    else return;
    event.preventDefault();
  };
  return (
    <>
      {all.length < 2 ? null : (
        <div class="query-tabs">
          <div class="query-tab-list" role="tablist" aria-label="Open queries" onKeyDown={onKeyDown}>
            {all.map((tab) => (
              <Tab key={tab.id} tab={tab} onClose={wantClosed} />
            ))}
          </div>
          <Button small kind="quiet" class="query-tab-end" onClick={() => wantClosed(shownTab.peek())}>
            Close this tab
          </Button>
        </div>
      )}
      {closing === null ? null : (
        <ConfirmDialog
          title="Close the tab"
          action="Close it"
          onConfirm={async () => {
            close(closing);
            return null;
          }}
          onClose={() => setClosing(null)}
        >
          <p>What is written in it was neither saved nor run, and is gone then.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
