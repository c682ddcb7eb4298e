/** Clients that ask without pause, and the ledger of what they were answered. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { http } from '../e2e/support/http.ts';
import type { QueryEnvelope } from '../e2e/support/tenant.ts';
import { checkOther, checkQuery, type AnswerCheck } from './check-answers.ts';
import type { Random } from './random.ts';
import { everyOther, nextQuery, type QueryCase } from './requests.ts';
import type { ChaosTenant } from './tenants.ts';

/** What the answers to one tenant add up to. */
export interface Ledger {
  /** Statements that reached the gateway or may have, whatever became of them. */
  sent: number;
  /** Answered statements that were certainly admitted: all but 503, which can come before that. */
  admitted: number;
  /** Answered 503. */
  unavailable: number;
  /** Never answered: the connection broke, or the client left. */
  unanswered: number;
  rows: number;
  /** Read units of the answers that say them, times two. */
  halfUnits: number;
}

export interface LoadResult {
  readonly ledgers: ReadonlyMap<ChaosTenant, Ledger>;
  /** How often each kind of statement or request came out how. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly wrong: readonly string[];
}

interface LoadOptions {
  readonly stack: RunningStack;
  readonly tenants: readonly ChaosTenant[];
  readonly random: Random;
  /** Statements of one tenant at the same time. */
  readonly clients: number;
  /** Whether some clients leave before their answer. */
  readonly aborts: boolean;
  /** Whether connections may break, since the gateway itself is killed. */
  readonly mayBreak: boolean;
  readonly signal: AbortSignal;
  /** Told how each came out. */
  readonly onOutcome?: (outcome: string) => void;
}

/** Longer than any answer may take here; a query that is not answered by then hangs, which is wrong. */
const ANSWER_MS_MAX = 45_000;
const PAUSE_MS_MAX = 40;
/** After a broken connection: the gateway takes a while to come back. */
const BROKEN_PAUSE_MS = 100;
const WRONG_SHOWN_MAX = 20;
/** One of so many requests goes to another part; one of so many statements is given up by its client. */
const OTHER_EVERY = 10;
const ABORT_EVERY = 12;
const ABORT_AFTER_MS_MAX = 60;

/** Runs until the signal; then waits for what is still in flight. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { stack, random, signal } = options;
  const ledgers = new Map<ChaosTenant, Ledger>();
  const outcomes = new Map<string, number>();
  const wrong: string[] = [];
  const tell = (name: string, checked: AnswerCheck | { readonly kind: 'broken' | 'aborted' }): void => {
    const outcome = `${name}: ${checked.kind}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    options.onOutcome?.(outcome);
    if ('what' in checked && wrong.length < WRONG_SHOWN_MAX) wrong.push(checked.what);
  };
  const broke = async (name: string, error: unknown): Promise<void> => {
    // Sleeps: as a client would before it asks again.
    await pause(BROKEN_PAUSE_MS);
    if (options.mayBreak && !isTimeout(error)) tell(name, { kind: 'broken' });
    else tell(name, { kind: 'wrong', what: `${name}: no answer: ${String(cause(error))}` });
  };

  async function query(client: ChaosTenant, own: Random, ledger: Ledger): Promise<void> {
    const asked = nextQuery(own, client);
    const leaves = options.aborts && own.below(ABORT_EVERY) === 0;
    const patience = leaves ? own.below(ABORT_AFTER_MS_MAX) : ANSWER_MS_MAX;
    ledger.sent += 1;
    try {
      const answer = await http<QueryEnvelope>('POST', `${stack.baseUrl}/v1/query`, {
        token: client.tenant.token,
        json: asked.body,
        signal: AbortSignal.timeout(patience),
      });
      count(ledger, asked, answer);
      tell(asked.name, checkQuery(asked, answer));
    } catch (error) {
      if (neverArrived(error)) ledger.sent -= 1;
      else ledger.unanswered += 1;
      if (leaves && isTimeout(error)) tell(asked.name, { kind: 'aborted' });
      else await broke(asked.name, error);
    }
  }

  async function other(client: ChaosTenant, own: Random): Promise<void> {
    const asked = own.pick(everyOther(client));
    try {
      tell(asked.name, checkOther(asked, await asked.send()));
    } catch (error) {
      await broke(asked.name, error);
    }
  }

  async function client(of: ChaosTenant, own: Random, ledger: Ledger): Promise<void> {
    while (!signal.aborted) {
      if (own.below(OTHER_EVERY) === 0) await other(of, own);
      else await query(of, own, ledger);
      await pause(own.below(PAUSE_MS_MAX));
    }
  }

  const clients: Promise<void>[] = [];
  for (const tenant of options.tenants) {
    const ledger = { sent: 0, admitted: 0, unavailable: 0, unanswered: 0, rows: 0, halfUnits: 0 };
    ledgers.set(tenant, ledger);
    for (let i = 0; i < options.clients; i += 1) clients.push(client(tenant, random.fork(), ledger));
  }
  await Promise.all(clients);
  return { ledgers, outcomes, wrong };
}

function count(
  ledger: Ledger,
  asked: QueryCase,
  { status, body }: { readonly status: number; readonly body: QueryEnvelope },
): void {
  if (status === 503) ledger.unavailable += 1;
  else ledger.admitted += 1;
  if (status !== 200 || body.data === undefined || asked.body['mode'] === 'plan') return;
  ledger.rows += body.data.data.length;
  ledger.halfUnits += body.data.readUnits * 2;
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** `fetch` says "fetch failed"; why is in its cause. */
function cause(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}

/** Nobody listened: the statement cannot have been admitted. */
const neverArrived = (error: unknown): boolean =>
  (cause(error) as { code?: unknown }).code === 'ECONNREFUSED';
