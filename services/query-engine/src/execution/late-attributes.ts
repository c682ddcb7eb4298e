/** Attributes that were read and are in no column, since the catalog did not know them when a star was bound. */
import type { CatalogTable } from '../catalog/table.ts';
import { printName } from '../parser/print/names.ts';

/** Names that one warning tells; it says how many more there are. */
const NAMED_MAX = 20;

const sqlName = (name: string): string => printName({ name, quoted: false });
const tableName = ({ schemaName, tableName: name }: CatalogTable): string =>
  `${sqlName(schemaName)}.${sqlName(name)}`;

/** A warning for each table, each thing once. */
export function missedWarnings(missed: ReadonlyMap<CatalogTable, ReadonlySet<string>>): readonly string[] {
  return [...missed].map(([table, names]) => {
    const sorted = [...names].sort();
    const named = sorted.slice(0, NAMED_MAX).map(sqlName).join(', ');
    const more = sorted.length > NAMED_MAX ? ` and ${sorted.length - NAMED_MAX} more` : '';
    return (
      `* has no column for attributes of ${tableName(table)} that its sample had missed: ${named}${more}. They were read and ` +
      'are not shown; run the statement again, or name them'
    );
  });
}
