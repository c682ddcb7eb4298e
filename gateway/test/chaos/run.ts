/** One run: a stack, its tenants, and phases of load under faults, each followed by an audit of what was metered. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { clearRequests } from '../e2e/support/request-log.ts';
import type { QueryEnvelope } from '../e2e/support/tenant.ts';
import { isLong } from './long.ts';
import { doFaults, faultSets } from './faults.ts';
import { checkOther, checkQuery } from './check-answers.ts';
import { runLoad, type LoadResult } from './load.ts';
import { openMeter, OWED_QUIET_MS, type Metered } from './metered.ts';
import { discrepancies, type PhaseName } from './phases.ts';
import { seededRandom, type Random } from './random.ts';
import { everyOther, everyQuery } from './requests.ts';
import { seedTenant, type ChaosTenant } from './tenants.ts';

interface PhaseReport {
  readonly phase: PhaseName;
  readonly faults: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  /** Answers that are neither right nor an error of the contract. */
  readonly wrong: readonly string[];
  /** Usage that is not what the answers said. */
  readonly discrepancies: readonly string[];
}

const RECOVERY_MS_MAX = 60_000;
const RECOVERY_STEP_MS = 300;
/**
 * Kinds of requests that were answered right under the faults of a phase: with fewer, a phase says little. How many there
 * are goes by how fast the machine starts what was killed.
 */
export const RIGHT_KINDS_MIN = isLong ? 6 : 3;
/** How much longer than its time a phase may last for that. */
const PROGRESS_MS_MAX = 45_000;
const TENANTS = ['ada', 'bob', 'cyd'];

export interface Chaos {
  /** Load under faults for a time, then recovery, then the audit. @throws Error when something does not recover */
  phase(name: PhaseName, durationMs: number): Promise<PhaseReport>;
  close(): void;
}

export async function prepareChaos(stack: RunningStack, seed: number): Promise<Chaos> {
  const random = seededRandom(seed);
  const tenants: ChaosTenant[] = [];
  for (const marker of TENANTS) tenants.push(await seedTenant(stack, marker));
  // Never metered against a ledger: it only asks whether all is well.
  const probe = await seedTenant(stack, 'probe');
  const meter = openMeter(stack);
  const sets = faultSets(stack, tenants);
  const faultsOf = {
    around: sets.around,
    engines: [...sets.around, ...sets.engines],
    everything: [...sets.around, ...sets.engines, ...sets.gateway],
  };

  /** Null when one request of each kind is answered right, else the first that is not. */
  async function firstProblem(client: ChaosTenant): Promise<string | null> {
    for (const asked of everyQuery(client)) {
      const json = asked.body;
      const answer = await client.tenant.call<QueryEnvelope>('POST', '/v1/query', { json });
      if (checkQuery(asked, answer).kind !== 'right') return `${asked.name}: ${answer.status} ${answer.text}`;
    }
    for (const asked of everyOther(client)) {
      const answer = await asked.send();
      if (checkOther(asked, answer).kind !== 'right') return `${asked.name}: ${answer.status} ${answer.text}`;
    }
    return null;
  }

  async function recovered(): Promise<void> {
    const deadline = Date.now() + RECOVERY_MS_MAX;
    for (;;) {
      const problem = await firstProblem(probe).catch(String);
      if (problem === null) return;
      if (Date.now() > deadline) throw new Error(`not everything works again: ${problem}`);
      // Sleeps: whoever recovers is to have the machine, rather than be asked.
      await pause(RECOVERY_STEP_MS);
    }
  }

  // Each table is described and sampled now, and each statement planned: what is read later is read for answers.
  for (const tenant of [...tenants, probe]) {
    await tenant.tenant.call('POST', '/v1/schemas/shop/refresh-metadata');
    const problem = await firstProblem(tenant);
    if (problem !== null) throw new Error(`not as it was seeded: ${problem}`);
  }

  async function load(
    name: PhaseName,
    durationMs: number,
    own: Random,
  ): Promise<[LoadResult, readonly string[]]> {
    const right = new Set<string>();
    const ending = new AbortController();
    const ends = ending.signal;
    const timer = setTimeout(() => {
      // A machine that was too busy for answers has shown nothing yet.
      const progress = until(() => right.size >= RIGHT_KINDS_MIN, { timeoutMs: PROGRESS_MS_MAX });
      void progress.catch(() => undefined).finally(() => ending.abort());
    }, durationMs);
    const onOutcome = (outcome: string): void => {
      if (outcome.endsWith(': right')) right.add(outcome);
    };
    return Promise.all([
      runLoad({
        stack,
        tenants,
        random: own.fork(),
        clients: 2,
        aborts: name === 'everything',
        mayBreak: name === 'everything',
        signal: ends,
        onOutcome,
      }),
      doFaults(faultsOf[name], own.fork(), ends),
    ]).finally(() => clearTimeout(timer));
  }

  /** As the last phase left it: nobody asks for these tenants between two. */
  let settled: ReadonlyMap<ChaosTenant, Metered> | null = null;

  return {
    async phase(name, durationMs) {
      const before = settled ?? (await meter.settled(tenants, OWED_QUIET_MS));
      for (const { account } of tenants) await clearRequests(stack, account);
      const [{ ledgers, outcomes, wrong }, faults] = await load(name, durationMs, random.fork());
      await recovered();
      const after = await meter.settled(tenants, OWED_QUIET_MS);
      settled = after;
      const problems = [...ledgers].flatMap(([tenant, ledger]) =>
        discrepancies(name, ledger, difference(after.get(tenant), before.get(tenant))).map(
          (problem) => `${tenant.marker}: ${problem}`,
        ),
      );
      const deadLetters = await meter.deadLetters();
      if (deadLetters > 0) problems.push(`${deadLetters} usage entries became dead letters`);
      return {
        phase: name,
        faults,
        outcomes: Object.fromEntries([...outcomes].sort()),
        wrong,
        discrepancies: problems,
      };
    },
    close() {
      meter.close();
      for (const { account } of [...tenants, probe]) account.close();
    },
  };
}

function difference(after: Metered | undefined, before: Metered | undefined): Metered {
  if (after === undefined || before === undefined) throw new Error('a tenant was not metered');
  return {
    requests: after.requests - before.requests,
    rows: after.rows - before.rows,
    halfUnits: after.halfUnits - before.halfUnits,
    // The log was cleared when the phase began.
    consumedHalfUnits: after.consumedHalfUnits,
    unansweredHalfUnits: after.unansweredHalfUnits,
  };
}
