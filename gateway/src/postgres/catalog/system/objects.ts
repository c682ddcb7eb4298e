/** The system's own objects by name and OID. */
import { readSystemCatalog, rowsOf, type SystemCatalog, type SystemRelation } from './read-system.ts';
import { readTypeSystem, type TypeSystem } from './types.ts';

export interface SystemObject {
  readonly oid: number;
  readonly name: string;
  readonly schema: string;
}

export interface SystemObjects {
  readonly catalog: SystemCatalog;
  readonly types: TypeSystem;
  /** By `schema.name`. */
  readonly relations: ReadonlyMap<string, SystemRelation & { readonly oid: number }>;
  /** Tables, views and indexes. */
  readonly classes: readonly (SystemObject & { readonly kind: string })[];
  /** By name. */
  readonly schemas: ReadonlyMap<string, number>;
}

export function readSystemObjects(): SystemObjects {
  const catalog = readSystemCatalog();
  const types = readTypeSystem(catalog);
  const schemas = new Map(
    rowsOf(catalog, 'pg_namespace', ['nspname', 'oid']).map(([name, oid]) => [name ?? '', Number(oid)]),
  );
  const schemaNames = new Map([...schemas].map(([name, oid]) => [oid, name]));
  const classes = rowsOf(catalog, 'pg_class', ['oid', 'relname', 'relnamespace', 'relkind']).map(
    ([oid, name, namespace, kind]) => ({
      oid: Number(oid),
      name: name ?? '',
      schema: schemaNames.get(Number(namespace)) ?? '',
      kind: kind ?? 'r',
    }),
  );
  const oids = new Map(classes.map(({ oid, name, schema }) => [`${schema}.${name}`, oid]));
  const relations = new Map(
    catalog.relations.map((relation) => {
      const key = `${relation.schema}.${relation.name}`;
      return [key, { ...relation, oid: oids.get(key) ?? 0 }] as const;
    }),
  );
  return Object.freeze({ catalog, types, relations, classes, schemas });
}
