/** Takes a whole result, and says what came of it: all of it, or something that nobody could take for all of it. */
import { createHash } from 'node:crypto';
import { readIndependently } from '../../../../services/query-engine/test/engine/parquet-reader.ts';
import { streamed, type Streamed } from '../../e2e/support/streamed.ts';

export const FORMATS = Object.freeze({
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
});
export type Format = keyof typeof FORMATS;

/** `refused`: an answer of the contract that says so. `away`: no answer. */
export type Outcome =
  | { readonly kind: 'whole' | 'refused' | 'away' }
  | { readonly kind: 'broken'; readonly hasRows: boolean }
  | { readonly kind: 'wrong'; readonly why: string };

export interface Asked {
  readonly url: string;
  readonly token: string;
  readonly sql: string;
  readonly format: Format;
  /** The first column of all rows, in any order. */
  readonly ids: readonly string[];
}

async function idsOf(format: Format, body: Buffer): Promise<readonly string[]> {
  if (format === 'parquet') return (await readIndependently(body)).rows.map(([id]) => String(id));
  const lines = body.toString().trimEnd().split(/\r?\n/);
  if (format === 'csv') return lines.slice(1).map((line) => line.slice(0, line.indexOf(',')));
  const { rows } = JSON.parse(lines.at(-1) ?? '') as { rows: number };
  if (rows !== lines.length - 1) throw new Error(`${lines.length - 1} lines, where the last says ${rows}`);
  return lines.slice(0, -1).map((line) => (JSON.parse(line) as [string])[0]);
}

const digestOf = (body: Buffer): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

/** What is wrong with what came as if it were all; null where nothing is. */
async function faultOf({ format, ids }: Asked, { body, trailers }: Streamed): Promise<string | null> {
  if (trailers['content-digest'] !== digestOf(body)) return 'another digest than was sent';
  const rows = Number(trailers['x-penstock-rows']);
  if (rows !== ids.length) return `${rows} rows by the trailer, of ${ids.length}`;
  const found = await idsOf(format, body);
  return [...found].sort().join() === ids.join() ? null : `${found.length} rows that are not the table's`;
}

/** An answer without rows, which is JSON. */
function isRefusal({ headers, body, isWhole }: Streamed): boolean {
  if (!isWhole || headers['content-type']?.startsWith('application/json') !== true) return false;
  return (JSON.parse(body.toString()) as { success?: unknown }).success === false;
}

/** `ids` must be sorted. `onRows`: told once bytes of the body have come. */
export async function takeStream(asked: Asked, onRows?: () => void): Promise<Outcome> {
  const { url, token, sql, format } = asked;
  const headers = { authorization: `Bearer ${token}`, accept: FORMATS[format] };
  const answer = await streamed(url, { sql }, headers, () => onRows?.()).catch(() => null);
  if (answer === null) return { kind: 'away' };
  const { status, isWhole, trailers, body } = answer;
  try {
    if (isRefusal(answer)) return { kind: 'refused' };
    // Nothing was said but that it begins.
    if (!isWhole) {
      const said = Object.keys(trailers);
      return said.length === 0
        ? { kind: 'broken', hasRows: body.length > 0 }
        : { kind: 'wrong', why: `cut, with ${said.join()}` };
    }
    const fault = status === 200 ? await faultOf(asked, answer) : `status ${status}`;
    return fault === null ? { kind: 'whole' } : { kind: 'wrong', why: fault };
  } catch (error) {
    return { kind: 'wrong', why: String(error) };
  }
}
