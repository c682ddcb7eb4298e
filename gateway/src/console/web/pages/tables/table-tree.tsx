import { useState } from 'preact/hooks';
import type { CatalogTable } from '../../../api/catalog.ts';
import { hrefOf, pathTo } from '../../app/router.ts';
import { count } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import type { SchemaRecord } from '../common/schemas.ts';
import { searched, type FoundSchema, type TreeSchema } from './tree.ts';
import { TreeSearch } from './tree-search.tsx';

/** More are found by searching. */
const TABLES_SHOWN_MAX = 300;
const ATTRIBUTES_SHOWN_MAX = 4;

interface TableTreeProps {
  readonly tree: readonly TreeSchema<CatalogTable>[];
  readonly schemas: readonly SchemaRecord[];
  readonly chosen: { readonly schemaName: string; readonly tableName: string };
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

export function TableTree({ tree, schemas, chosen, search, onSearch }: TableTreeProps) {
  const found = searched(tree, search);
  const isSearching = search.trim() !== '';
  return (
    <search class="tree">
      <TreeSearch
        what="schemas, tables and attributes"
        placeholder="Search"
        search={search}
        onSearch={onSearch}
        found={found}
      />
      <nav aria-label="Schemas and tables">
        {found.length === 0 ? <p class="muted tree-none">Nothing is called so.</p> : null}
        {found.map((schema) => (
          <Branch
            key={schema.schemaName}
            schema={schema}
            isDisabled={
              schemas.find(({ schemaName }) => schemaName === schema.schemaName)?.status === 'disabled'
            }
            isSearching={isSearching}
            isOnly={tree.length === 1}
            chosen={chosen}
          />
        ))}
      </nav>
    </search>
  );
}

interface BranchProps {
  readonly schema: FoundSchema<CatalogTable>;
  readonly isDisabled: boolean;
  readonly isSearching: boolean;
  readonly isOnly: boolean;
  readonly chosen: TableTreeProps['chosen'];
}

function Branch({ schema: { schemaName, tables }, isDisabled, isSearching, isOnly, chosen }: BranchProps) {
  const [isOpen, setOpen] = useState(isOnly || chosen.schemaName === schemaName || tables.length <= 12);
  const isShown = isOpen || isSearching;
  const isCurrent = chosen.schemaName === schemaName && chosen.tableName === '';
  const more = tables.length - TABLES_SHOWN_MAX;
  return (
    <div class="branch">
      <div class="branch-head">
        <button
          type="button"
          class="branch-toggle"
          disabled={tables.length === 0}
          aria-expanded={isShown}
          aria-label={`Tables of ${schemaName}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isShown ? 'down' : 'right'} />
        </button>
        <a
          data-page
          href={hrefOf(pathTo('tables', schemaName))}
          aria-current={isCurrent ? 'page' : undefined}
        >
          <Foreign text={schemaName} />
        </a>
        <span class="hint figures">{isDisabled ? 'disabled' : count(tables.length)}</span>
      </div>
      {isShown && tables.length > 0 ? (
        <ul>
          {tables.slice(0, TABLES_SHOWN_MAX).map(({ table: { tableName }, attributes }) => (
            <li key={tableName}>
              <a
                data-page
                href={hrefOf(pathTo('tables', schemaName, tableName))}
                aria-current={
                  chosen.schemaName === schemaName && chosen.tableName === tableName ? 'page' : undefined
                }
              >
                <Foreign text={tableName} />
              </a>
              <Attributes names={attributes.map(({ name }) => name)} />
            </li>
          ))}
          {more > 0 ? <li class="hint tree-none">{count(more)} more: search for them</li> : null}
        </ul>
      ) : null}
    </div>
  );
}

/** By which a table was found. */
function Attributes({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const more = names.length - ATTRIBUTES_SHOWN_MAX;
  return (
    <p class="hint tree-attributes">
      {names.slice(0, ATTRIBUTES_SHOWN_MAX).map((name, at) => (
        <>
          {at === 0 ? '' : ', '}
          <Foreign text={name} />
        </>
      ))}
      {more > 0 ? ` and ${count(more)} more` : ''}
    </p>
  );
}
