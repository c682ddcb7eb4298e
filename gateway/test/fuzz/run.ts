/** Sends spoiled requests to every target and looks at what comes back and what is logged. */
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { seededRandom } from '../chaos/random.ts';
import { watchErrorLines } from './support/error-lines.ts';
import { send, type FuzzAnswer, type FuzzRequest } from './support/send.ts';
import type { Target } from './targets/target.ts';

/** Requests under way at the same time. */
const CONCURRENCY = 6;
/** Requests between two looks into the logs, which then name what was sent meanwhile. */
const BATCH = 60;
/** A request that takes longer is called a hang; statements may take 20 s by their own timeout. */
const HANG_MS = 45_000;
const SHOWN_CHARS_MAX = 1_500;

export interface FuzzOptions {
  readonly seed: number;
  /** Ends after this many requests … */
  readonly requests: number;
  /** … or this long, once each target has had its turn. */
  readonly durationMs: number;
}

export interface FuzzReport {
  readonly seed: number;
  /** How many went to each target, and how often each status came back. */
  readonly targets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What must not be: a 5xx, an internal error, a hang, a line of level error. Empty when all is well. */
  readonly wrong: readonly string[];
}

function shown({ method, path, headers, body }: FuzzRequest): string {
  const text =
    body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
  const { authorization: _, cookie: __, ...rest } = headers;
  const [first = '', others = ''] = [path.slice(0, 700), JSON.stringify(rest).slice(0, 300)];
  return `${method} ${first} ${others} ${JSON.stringify(text.slice(0, 700))} (${text.length} bytes)`;
}

/** What is wrong with an answer; null for nothing. */
function wrongWith({ status, text, elapsedMs }: FuzzAnswer): string | null {
  if (status === 0) return `no answer: ${text}`;
  if (status >= 500) return `${status}: ${text.slice(0, 400)}`;
  if (elapsedMs > HANG_MS) return `${Math.round(elapsedMs)} ms`;
  if (/Internal (?:server )?error|INTERNAL:|UNAVAILABLE:/.test(text)) return text.slice(0, 400);
  return null;
}

/** Runs until the requests or the time are over. Everything that is sent follows from the seed. */
export async function fuzz(
  stack: RunningStack,
  targets: readonly Target[],
  { seed, requests, durationMs }: FuzzOptions,
): Promise<FuzzReport> {
  const base = new URL(stack.baseUrl);
  const random = seededRandom(seed);
  const errors = await watchErrorLines(stack);
  const wrong: string[] = [];
  const counts: Record<string, Record<string, number>> = {};
  const end = performance.now() + durationMs;

  const least = Math.min(requests, targets.length);
  for (let sent = 0; sent < least || (sent < requests && performance.now() < end); sent += BATCH) {
    const batch: { readonly target: Target; readonly request: FuzzRequest }[] = [];
    for (let i = 0; i < BATCH; i += 1) {
      const target = targets[(sent + i) % targets.length] ?? random.pick(targets);
      batch.push({ target, request: await target.next(random) });
    }
    await mapConcurrently(batch, CONCURRENCY, async ({ target, request }) => {
      const answer = await (target.send?.(request) ?? send(base, request));
      const ofTarget = (counts[target.name] ??= {});
      ofTarget[answer.status] = (ofTarget[answer.status] ?? 0) + 1;
      const problem = wrongWith(answer);
      if (problem !== null)
        wrong.push(`${target.name}: ${problem}\n  ${shown(request)}`.slice(0, SHOWN_CHARS_MAX));
    });
    const lines = await errors.take();
    wrong.push(...lines.map((line) => `logged, of requests ${sent} to ${sent + BATCH}: ${line}`));
  }
  return Object.freeze({ seed, targets: counts, wrong });
}
