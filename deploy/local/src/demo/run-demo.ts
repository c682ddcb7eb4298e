/**
 * The demo over a running stack: makes a tenant and a customer's account with tables and an access role,
 * registers a schema, runs a join over REST, and says the request, the rows, what they cost, and how to go on.
 */
import { join } from 'node:path';
import { proposeExternalId } from '@penstock/common/aws/external-id.ts';
import { admin } from '../seed/admin.ts';
import { createAccessRole, customerAccount } from '../seed/customer-account.ts';
import type { RunningStack } from '../stack/stack.ts';
import { demoPerson, type DemoPerson } from './demo-person.ts';
import { postJson } from './post-json.ts';
import { seedShop } from './shop.ts';

const REGION = 'eu-west-1';

const SQL = `SELECT c.city, COUNT(*) AS orders, SUM(o.total) AS revenue
FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.customer_id
WHERE o.status = 'PAID'
GROUP BY c.city ORDER BY c.city`;

interface QueryAnswer {
  readonly data: {
    readonly columns: readonly string[];
    readonly data: readonly (readonly unknown[])[];
    readonly readUnits: number;
    readonly execTime: number;
  };
}

/**
 * Each demo makes an account and a tenant of its own, so that it can be run again on the same data folder.
 * @param say takes what is to be printed, line by line
 * @returns who can sign in to the console
 */
export async function runDemo(stack: RunningStack, say: (text: string) => void): Promise<DemoPerson> {
  const accountId = String(Math.floor(1e11 + Math.random() * 8e11));
  const { tenantId } = await admin<{ tenantId: string }>(stack.dataDir, 'tenant', 'create', '--name', 'Demo');
  const externalId = proposeExternalId(tenantId);
  const account = customerAccount({ accountId, region: REGION, endpoint: stack.awsEndpoint });
  say(
    `A customer's account ${accountId}: tables customers and orders, and a role that asks for an external ID`,
  );
  await seedShop(account);
  const roleArn = await createAccessRole(account, {
    roleName: 'penstock-access',
    serviceAccountId: stack.serviceAccountId,
    externalId,
    tableNames: ['customers', 'orders'],
  });
  account.close();

  const credentials = await admin<{ clientId: string; clientSecret: string }>(
    stack.dataDir,
    ...['client', 'create', '--tenant', tenantId, '--name', 'demo'],
    ...['--scopes', 'query schemas:read schemas:write usage:read'],
  );
  say(`A tenant ${tenantId} with an API client ${credentials.clientId}`);

  const v1 = `${stack.baseUrl}/v1`;
  const issued = await postJson<{ data: { accessToken: string } }>(`${v1}/auth/token`, null, credentials);
  const token = issued.data.accessToken;
  await postJson(`${v1}/schemas`, token, {
    schemaName: 'shop',
    region: REGION,
    accountId,
    roleArn,
    externalId,
    tableAllowlist: ['customers', 'orders'],
  });
  say('A schema shop that pairs the role with the region\n');

  const answer = await postJson<QueryAnswer>(`${v1}/query`, token, { sql: SQL });
  say(SQL);
  say('');
  say(table(answer.data.columns, answer.data.data));
  say(`\nread units ${answer.data.readUnits}, ${answer.data.execTime} ms\n`);
  say('To repeat it (the token lives an hour):\n');
  say(`TOKEN=${token}`);
  say(
    `curl -s ${v1}/query -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({ sql: SQL.replaceAll('\n', ' ') }).replaceAll("'", "'\\''")}'\n`,
  );
  const { port } = new URL(stack.postgresUrl);
  const { clientId, clientSecret } = credentials;
  say("For README's session with curl, in another terminal:\n");
  say(
    `export BASE=${stack.baseUrl} TENANT=${tenantId} ACCOUNT=${accountId} ROLE=${roleArn} EXTERNAL_ID=${externalId}\n`,
  );
  say('Or by any client of PostgreSQL:\n');
  say(`psql "postgresql://${clientId}:${clientSecret}@localhost:${port}/penstock"\n`);
  say(`Client: ${JSON.stringify(credentials)}`);
  say(`Logs:   ${join(stack.dataDir, 'logs')}`);
  const person = await demoPerson(stack, tenantId);
  say(`\n${person.hint}`);
  return person;
}

/** Rows as aligned text, for a terminal. */
function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [columns.map(String), ...rows.map((row) => row.map(cell))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n');
}

function cell(value: unknown): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
