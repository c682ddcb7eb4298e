/**
 * A result as a file: its rows that are here, for nothing; or all of it, for which the statement runs again, as one stream
 * that goes to the disk.
 */
import { signal } from '@preact/signals';
import type { Problem } from '../../../net/outcome.ts';
import { noAnswer } from '../../../net/problem-of.ts';
import { ask, open } from '../../../net/request.ts';
import type { Run } from '../run/run.ts';
import { keptRows, type FileFormat, type Kept, type TextFormat } from './kept-rows.ts';
import { csvOfNdjson } from './rows-as-csv.ts';

interface Written {
  readonly type: string;
  readonly extension: string;
  /** What is asked for, where it is made of something else. */
  readonly accept?: string;
}

const WRITTEN: Readonly<Record<FileFormat, Written>> = Object.freeze({
  spreadsheet: { type: 'text/csv', extension: 'csv', accept: 'application/x-ndjson; header=present' },
  csv: { type: 'text/csv', extension: 'csv' },
  ndjson: { type: 'application/x-ndjson', extension: 'ndjson' },
  parquet: { type: 'application/vnd.apache.parquet', extension: 'parquet' },
});

/** Bytes after which what has come is handed to the browser, which keeps large blobs on disk. */
const PART_BYTES = 8_388_608;
/** The browser needs the address until it has begun to save. */
const ADDRESS_MS = 60_000;

export interface Download {
  readonly format: FileFormat;
  readonly bytes: number;
  readonly stop: () => void;
}

/** The one under way, if any. */
export const download = signal<Download | null>(null);

/** Saves what there is as a file. */
export function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), ADDRESS_MS);
}

/** `penstock-2026-11-26-1432.csv`. */
export function fileName(extension: string, now = new Date()): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `penstock-${day}-${two(now.getHours())}${two(now.getMinutes())}.${extension}`;
}

/** A stream that breaks on the way throws, so that no part of a result passes for the whole. */
async function collect(
  content: AsyncIterable<Uint8Array<ArrayBuffer> | string>,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Blob> {
  const parts: Blob[] = [];
  let pending: (Uint8Array<ArrayBuffer> | string)[] = [];
  let pendingBytes = 0;
  let all = 0;
  for await (const chunk of content) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    onBytes((all += chunk.length));
    if (pendingBytes < PART_BYTES) continue;
    parts.push(new Blob(pending));
    [pending, pendingBytes] = [[], 0];
  }
  return new Blob([...parts, ...pending]);
}

/** NDJSON says in its last line why it ended: an error there is no whole result, either. */
async function lastLineProblem(content: Blob): Promise<Problem | null> {
  const END_BYTES = 65_536;
  const end = await content.slice(Math.max(0, content.size - END_BYTES)).text();
  const line = end.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{"error"')) return null;
  const { error } = JSON.parse(line) as { error: string };
  return { kind: 'refused', message: error };
}

async function run(sql: string, format: FileFormat, controller: AbortController): Promise<Problem | null> {
  const requestId = `console-${crypto.randomUUID()}`;
  const stop = (): void => {
    controller.abort();
    void ask(`/v1/queries/${requestId}`, { method: 'DELETE' });
  };
  const { type, extension, accept } = WRITTEN[format];
  download.value = { format, bytes: 0, stop };
  const opened = await open('/v1/query', {
    method: 'POST',
    body: { sql },
    headers: { accept: accept ?? type, 'x-request-id': requestId },
    signal: controller.signal,
    msMax: null,
  });
  if (!opened.ok) return opened.problem;
  const { body, headers } = opened.value;
  if ((headers.get('content-type') ?? '').startsWith('application/json') || body === null) {
    const said = (await opened.value.json().catch(() => ({}))) as { error?: string; detailedError?: string };
    return {
      kind: 'refused',
      message: said.detailedError?.split('\n')[0] ?? said.error ?? 'There was no result.',
    };
  }
  const written = format === 'spreadsheet' ? csvOfNdjson(body, 'spreadsheet') : body;
  const content = await collect(written, (bytes) => (download.value = { format, bytes, stop }));
  const problem = format === 'ndjson' ? await lastLineProblem(content) : null;
  if (problem === null) save(new Blob([content], { type }), fileName(extension));
  return problem;
}

/** Saves the rows that are here: nothing is read. */
export async function saveKept(kept: Kept, format: TextFormat): Promise<void> {
  const { type, extension } = WRITTEN[format];
  const content = await collect(keptRows(kept, format));
  save(new Blob([content], { type }), fileName(extension));
}

/** @returns what failed; null once it is saved. A download that was stopped gives a problem of the kind `stopped`. */
export async function downloadResult({ sql }: Pick<Run, 'sql'>, format: FileFormat): Promise<Problem | null> {
  const controller = new AbortController();
  try {
    return await run(sql, format, controller);
  } catch (error) {
    const problem = noAnswer(error);
    return problem.kind === 'stopped'
      ? problem
      : { ...problem, message: 'The connection broke before the result was whole: nothing was saved.' };
  } finally {
    download.value = null;
  }
}
