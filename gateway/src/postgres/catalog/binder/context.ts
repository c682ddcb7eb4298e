/** What binding a statement needs besides the statement. */
import type { SystemSchema } from '../system/read-system.ts';
import type { TypeSystem } from '../system/types.ts';
import { NODES_MAX } from '../limits.ts';
import type { BoundQuery } from './bound.ts';
import { bindError } from './errors.ts';

/** Who asks, as plain data. */
export interface SessionFacts {
  readonly user: string;
  readonly database: string;
  readonly backendPid: number;
  /** In small letters. */
  readonly settings: Readonly<Record<string, string>>;
  /** Without `"$user"` and pg_catalog. */
  readonly searchPath: readonly string[];
}

/** A relation of the catalogs that a statement may read. */
export interface CatalogRelation {
  readonly schema: SystemSchema;
  readonly name: string;
  readonly oid: number;
  readonly columns: readonly { readonly name: string; readonly type: number; readonly modifier: number }[];
  /** DuckDB's name of it; absent for views. */
  readonly table?: string;
  /** A view's. */
  readonly definition?: string;
}

/** What objects there are, for whoever asks: the system's and the tenant's. */
export interface CatalogNames {
  readonly relation: (schema: string | null, name: string) => CatalogRelation | null;
  /** OID of any relation by its name as `regclass` reads it; null: there is none. */
  readonly relationOid: (schema: string | null, name: string) => number | null;
  readonly schemaOid: (name: string) => number | null;
  readonly typeOid: (schema: string | null, name: string) => number | null;
  readonly roles: ReadonlyMap<string, number>;
  /** OIDs of functions of that name. */
  readonly functionOids: (schema: string | null, name: string) => readonly number[];
  /** DuckDB's tables of what is looked up by OID, and what the search path makes of names. */
  readonly lookup: Readonly<Record<LookupTable, string>>;
}

/** OIDs by the ways in which names can be written. */
export type SpellingTable =
  'relation_spellings' | 'type_spellings' | 'schema_spellings' | 'role_spellings' | 'function_spellings';

export type LookupTable =
  | SpellingTable
  | 'relation_names'
  | 'type_names'
  | 'function_names'
  | 'operator_names'
  | 'collation_names'
  | 'config_names'
  | 'dictionary_names'
  | 'schema_names'
  | 'role_names'
  | 'index_definitions'
  | 'constraint_definitions'
  | 'view_definitions'
  | 'function_texts'
  | 'relation_sizes'
  | 'relation_acls'
  | 'settings'
  | 'keywords'
  | 'time_zone_abbreviations';

/** Values of parameters; where a statement is only described, there are none. */
export interface Parameters {
  /** OIDs as far as they are known; 0 or absent: not yet. What the binder infers is put in. */
  readonly types: number[];
  readonly values: readonly (string | null)[] | null;
}

/** A common table expression that can be named. */
export interface CommonTable {
  readonly table: string;
  readonly columns: BoundQuery['columns'];
}

export interface BindContext {
  readonly system: TypeSystem;
  readonly version: string;
  readonly session: SessionFacts;
  readonly names: CatalogNames;
  readonly parameters: Parameters;
  readonly budget: Budget;
  /** When the statement began, ISO 8601, UTC. */
  readonly now: string;
  readonly commonTables: ReadonlyMap<string, CommonTable>;
  /** Statements of views, which see pg_catalog alone and no byte of which is the caller's. */
  readonly isView: boolean;
}

/** Bounds what a statement becomes, and numbers what needs a name. */
export interface Budget {
  readonly spend: (at: number) => void;
  readonly nextAlias: (prefix: string) => string;
  readonly enter: <T>(at: number, work: () => T) => T;
}

/** Deeper than this, DuckDB refuses a statement too. */
const DEPTH_MAX = 400;

export function createBudget(): Budget {
  let spent = 0;
  let aliases = 0;
  let depth = 0;
  const tooComplex = (at: number): never => {
    throw bindError(
      '54001',
      'the statement is too complex',
      at,
      'Use fewer expressions, or fewer levels of them.',
    );
  };
  return {
    spend(at) {
      if (++spent > NODES_MAX) tooComplex(at);
    },
    nextAlias: (prefix) => `${prefix}${++aliases}`,
    enter(at, work) {
      if (++depth > DEPTH_MAX) tooComplex(at);
      try {
        return work();
      } finally {
        depth--;
      }
    },
  };
}
