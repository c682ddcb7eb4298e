import type { CatalogTable } from '../../../api/catalog.ts';
import { hrefOf, pathTo } from '../../app/router.ts';
import { isAdmin } from '../../app/session.ts';
import { Foreign } from '../../components/foreign.tsx';
import { PageHead } from '../common/page-head.tsx';
import { RefreshButton, RefreshOutcome, useRefresh } from '../common/refresh.tsx';
import type { SchemaRecord } from '../common/schemas.ts';
import { ofSchema } from '../common/catalog.ts';
import { BackToTree } from './back-to-tree.tsx';
import { count, bytes } from '../../components/figures.ts';

interface SchemaPanelProps {
  readonly schemaName: string;
  /** Null: there is none of that name, or it is not known yet. */
  readonly schema: SchemaRecord | null;
  readonly tables: readonly CatalogTable[] | null;
  readonly onRefreshed: () => void;
}

/** What a schema holds. */
export function SchemaPanel({ schemaName, schema, tables, onRefreshed }: SchemaPanelProps) {
  const refresh = useRefresh(schemaName, onRefreshed);
  const own = tables === null ? null : ofSchema(tables, schemaName);
  const isActive = schema?.status === 'active';
  return (
    <>
      <BackToTree />
      <PageHead
        title={<Foreign text={schemaName} />}
        lead={schema === null ? undefined : `${schema.region}, account ${schema.accountId}`}
      >
        {isAdmin.value && isActive ? <RefreshButton refresh={refresh} small={false} /> : null}
        {isAdmin.value && schema !== null ? (
          <a class="button" data-page href={hrefOf(pathTo('connect', 'schemas', schemaName))}>
            Settings
          </a>
        ) : null}
      </PageHead>
      <RefreshOutcome refresh={refresh} />
      {schema?.status === 'disabled' ? (
        <p class="muted">
          This schema is disabled: its tables are not listed, and queries on them are refused.
        </p>
      ) : own === null ? null : own.length === 0 ? (
        <p class="muted">
          No table is known yet. Without an allowlist, tables are looked at when a query first names them;
          else the role may be at fault, which an admin sees under Connect.
        </p>
      ) : (
        <TableList tables={own} />
      )}
    </>
  );
}

function TableList({ tables }: { readonly tables: readonly CatalogTable[] }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Tables">
      <table class="table stacks">
        <thead>
          <tr>
            <th scope="col">Table</th>
            <th scope="col" class="number">
              Items
            </th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col" class="number">
              Indexes
            </th>
          </tr>
        </thead>
        <tbody>
          {tables.map(({ schemaName, tableName, details }) => (
            <tr key={tableName}>
              <th scope="row">
                <a data-page href={hrefOf(pathTo('tables', schemaName, tableName))}>
                  <Foreign text={tableName} />
                </a>
              </th>
              <td class="number" data-label="Items">
                {details === null ? '–' : count(details.itemCount)}
              </td>
              <td class="number" data-label="Size">
                {details === null ? '–' : bytes(details.sizeBytes)}
              </td>
              <td class="number" data-label="Indexes">
                {details === null ? '–' : details.indexes.length}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
