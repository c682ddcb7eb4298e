/** What a saved query is and was: who saved each text, and when; an earlier one is saved anew by a press. */
import { useState } from 'preact/hooks';
import { savedQueryTextsPath } from '../../../../api/paths.ts';
import type { SavedQuery, SavedQueryText, SavedQueryTexts } from '../../../../api/saved-queries.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ago, dateTime } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { ProblemNotice } from '../../../components/notice.tsx';
import { notify } from '../../../components/toasts.tsx';
import type { Problem } from '../../../net/outcome.ts';
import { Shown } from '../../common/shown.tsx';
import { usePath } from '../../common/use-asked.ts';
import { loadSaved, saveChange } from './saved.ts';

interface VersionsProps {
  readonly query: SavedQuery;
  /** With what the query is then. */
  readonly onRestored: (query: SavedQuery) => void;
  readonly onClose: () => void;
}

export function VersionsDialog({ query, onRestored, onClose }: VersionsProps) {
  const asked = usePath<SavedQueryTexts>(savedQueryTextsPath(query.savedQueryId));
  const [busy, setBusy] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const restore = async ({ number, sql }: SavedQueryText): Promise<void> => {
    if (busy !== null) return;
    setBusy(number);
    setProblem(null);
    const saved = await saveChange(query.savedQueryId, { sql, version: query.version });
    setBusy(null);
    if (!saved.ok) {
      setProblem(saved.problem);
      // What somebody saved meanwhile is looked at first, and may then be saved over.
      if (saved.problem.code === 'CONFLICT') void Promise.all([loadSaved(), asked.again()]);
      return;
    }
    notify(`${query.name} is saved anew as it was`, 'success');
    onRestored(saved.value);
  };
  return (
    <Dialog title={`Versions of ${query.name}`} wide onClose={onClose}>
      {problem === null ? null : <ProblemNotice title="It could not be restored" problem={problem} />}
      <Shown asked={asked} what="the versions">
        {({ texts }) => (
          <ol class="listed" reversed>
            {texts.map((text, i) => (
              <li key={text.number} class="version">
                <details open={i === 0}>
                  <summary>
                    <time dateTime={text.savedAt} title={dateTime(text.savedAt)}>
                      {ago(text.savedAt)}
                    </time>{' '}
                    by <Foreign text={text.savedBy} />
                    {i === 0 ? <span class="badge">now</span> : null}
                  </summary>
                  <pre tabIndex={0} aria-label="Its text">
                    <Foreign text={text.sql} />
                  </pre>
                  {i === 0 ? null : (
                    <Button small busy={busy === text.number} onClick={() => void restore(text)}>
                      Restore
                    </Button>
                  )}
                </details>
              </li>
            ))}
          </ol>
        )}
      </Shown>
      <p class="hint">The last ten texts before the one of now are kept. Restoring one saves it anew.</p>
    </Dialog>
  );
}
