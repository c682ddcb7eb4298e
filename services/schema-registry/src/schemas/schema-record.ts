/** `active`: may be queried. `disabled`: suspended until it is set active again. */
export type SchemaStatus = 'active' | 'disabled';

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
