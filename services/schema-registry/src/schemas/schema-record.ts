/** `active`: may be queried. `disabled`: suspended until it is set active again. */
export type SchemaStatus = 'active' | 'disabled';

/** What queries may read of a schema's tables; the members that are absent set nothing. */
export interface ReadLimits {
  /** Read units a second, of each table for itself. */
  readonly unitsPerSecond?: number;
  /** Read units that one query may consume, of all tables together. */
  readonly unitsPerQuery?: number;
  /** Tables that have a limit of their own, by name: read units a second. */
  readonly tableUnitsPerSecond?: Readonly<Record<string, number>>;
}

/** What a caller gives of a schema, apart from its name. */
export interface SchemaFields {
  /** E.g. `eu-west-1`. */
  readonly region: string;
  /** 12 digits. */
  readonly accountId: string;
  /** The access role; its account is `accountId`. */
  readonly roleArn: string;
  /** Sent when assuming the role. */
  readonly externalId: string;
  /** Empty: no restriction. Holding `*`: all tables, explicitly. Else just these, case-sensitively. */
  readonly tableAllowlist: readonly string[];
  /** Null: none is set. */
  readonly readLimits: ReadLimits | null;
}

/** A schema as it is stored. */
export interface SchemaRecord extends SchemaFields {
  readonly kind: 'schema';
  readonly tenantId: string;
  /** As given at creation; unique within the tenant whatever the case. */
  readonly schemaName: string;
  readonly status: SchemaStatus;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
  /**
   * Names what the cached metadata is about. New with every creation, and whenever the account or the region
   * changes, so that metadata of a former life is never taken for that of this one.
   */
  readonly incarnation: string;
  /** Counts the writes; a write that read another revision is refused. */
  readonly revision: number;
}

/** What a name is stored and looked up under: names collide whatever their case. */
export function schemaKey(schemaName: string): string {
  return schemaName.toLowerCase();
}
