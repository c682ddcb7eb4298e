import type { PolicyDocument } from '../policy/document.ts';

/** An IAM role as it is stored. Policies are kept as the text they were given. */
export interface RoleRecord {
  readonly accountId: string;
  readonly roleName: string;
  /** `AROA…`; a role made again under the same name has another. */
  readonly roleId: string;
  readonly path: string;
  readonly description: string | undefined;
  /** ISO 8601 UTC, seconds. */
  readonly createdAt: string;
  readonly maxSessionSeconds: number;
  readonly trustPolicy: string;
  /** Inline policies: name to text. */
  readonly policies: Readonly<Record<string, string>>;
}

/** A stored role with its policies read. */
export interface Role {
  readonly record: RoleRecord;
  readonly trust: PolicyDocument;
  readonly identity: readonly PolicyDocument[];
}

/** `arn:aws:iam::<account>:role/<path><name>`. */
export function roleArn(record: RoleRecord): string {
  return `arn:aws:iam::${record.accountId}:role${record.path}${record.roleName}`;
}
