import type { SavedQuery } from '../../../../api/saved-queries.ts';
import { ago } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Notice } from '../../../components/notice.tsx';

interface ConflictProps {
  readonly theirs: SavedQuery;
  readonly mine: string;
}

/** What somebody else saved in between, beside what one has written. */
export function Conflict({ theirs, mine }: ConflictProps) {
  return (
    <>
      <Notice kind="warning">
        <p>
          <Foreign text={theirs.updatedBy} /> saved this query {ago(theirs.updatedAt)}, after you had opened
          it. Nothing was overwritten.
        </p>
      </Notice>
      <div class="conflict">
        {[
          ['Saved', theirs.sql],
          ['Yours', mine],
        ].map(([title = '', sql = '']) => (
          <section key={title}>
            <h3>{title}</h3>
            <pre tabIndex={0} aria-label={title}>
              <Foreign text={sql} />
            </pre>
          </section>
        ))}
      </div>
    </>
  );
}
