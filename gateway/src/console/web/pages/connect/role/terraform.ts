/** The role as Terraform resources, which need no module. */
import type { RoleDraft } from './draft.ts';
import { permissions, trustPolicy } from './policies.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A value as HCL writes it. No string here holds `${` or `%{`, which HCL would read as an expression. */
function hcl(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const single = `[${value.map((each) => hcl(each, inner)).join(', ')}]`;
    if (value.length < 2 && !single.includes('\n')) return single;
    return `[\n${value.map((each) => `${inner}${hcl(each, inner)},\n`).join('')}${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([name, each]) => `${inner}${NAME.test(name) ? name : JSON.stringify(name)} = ${hcl(each, inner)}\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

export function terraformText(draft: RoleDraft): string {
  return `resource "aws_iam_role" "penstock_access" {
  name                 = "${draft.roleName}"
  description          = "Read access of Penstock to the tables named."
  max_session_duration = 3600
  assume_role_policy   = jsonencode(${hcl(trustPolicy(draft), '  ')})
}

resource "aws_iam_role_policy" "penstock_read_tables" {
  name   = "read-tables"
  role   = aws_iam_role.penstock_access.id
  policy = jsonencode(${hcl(permissions(draft), '  ')})
}

output "penstock_role_arn" {
  value = aws_iam_role.penstock_access.arn
}
`;
}
