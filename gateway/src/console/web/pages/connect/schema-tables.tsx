/** The tables of a schema as they become known, and a first query on them. */
import { useEffect } from 'preact/hooks';
import { hrefOf, pathTo } from '../../app/router.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { askCatalog, ofSchema } from '../common/catalog.ts';
import { queryHref } from '../common/query-link.ts';
import { RefreshButton, RefreshOutcome, useRefresh } from '../common/refresh.tsx';
import { Shown } from '../common/shown.tsx';
import { useAsked } from '../common/use-asked.ts';
import { firstQuery } from '../tables/first-query.ts';
import { sizeInWords } from '../tables/words.ts';

/** A refresh does nothing until the one before is 30 seconds old. */
const AGAIN_MS = 31_000;

const TABLES_SHOWN = 20;

interface SchemaTablesProps {
  readonly schemaName: string;
  /** Whether the role has just passed its check: then the tables are looked at without being asked for. */
  readonly isLetIn: boolean;
}

export function SchemaTables({ schemaName, isLetIn }: SchemaTablesProps) {
  const catalog = useAsked('catalog', (_key, signal) => askCatalog(signal));
  const refresh = useRefresh(schemaName, () => void catalog.again());
  const tables = catalog.value === null ? null : ofSchema(catalog.value, schemaName);
  const isKnown = tables?.some(({ details }) => details !== null) === true;
  const isNeeded = isLetIn && tables !== null && !catalog.isLoading && !isKnown;
  const { state } = refresh;
  useEffect(() => {
    if (!isNeeded || state.kind === 'running' || state.kind === 'failed') return;
    if (state.kind === 'idle') return refresh.start();
    if (!state.result.skipped) return;
    const timer = setTimeout(refresh.start, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isNeeded, state]);
  const sql = tables === null ? null : firstQuery(tables);
  return (
    <section class="card" aria-label="Tables">
      <div class="card-head">
        <h2>Tables</h2>
        <RefreshButton refresh={refresh} />
      </div>
      <RefreshOutcome refresh={refresh} />
      <Shown asked={catalog} what="the tables">
        {() =>
          tables === null || tables.length === 0 ? (
            <p class="muted">
              None is known yet. They appear here once the role has passed its check; Refresh looks at once.
            </p>
          ) : (
            <>
              <ul class="table-list">
                {tables.slice(0, TABLES_SHOWN).map(({ tableName, details }) => (
                  <li key={tableName}>
                    <a data-page href={hrefOf(pathTo('tables', schemaName, tableName))}>
                      <Foreign text={tableName} />
                    </a>
                    <span class="hint">{details === null ? 'not looked at yet' : sizeInWords(details)}</span>
                  </li>
                ))}
              </ul>
              {tables.length > TABLES_SHOWN ? (
                <p>
                  <a data-page href={hrefOf(pathTo('tables', schemaName))}>
                    All {tables.length} tables
                  </a>
                </p>
              ) : null}
              {sql === null ? null : (
                <p class="actions">
                  <a class="button primary" data-page href={queryHref(sql)}>
                    <Icon name="play" />
                    Write a first query
                  </a>
                  <code class="hint">
                    <Foreign text={sql} />
                  </code>
                </p>
              )}
            </>
          )
        }
      </Shown>
    </section>
  );
}
