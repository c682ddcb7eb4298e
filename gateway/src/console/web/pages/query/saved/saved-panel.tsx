/** The tenant's saved queries: found by name or text, opened by a press. */
import { useEffect, useState } from 'preact/hooks';
import type { SavedQuery } from '../../../../api/saved-queries.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ago, dateTime } from '../../../components/figures.ts';
import { TextField } from '../../../components/fields.tsx';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Lazy } from '../../../components/lazy.tsx';
import { Loading } from '../../../components/loading.tsx';
import { ProblemNotice } from '../../../components/notice.tsx';
import { mayChange } from './may-change.ts';
import { deleteSaved, loadSaved, savedState } from './saved.ts';

const loadVersions = () => import('./versions-dialog.tsx').then(({ VersionsDialog }) => VersionsDialog);

const SEARCHED_FROM = 8;

interface SavedPanelProps {
  readonly onOpen: (query: SavedQuery) => void;
}

function matches({ name, sql }: SavedQuery, wanted: string): boolean {
  const lower = wanted.toLowerCase();
  return name.toLowerCase().includes(lower) || sql.toLowerCase().includes(lower);
}

export function SavedPanel({ onOpen }: SavedPanelProps) {
  const [wanted, setWanted] = useState('');
  const [deleting, setDeleting] = useState<SavedQuery | null>(null);
  const [lookedAt, setLookedAt] = useState<string | null>(null);
  useEffect(() => void loadSaved(), []);
  const state = savedState.value;
  if (state.kind === 'loading') return <Loading what="saved queries" />;
  if (state.kind === 'failed') {
    return <ProblemNotice problem={state.problem} title="Saved queries" retry={() => void loadSaved()} />;
  }
  if (state.queries.length === 0) {
    return (
      <EmptyState title="No query is saved yet">
        <p>Save one under a name, and everybody of your tenant finds it here.</p>
      </EmptyState>
    );
  }
  const withVersions = state.queries.find(({ savedQueryId }) => savedQueryId === lookedAt);
  const found = state.queries.filter((query) => matches(query, wanted));
  return (
    <>
      {state.queries.length < SEARCHED_FROM ? null : (
        <TextField label="Find a saved query" type="search" value={wanted} onValue={setWanted} />
      )}
      <ul class="listed">
        {found.map((query) => (
          <li key={query.savedQueryId} class="listed-with-button">
            <button type="button" class="listed-query" onClick={() => onOpen(query)}>
              <strong>
                <Foreign text={query.name} />
              </strong>
              <code class="listed-sql">
                <Foreign text={query.sql.trim()} />
              </code>
              <span class="listed-facts">
                <time dateTime={query.updatedAt} title={dateTime(query.updatedAt)}>
                  {ago(query.updatedAt)}
                </time>
                <span>
                  by <Foreign text={query.createdBy} />
                  {query.updatedBy === query.createdBy ? null : (
                    <>
                      , changed by <Foreign text={query.updatedBy} />
                    </>
                  )}
                </span>
              </span>
            </button>
            {mayChange(query) ? (
              <>
                <Button
                  small
                  kind="quiet"
                  class="icon-only"
                  aria-label={`Versions of ${query.name}`}
                  title="Versions"
                  onClick={() => setLookedAt(query.savedQueryId)}
                >
                  <Icon name="clock" />
                </Button>
                <Button
                  small
                  kind="quiet"
                  class="icon-only"
                  aria-label={`Delete ${query.name}`}
                  title="Delete"
                  onClick={() => setDeleting(query)}
                >
                  <Icon name="trash" />
                </Button>
              </>
            ) : null}
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p class="hint">None has these words in its name or text.</p> : null}
      {withVersions === undefined ? null : (
        <Lazy
          load={loadVersions}
          what="the versions"
          props={{
            query: withVersions,
            onRestored: (query: SavedQuery) => {
              setLookedAt(null);
              onOpen(query);
            },
            onClose: () => setLookedAt(null),
          }}
        />
      )}
      {deleting === null ? null : (
        <ConfirmDialog
          title="Delete the saved query"
          action="Delete the query"
          onConfirm={() => deleteSaved(deleting.savedQueryId)}
          onClose={() => setDeleting(null)}
        >
          <p>
            <strong>
              <Foreign text={deleting.name} />
            </strong>{' '}
            is gone for everybody of your tenant.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
