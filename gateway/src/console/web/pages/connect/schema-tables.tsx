/** The tables of a schema as they become known, and a first query on them. */
import { useEffect, useRef } from 'preact/hooks';
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

/** A new schema's tables are described in the background; they are looked for so often, and so many times. */
const LOOK_MS = 1_500;
const LOOKS_MAX = 40;

const TABLES_SHOWN = 20;

export function SchemaTables({ schemaName }: { readonly schemaName: string }) {
  const catalog = useAsked('/console/api/catalog', askCatalog);
  const refresh = useRefresh(schemaName, () => void catalog.again());
  const tables = catalog.value === null ? null : ofSchema(catalog.value, schemaName);
  const looks = useRef(0);
  const isKnown = tables?.some(({ details }) => details !== null) === true;
  useEffect(() => {
    if (isKnown || catalog.isLoading || looks.current >= LOOKS_MAX) return;
    const timer = setTimeout(() => {
      looks.current += 1;
      void catalog.again();
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [catalog.isLoading, isKnown]);
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
