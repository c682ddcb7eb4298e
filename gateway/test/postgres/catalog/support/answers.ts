/** What PostgreSQL itself answers: written by ../reference/write-answers.ts, compressed since it is long. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Outcome } from './compare.ts';

export const ANSWERS = join(import.meta.dirname, '../statements/answers.json.br');

/** By client, in the order of its statements. */
export type Answers = Readonly<Record<string, readonly Outcome[]>>;

/** More rows are kept as their digest. */
const ROWS_KEPT_MAX = 60;

export function shortened(outcome: Outcome): Outcome {
  if (outcome.rows.length <= ROWS_KEPT_MAX) return outcome;
  const digest = createHash('sha256').update(outcome.rows.join('\n')).digest('base64url');
  return { ...outcome, rows: [`${outcome.rows.length} rows: ${digest}`] };
}

export function readAnswers(): Answers {
  return JSON.parse(brotliDecompressSync(readFileSync(ANSWERS)).toString()) as Answers;
}
