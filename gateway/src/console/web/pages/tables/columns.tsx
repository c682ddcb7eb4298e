import type { Column, Key } from '../../../api/catalog.ts';
import { count } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';
import { percent } from '../common/percent.ts';
import { typeInWords } from './words.ts';

interface Row {
  readonly column: Column;
  readonly depth: number;
}

const rowsOf = (columns: readonly Column[], depth = 0): readonly Row[] =>
  columns.flatMap((column) => [{ column, depth }, ...rowsOf(column.nested, depth + 1)]);

interface ColumnsProps {
  readonly columns: readonly Column[];
  readonly keyOf: Key;
  readonly sampledItems: number;
}

/** Each attribute with its types, and how many of the sampled items have it. */
export function Columns({ columns, keyOf, sampledItems }: ColumnsProps) {
  const roles = new Map([
    ...keyOf.partitionKeys.map(({ name }) => [name, 'partition key'] as const),
    ...keyOf.sortKeys.map(({ name }) => [name, 'sort key'] as const),
  ]);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Attributes and their types">
      <table class="table stacks columns-table">
        <thead>
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col">SQL type</th>
            <th scope="col">Seen as</th>
            <th scope="col" class="number">
              Different values
            </th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(columns).map(({ column, depth }) => (
            <tr key={`${depth} ${column.sqlName}`}>
              <th scope="row" class={`depth-${Math.min(depth, 3)}`}>
                <code>
                  <Foreign text={column.name} />
                </code>{' '}
                {depth === 0 && roles.has(column.name) ? (
                  <span class="badge">{roles.get(column.name)}</span>
                ) : null}
              </th>
              <td data-label="SQL type">
                <code>{column.sqlType}</code>
              </td>
              <td data-label="Seen as">
                <Types column={column} sampledItems={sampledItems} />
              </td>
              <td class="number" data-label="Values">
                {distinctOf(column)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function distinctOf({ distinct, distinctValues }: Column): string {
  if (distinct !== undefined) return `about ${count(distinct.estimate)}`;
  return distinctValues === 0 ? '–' : count(distinctValues);
}

function Types({
  column: { types },
  sampledItems,
}: {
  readonly column: Column;
  readonly sampledItems: number;
}) {
  if (sampledItems === 0 || types.length === 0) return <span class="muted">–</span>;
  return (
    <ul class="types">
      {types.map(({ type, items }) => (
        <li key={type}>
          <meter
            min={0}
            max={sampledItems}
            value={Math.min(items, sampledItems)}
            aria-label={typeInWords(type)}
          />
          <span class="figures">
            {typeInWords(type)} {percent(items, sampledItems)}
          </span>
        </li>
      ))}
    </ul>
  );
}
