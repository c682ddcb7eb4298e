/** What it takes to reach a schema's tables. Never shown in a message: it holds an ARN and the external ID. */
export interface RoleAccess {
  /** `arn:<partition>:iam::<account>:role/…`. */
  readonly roleArn: string;
  readonly externalId: string;
  readonly region: string;
  /** Table names; empty, or with `*` among them: all tables that the role can see. */
  readonly tableAllowlist: readonly string[];
}

/** Two accesses with the same key may share credentials; tenants never do. */
export function roleAccessKey(tenantId: string, access: RoleAccess): string {
  const allowlist = [...new Set(access.tableAllowlist)].sort();
  return JSON.stringify([tenantId, access.roleArn, access.externalId, access.region, allowlist]);
}
