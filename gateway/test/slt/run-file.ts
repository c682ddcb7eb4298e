import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import { createTable, putItems } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import type { HttpAnswer } from '../e2e/support/http.ts';
import { newAccount, newTenant, registerSchema, type QueryEnvelope } from '../e2e/support/tenant.ts';
import { compare } from './compare.ts';
import { readScript, type SltRecord } from './script.ts';
import { applyStatement, SYNTHETIC_KEY, type SltTable } from './tables.ts';

/** Queries in flight at once: enough to keep both sides busy. */
const CONCURRENCY = 6;
/** Rows of a page: the most that one may have. */
const PAGE_ROWS = 10_000;

interface SltFailure {
  readonly line: number;
  readonly sql: string;
  readonly why: string;
}

interface SltResult {
  readonly right: number;
  readonly failures: readonly SltFailure[];
  /** Records that were skipped, counted by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Runs one script against the stack, in a tenant and an account of its own. The corpus never queries between writes. */
export async function runScript(
  stack: RunningStack,
  text: string,
  options: { readonly every?: number } = {},
): Promise<SltResult> {
  const records = readScript(text);
  const skipped: Record<string, number> = {};
  const skip = (reason: string): void => void (skipped[reason] = (skipped[reason] ?? 0) + 1);
  const tables = new Map<string, SltTable>();
  for (const record of records) {
    if (record.kind === 'Skipped') skip(record.reason);
    if (record.kind !== 'Statement') continue;
    if (record.mustFail) skip('statement error: there is no SQL write path');
    else {
      const reason = applyStatement(tables, record.sql);
      if (reason !== null) skip(reason);
    }
  }

  const tenant = await newTenant(stack);
  const account = newAccount(stack);
  for (const table of tables.values()) {
    await createTable(account, {
      TableName: dynamoName(table.name),
      KeySchema: [{ AttributeName: table.key, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: table.key, AttributeType: keyType(table) }],
    });
    await putItems(account, dynamoName(table.name), [...table.items.values()]);
  }
  await registerSchema(stack, tenant, account, { schemaName: 'slt', tableAllowlist: ['*'] });
  await tenant.call('POST', '/v1/schemas/slt/refresh-metadata');

  const queries = records.filter((record) => record.kind === 'Query');
  const chosen = queries.filter((_, i) => i % (options.every ?? 1) === 0);
  const failures: SltFailure[] = [];
  let right = 0;
  const work = async (record: (typeof chosen)[number]): Promise<void> => {
    const why = await problemOf(record);
    if (why === null) right += 1;
    else failures.push({ line: record.line, sql: record.sql, why });
  };

  /** @returns null when right, else what is wrong */
  async function problemOf(record: Extract<SltRecord, { kind: 'Query' }>): Promise<string | null> {
    const sql = withTableNames(withoutSyntheticKey(record.sql, tables), tables);
    const rows: (readonly unknown[])[] = [];
    for (let resumeIdx: number | undefined = 0; resumeIdx !== undefined;) {
      const answer: HttpAnswer<QueryEnvelope> = await tenant.query(sql, { resumeIdx, maxRows: PAGE_ROWS });
      const { data } = answer.body;
      if (data === undefined) return `${answer.status} ${answer.text.slice(0, 400)}`;
      const keep = data.columns.map((name) => name !== SYNTHETIC_KEY);
      for (const row of data.data) rows.push(row.filter((_, i) => keep[i]));
      ({ resumeIdx } = data);
    }
    const { equal, got } = compare(rows, record.types, record.sort, record.expected);
    if (equal) return null;
    const expected = record.expected.kind === 'Values' ? record.expected.values.join(' ') : 'a hash';
    return `expected ${expected}, got ${got.slice(0, 20).join(' ')}`;
  }

  await mapConcurrently(chosen, CONCURRENCY, work);
  account.close();
  failures.sort((a, b) => a.line - b.line);
  return { right, failures, skipped };
}

/** DynamoDB wants three characters at least; the corpus has tables t1 and x. */
function dynamoName(name: string): string {
  return name.length >= 3 ? name : `${name}__`;
}

function withTableNames(sql: string, tables: ReadonlyMap<string, SltTable>): string {
  let text = sql;
  for (const { name } of tables.values()) {
    if (name.length >= 3) continue;
    // As a FROM item the short name stays as an alias, so that `t1.a` goes on working.
    const from = new RegExp(`(\\bFROM\\s+|\\bJOIN\\s+|,\\s*)${name}\\b(?!\\s*\\.)(\\s+AS\\s+\\w+)?`, 'gi');
    text = text.replace(
      from,
      (_, before: string, alias: string | undefined) =>
        `${before}${dynamoName(name)}${alias ?? ` AS ${name}`}`,
    );
  }
  return text;
}

/**
 * `*` of one table without a key of its own, spelled out: the synthetic key is ours, and would be one column too many
 * for IN (SELECT *) or GROUP BY. Where `*` has more tables, the key is left out of the rows instead.
 */
function withoutSyntheticKey(sql: string, tables: ReadonlyMap<string, SltTable>): string {
  const star =
    /\bSELECT\s+((?:ALL\s+|DISTINCT\s+)?)\*\s+FROM\s+(\w+)\b(?!\s*(?:AS\s+)?(?:\w+\s*)?(?:,|(?:(?:CROSS|INNER|NATURAL|LEFT|RIGHT|FULL|OUTER)\s+)*JOIN\b))/gi;
  return sql.replace(star, (text, quantifier: string, name: string) => {
    const table = tables.get(name.toLowerCase());
    if (table === undefined || table.key !== SYNTHETIC_KEY) return text;
    return `SELECT ${quantifier}${table.columns.join(', ')} FROM ${name}`;
  });
}

function keyType(table: SltTable): 'N' | 'S' {
  const first = table.items.values().next().value?.[table.key];
  return first !== undefined && 'S' in first ? 'S' : 'N';
}
