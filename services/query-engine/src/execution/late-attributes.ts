/** Attributes that were read and are in no column, since the catalog did not know them when a star was bound. */
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { statementError } from '../binder/errors.ts';
import { byUtf8 } from '../catalog/attributes.ts';
import { MET_LAST, type MetAttributes } from '../catalog/met-attributes.ts';
import { TYPE_OF_CODE } from '../dynamodb/column-batch.ts';
import type { CatalogTable } from '../catalog/table.ts';
import type { Position } from '../parser/ast.ts';
import { printName } from '../parser/print/names.ts';
import type { ResultFormat } from './results/row-format.ts';

/**
 * What becomes of them. `columns`: they are columns where the header is not out yet; of one that comes later, CSV and
 * Parquet end with an error. `others`: those that come later are in a last column, as a document. `drop`: they are left out,
 * and a warning names them. `warn`: none is a column, and a warning names them. `refuse`: the statement fails.
 */
export type LateAttributes = 'columns' | 'others' | 'drop' | 'warn' | 'refuse';

/** By name, of each table: types as bits of `1 << TypeCode`. */
export type MissedAttributes = ReadonlyMap<CatalogTable, ReadonlyMap<string, number>>;

/** Names that one message tells; it says how many more there are. */
const NAMED_MAX = 20;

const sqlName = (name: string): string => printName({ name, quoted: false });
const tableName = ({ schemaName, tableName: name }: CatalogTable): string =>
  `${sqlName(schemaName)}.${sqlName(name)}`;

function named(names: ReadonlyMap<string, number>): string {
  const sorted = [...names.keys()].sort(byUtf8);
  const more = sorted.length > NAMED_MAX ? ` and ${sorted.length - NAMED_MAX} more` : '';
  return `${sorted.slice(0, NAMED_MAX).map(sqlName).join(', ')}${more}`;
}

/** A warning for each table, each thing once. */
export const lateWarnings = (missed: MissedAttributes): readonly string[] =>
  [...missed].map(
    ([table, names]) =>
      `* has no column for attributes of ${tableName(table)} that its sample had missed: ${named(names)}. They were read and ` +
      'are not shown; run the statement again, or name them',
  );

/** They are known to the catalog from then on. */
export function lateError(
  missed: MissedAttributes,
  late: LateAttributes,
  place: { readonly sql: string; readonly pos: Position },
): PenstockError {
  const [[table, names] = []] = missed;
  if (table === undefined || names === undefined) throw new Error('no attribute is late');
  const message = `* has no column for attributes of ${tableName(table)} that were met on the way: ${named(names)}`;
  const again = 'they are known now: run the statement again, or name the columns';
  const advice =
    late === 'refuse' ? again : `${again}; options.lateAttributes says what else may become of them`;
  return statementError('EXECUTION_ERROR', message, place, advice);
}

/** As columns behind all that are known. */
export const asMet = (missed: MissedAttributes): readonly MetAttributes[] =>
  [...missed].map(([{ schemaName, tableName: name }, names]) => ({
    schemaName,
    tableName: name,
    attributes: [...names].map(([attribute, bits]) => ({
      name: attribute,
      types: TYPE_OF_CODE.flatMap((type, code) =>
        type !== null && (bits & (1 << code)) !== 0 ? [type] : [],
      ),
      metSince: MET_LAST,
    })),
  }));

/** Whether a result of the format ends where an attribute has no column any more. */
export const breaksOnLate = (format: ResultFormat, late: LateAttributes): boolean =>
  late === 'refuse' ||
  ((late === 'columns' || late === 'others') && (format === 'csv' || format === 'parquet'));
