import type { CatalogTable, Key, TableDetails, TableIndex } from '../../../api/catalog.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { percent } from '../common/percent.ts';
import { queryHref } from '../common/query-link.ts';
import { byKey, columnNames } from './first-query.ts';
import { coverageInWords, projectionInWords, sizeInWords, typeInWords } from './words.ts';

/** `customer_id` partition key, text. */
export function KeyColumns({ of: { partitionKeys, sortKeys } }: { readonly of: Key }) {
  const line = (column: Key['partitionKeys'][number], role: string) => (
    <span key={column.name} class="key-column">
      <code>
        <Foreign text={column.name} />
      </code>
      <span class="hint">
        {role}, {typeInWords(column.type)}
      </span>
    </span>
  );
  return (
    <span class="key-columns">
      {partitionKeys.map((column) => line(column, 'partition key'))}
      {sortKeys.map((column) => line(column, 'sort key'))}
    </span>
  );
}

interface IndexesProps {
  readonly table: CatalogTable;
  readonly indexes: readonly TableIndex[];
  readonly details: TableDetails;
}

export function Indexes({ table, indexes, details }: IndexesProps) {
  return (
    <section class="card" aria-label="Indexes">
      <h2>Indexes</h2>
      {indexes.length === 0 ? (
        <p class="muted">None: queries that don't bind the partition key scan the table.</p>
      ) : (
        <ul class="indexes">
          {indexes.map((index) => (
            <li key={index.name}>
              <div class="index-head">
                <h3>
                  <Foreign text={index.name} />
                </h3>
                <span class="badge">{index.kind}</span>
                <a
                  class="button small"
                  data-page
                  aria-label={`Query by ${index.name}`}
                  href={queryHref(byKey(table.sqlName, index, columnNames(table)))}
                >
                  <Icon name="key" />
                  Query
                </a>
              </div>
              <KeyColumns of={index} />
              <p class="hint">
                Holds {projectionInWords(index)}
                {index.projection === 'include' ? (
                  <>
                    {': '}
                    <Names names={index.nonKeyAttributes} />
                  </>
                ) : null}
                . {coverageInWords(index)}
              </p>
              <Fullness index={index} details={details} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.map((name, i) => (
        <>
          {i === 0 ? '' : ', '}
          <code key={name}>
            <Foreign text={name} />
          </code>
        </>
      ))}
    </>
  );
}

function Fullness({ index, details }: { readonly index: TableIndex; readonly details: TableDetails }) {
  const words = sizeInWords(index);
  if (index.filled === undefined) return <p class="hint figures">{words}</p>;
  return (
    <p class="fullness">
      <meter min={0} max={1} value={Math.min(1, index.filled)} aria-label={`How full ${index.name} is`} />
      <span class="hint figures">
        {percent(index.itemCount, details.itemCount)} of the items are in it: {words}
      </span>
    </p>
  );
}
