/** The Tables page: what schemas hold, and what is known of each table. */
import { useState } from 'preact/hooks';
import { hrefOf, partsOf, place } from '../../app/router.ts';
import { isAdmin } from '../../app/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { askCatalog } from '../common/catalog.ts';
import { PageHead } from '../common/page-head.tsx';
import { SCHEMAS_PATH, type SchemaRecord } from '../common/schemas.ts';
import { Shown } from '../common/shown.tsx';
import { useAsked, useList } from '../common/use-asked.ts';
import { SchemaPanel } from './schema-panel.tsx';
import { TablePanel } from './table-panel.tsx';
import { TableTree } from './table-tree.tsx';
import { treeOf } from './tree.ts';

function NoSchema() {
  return (
    <div class="page">
      <PageHead title="Tables" />
      <EmptyState
        title="No tables yet"
        action={
          isAdmin.value ? (
            <a class="button primary" data-page href={hrefOf('connect/new')}>
              Connect an account
            </a>
          ) : undefined
        }
      >
        <p>
          {isAdmin.value
            ? 'Tables are in AWS accounts. Connect one: it takes a role that may read, and some minutes.'
            : 'Tables are in AWS accounts, which an admin of your organization connects.'}
        </p>
      </EmptyState>
    </div>
  );
}

export default function TablesPage() {
  const [, schemaName = '', tableName = ''] = partsOf(place.value.path);
  const schemas = useList<SchemaRecord>(SCHEMAS_PATH);
  const catalog = useAsked('catalog', (_key, signal) => askCatalog(signal));
  const [search, setSearch] = useState('');
  if (schemas.value?.length === 0) return <NoSchema />;
  const schema = schemas.value?.find((each) => each.schemaName === schemaName) ?? null;
  return (
    <div class={`page tables-page ${schemaName === '' ? '' : 'has-chosen'}`}>
      <div class="tables-tree">
        <PageHead title="Tables" level={schemaName === '' ? 1 : 2} />
        <Shown asked={schemas} what="the schemas">
          {(all) => (
            <Shown asked={catalog} what="the tables">
              {(tables) => (
                <TableTree
                  tree={treeOf(
                    all.map((each) => each.schemaName),
                    tables,
                  )}
                  schemas={all}
                  chosen={{ schemaName, tableName }}
                  search={search}
                  onSearch={setSearch}
                />
              )}
            </Shown>
          )}
        </Shown>
      </div>
      <div class="tables-detail">
        {schemaName === '' ? (
          <EmptyState title="Choose a table">
            <p>Keys, indexes, size, attributes and sample items are shown here.</p>
          </EmptyState>
        ) : tableName === '' ? (
          <SchemaPanel
            key={schemaName}
            schemaName={schemaName}
            schema={schema}
            tables={catalog.value}
            onRefreshed={() => void catalog.again()}
          />
        ) : (
          <TablePanel
            key={`${schemaName}/${tableName}`}
            schemaName={schemaName}
            tableName={tableName}
            onRefreshed={() => void catalog.again()}
          />
        )}
      </div>
    </div>
  );
}
