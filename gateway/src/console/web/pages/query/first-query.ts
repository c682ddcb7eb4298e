/** A query to begin with, that fits the tenant's own tables. */
import type { CatalogTable } from '../../../api/catalog.ts';

const FEW_ROWS = 20;

/** Of the table that has most items of those that are known. Null where there is no table. */
export function firstQuery(tables: readonly CatalogTable[]): string | null {
  const [first, ...others] = tables;
  if (first === undefined) return null;
  const items = ({ details }: CatalogTable): number => details?.itemCount ?? -1;
  const table = others.reduce((most, each) => (items(each) > items(most) ? each : most), first);
  const key = table.details?.key.partitionKeys[0]?.name;
  const named = table.details?.columns.filter(({ types }) => types.every(({ type }) => type !== 'M')) ?? [];
  const columns = named.slice(0, 5).map(({ sqlName }) => sqlName);
  const comment =
    key === undefined ? '' : `-- Bind ${oneLine(key)}, its key, and only those items are read.\n`;
  return `${comment}SELECT ${columns.length === 0 ? '*' : columns.join(', ')}\nFROM ${table.sqlName}\nLIMIT ${FEW_ROWS}`;
}

/** A name may hold a line break, after which a comment would end. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ');
