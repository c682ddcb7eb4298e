/** Schemas, tables and columns beside the editor: found by any of their names, written where the caret is by a press. */
import { useState } from 'preact/hooks';
import type { CatalogTable, Column } from '../../../../api/catalog.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { searched, treeOf, type FoundTable } from '../../tables/tree.ts';
import { TreeSearch } from '../../tables/tree-search.tsx';
import { tables } from '../catalog.ts';
import { insertText } from '../open.ts';

/** More are found by searching. */
const SHOWN_MAX = 200;

interface NameProps {
  /** As a statement writes it. */
  readonly sqlName: string;
  readonly name: string;
  readonly beside?: string;
}

function Name({ sqlName, name, beside = '' }: NameProps) {
  return (
    <button type="button" class="tree-name" title={`Write ${sqlName}`} onClick={() => insertText(sqlName)}>
      <Foreign text={name} />
      {beside === '' ? null : <span class="hint">{beside}</span>}
    </button>
  );
}

function Columns({ table, columns }: { readonly table: CatalogTable; readonly columns: readonly Column[] }) {
  const keys = [...(table.details?.key.partitionKeys ?? []), ...(table.details?.key.sortKeys ?? [])];
  const isKey = ({ sqlName, name }: Column): boolean =>
    !sqlName.includes('.') && keys.some((key) => key.name === name);
  return (
    <ul>
      {columns.slice(0, SHOWN_MAX).map((column) => (
        <li key={column.sqlName}>
          <Name
            sqlName={column.sqlName}
            name={column.nested.length === 0 ? column.name : `${column.name} …`}
            beside={isKey(column) ? `${column.sqlType}, key` : column.sqlType}
          />
        </li>
      ))}
      {columns.length > SHOWN_MAX ? <li class="hint">More: search for them</li> : null}
    </ul>
  );
}

function Table({ table, attributes }: FoundTable<CatalogTable>) {
  const [isOpen, setOpen] = useState(false);
  const { tableName, sqlName, details } = table;
  const columns = isOpen ? (details?.columns ?? []) : attributes;
  return (
    <li>
      <div class="tree-table">
        <button
          type="button"
          class="branch-toggle"
          disabled={details === null}
          aria-expanded={isOpen}
          aria-label={`Columns of ${sqlName}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
        <Name sqlName={sqlName} name={tableName} />
      </div>
      {columns.length === 0 ? null : <Columns table={table} columns={columns} />}
    </li>
  );
}

export function SchemaTree() {
  const [search, setSearch] = useState('');
  const known = tables.value;
  const found = searched(treeOf([...new Set(known.map(({ schemaName }) => schemaName))], known), search);
  return (
    <search class="query-tree" aria-label="Tables">
      <TreeSearch
        what="schemas, tables and columns"
        placeholder="Tables and columns"
        search={search}
        onSearch={setSearch}
        found={found}
      />
      {known.length > 0 && found.length === 0 ? <p class="muted">Nothing is called so.</p> : null}
      {found.map((schema) => (
        <section key={schema.schemaName} aria-label={schema.schemaName}>
          <h2>
            <Foreign text={schema.schemaName} />
          </h2>
          <ul>
            {schema.tables.slice(0, SHOWN_MAX).map((each) => (
              <Table key={each.table.tableName} {...each} />
            ))}
            {schema.tables.length > SHOWN_MAX ? <li class="hint">More: search for them</li> : null}
          </ul>
        </section>
      ))}
    </search>
  );
}
