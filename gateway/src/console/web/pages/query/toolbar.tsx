/** Run, stop, what it will cost; and what one does with the statement besides. */
import type { ReadonlySignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { hrefOf } from '../../app/router.ts';
import { Button } from '../../components/button.tsx';
import { copyText } from '../../components/copy.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Foreign } from '../../components/foreign.tsx';
import { units } from '../../components/figures.ts';
import { Icon } from '../../components/icon.tsx';
import { notify } from '../../components/toasts.tsx';
import { Estimate } from './estimate/estimate.tsx';
import { LimitDialog } from './estimate/limit-dialog.tsx';
import { unitsWarned } from './estimate/plan-ahead.ts';
import { HistoryPanel } from './history/history-panel.tsx';
import { linkTo } from './link.ts';
import { openNew, openSaved, openSql } from './open.ts';
import { isRunning, stopRun } from './run/current.ts';
import { SaveDialog } from './saved/save-dialog.tsx';
import { SavedPanel } from './saved/saved-panel.tsx';
import { isTreeOpen, setTreeOpen } from './schema-tree/is-open.ts';
import { origin, text } from './text.ts';

type Opened = 'save' | 'saved' | 'history' | 'limit' | null;

const IS_MAC = /Mac|iP(?:hone|ad)/.test(navigator.platform);
const RUN_KEYS = IS_MAC ? '⌘ ↵' : 'Ctrl ↵';

async function copyLink(): Promise<void> {
  const link = linkTo(location.origin + hrefOf('query'), text.peek());
  const isCopied = await copyText(link);
  notify(
    isCopied
      ? 'The link is copied. Whoever of your tenant opens it sees the query; it does not run by itself.'
      : 'The browser did not let the link be copied.',
    isCopied ? 'success' : 'problem',
  );
}

function Name() {
  const from = origin.value;
  if (from === null) return null;
  return (
    <span class="query-name">
      <Foreign text={from.name} />
      {from.sql === text.value ? null : <span class="hint"> changed</span>}
    </span>
  );
}

interface ToolbarProps {
  readonly onRun: () => void;
  readonly hasSelection: ReadonlySignal<boolean>;
}

export function Toolbar({ onRun, hasSelection }: ToolbarProps) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = (): void => setOpened(null);
  const isEmpty = text.value.trim() === '';
  const opener = (name: Opened, icon: 'star' | 'clock', words: string) => (
    <Button small kind="quiet" onClick={() => setOpened(name)} title={words}>
      <Icon name={icon} /> <span class="wide-only">{words}</span>
      <span class="narrow-only sr-only">{words}</span>
    </Button>
  );
  return (
    <div class="query-bar">
      {isRunning.value ? (
        <Button class="run-button" onClick={stopRun}>
          <Icon name="stop" /> Stop <kbd>Esc</kbd>
        </Button>
      ) : (
        <Button kind="primary" class="run-button" disabled={isEmpty} onClick={onRun}>
          <Icon name="play" /> {hasSelection.value ? 'Run selection' : 'Run'} <kbd>{RUN_KEYS}</kbd>
        </Button>
      )}
      <Estimate />
      <Button
        small
        kind="quiet"
        aria-pressed={isTreeOpen.value}
        title="Tables and columns beside the editor"
        onClick={() => setTreeOpen(!isTreeOpen.peek())}
      >
        <Icon name="table" /> <span class="wide-only">Tables</span>
        <span class="narrow-only sr-only">Tables</span>
      </Button>
      <span class="query-bar-gap" />
      <Name />
      <Button small kind="quiet" title="Limit the units of a query" onClick={() => setOpened('limit')}>
        {unitsWarned.value === null ? 'Limit' : `Limit ${units(unitsWarned.value)}`}
        <span class="sr-only"> of the units of a query</span>
      </Button>
      <Button
        small
        kind="quiet"
        class="icon-only"
        disabled={isEmpty}
        aria-label="Copy a link to this query"
        title="Copy a link to this query"
        onClick={() => void copyLink()}
      >
        <Icon name="link" />
      </Button>
      <Button small kind="quiet" disabled={isEmpty} title="Begin a new query, in a new tab" onClick={openNew}>
        New
      </Button>
      <Button small disabled={isEmpty} onClick={() => setOpened('save')}>
        Save
      </Button>
      {opener('saved', 'star', 'Saved')}
      {opener('history', 'clock', 'History')}
      {opened === 'save' ? <SaveDialog onClose={close} /> : null}
      {opened === 'limit' ? <LimitDialog onClose={close} /> : null}
      {opened === 'saved' ? (
        <Dialog title="Saved queries" wide onClose={close}>
          <SavedPanel
            onOpen={(query) => {
              openSaved(query);
              close();
            }}
          />
        </Dialog>
      ) : null}
      {opened === 'history' ? (
        <Dialog title="History" wide onClose={close}>
          <HistoryPanel
            onOpen={(sql) => {
              openSql(sql);
              close();
            }}
          />
        </Dialog>
      ) : null}
    </div>
  );
}
