/** A whole statement: DuckDB's SQL that gives its rows as PostgreSQL's texts. */
import { parseStatements } from '../parser/parse.ts';
import { TYPE } from '../system/types.ts';
import type { CatalogColumn } from '../catalog.ts';
import { columnName, type Assignment } from './bound.ts';
import { bindQuery } from './bind-select.ts';
import type { BindContext } from './context.ts';
import { bindError, unsupported, withPosition } from './errors.ts';
import { textOf } from './text-of.ts';
import { baseType, isVector } from './type-facts.ts';

export interface BoundStatement {
  readonly sql: string;
  readonly columns: readonly CatalogColumn[];
  readonly parameterOids: readonly number[];
  readonly assignments: readonly Assignment[];
}

/** A domain goes out as what it is made of. */
function shownColumn({ system }: BindContext, name: string, type: number, modifier: number): CatalogColumn {
  const declared = system.types.get(type);
  const base = baseType(system, type);
  const typeOid = base?.oid ?? type;
  return {
    name,
    typeOid,
    typeModifier: declared?.kind === 'd' ? declared.modifier : isVector(type) ? -1 : modifier,
  };
}

/**
 * @throws PgError whatever is wrong with the statement, with its place
 */
export function bindStatement(context: BindContext, sql: string): BoundStatement {
  try {
    const statements = parseStatements(sql);
    const [statement] = statements;
    if (statement === undefined || statements.length > 1)
      throw bindError('42601', 'cannot insert multiple commands into a prepared statement');
    if (!('SelectStmt' in statement)) throw unsupported('other than SELECT');
    const query = bindQuery(context, statement.SelectStmt, null);
    const cells = query.columns.map((column, i) => {
      const { name: _, ...value } = column;
      return `${textOf(context, { ...value, sql: `q.${columnName(i)}`, at: -1 })} AS ${columnName(i)}`;
    });
    return {
      sql: `SELECT ${cells.length === 0 ? 'true' : cells.join(', ')} FROM (${query.sql}) q`,
      columns: query.columns.map(({ name, type, modifier }) => shownColumn(context, name, type, modifier)),
      // What nothing gave a type is text.
      parameterOids: context.parameters.types.map((type) => (type === 0 ? TYPE.text : type)),
      assignments: query.assignments ?? [],
    };
  } catch (error) {
    throw withPosition(error, sql);
  }
}
