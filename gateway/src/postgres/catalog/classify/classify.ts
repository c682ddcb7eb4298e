/** Which statements are over the catalogs, by PostgreSQL's parser. */
import { PgError } from '../../errors/pg-error.ts';
import type { Classified } from '../catalog.ts';
import { ParserBroken, parseStatements } from '../parser/parse.ts';
import { namedRelations, type NamedRelation } from './relation-names.ts';

const CATALOG_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'pg_toast']);

/** `systemNames`: names of pg_catalog's relations, which are found without their schema before all others. */
export function isCatalogRelation(
  systemNames: ReadonlySet<string>,
  { schema, name }: NamedRelation,
): boolean {
  return schema === null ? systemNames.has(name) : CATALOG_SCHEMAS.has(schema);
}

/**
 * What is no SQL of PostgreSQL's is the engine's: it says what is wrong, or reads it.
 *
 * @throws ParserBroken: a statement that the parser did not read is of no kind
 */
export function classify(systemNames: ReadonlySet<string>, sql: string): Classified {
  let statements;
  try {
    statements = parseStatements(sql);
  } catch (error) {
    if (error instanceof ParserBroken) throw error;
    return 'user';
  }
  const [statement, ...more] = statements;
  if (statement === undefined || more.length > 0 || !('SelectStmt' in statement)) return 'user';
  const relations = namedRelations(statement);
  if (relations.length === 0) return 'constant';
  const catalogs = relations.filter((relation) => isCatalogRelation(systemNames, relation)).length;
  if (catalogs === 0) return 'user';
  return catalogs === relations.length ? 'catalog' : 'mixed';
}

const label = (one: NamedRelation | undefined): string =>
  one === undefined ? '' : `${one.schema === null ? '' : `${one.schema}.`}${one.name}`;

/** Refuses by name what reads both. */
export function mixedError(systemNames: ReadonlySet<string>, sql: string): PgError {
  const relations = parseStatements(sql).flatMap(namedRelations);
  const catalog = relations.find((one) => isCatalogRelation(systemNames, one));
  const table = relations.find((one) => !isCatalogRelation(systemNames, one));
  return new PgError({
    code: '0A000',
    message: `A statement reads either system catalogs or tables: ${label(catalog)} and ${label(table)} cannot be in one`,
    hint: 'Ask the catalogs first, then the tables.',
  });
}
