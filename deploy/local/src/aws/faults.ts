import { setTimeout as delay } from 'node:timers/promises';
import { AwsError } from './errors.ts';
import { FAULT_INDEX_LAG_MS_MAX, FAULT_LATENCY_MS_MAX, FAULT_RULES_MAX } from './limits.ts';
import { FAULT_TABLE_STATUSES, KMS_REFUSAL, kmsRefusal, refusalOfStatus } from './table-faults.ts';

/**
 * A fault on demand. It meets requests to an account (for AssumeRole: the role's account or the caller's),
 * narrowed by table and operation; a rule without an operation meets every DynamoDB request and no STS one.
 */
interface FaultRule {
  readonly accountId: string;
  readonly tableName?: string;
  /** A DynamoDB operation, `AssumeRole` or `GetCallerIdentity`. */
  readonly operation?: string;
  /** AWS error code to answer with, or `KMSKeyAccessDenied` (`table-faults.ts`). */
  readonly error?: string;
  /** Delay before the request goes on, or fails. */
  readonly latencyMs?: number;
  /** The request waits until the rules are replaced, before it goes on, or fails. */
  readonly held?: true;
  /** Share of matching requests the rule meets, 0 to 1; 1 when absent. */
  readonly probability?: number;
  /** How often the rule still works; without end when absent. */
  readonly count?: number;
  /** A global secondary index of `tableName`, and how far it is behind the table (`dynamodb/lag/`). Both or none. */
  readonly indexName?: string;
  readonly indexLagMs?: number;
  /** What DescribeTable counts stays as it was (`dynamodb/sizes/stale-counts.ts`). */
  readonly staleCounts?: true;
  /** What DescribeTable says of the table; other requests for it are refused as DynamoDB does then (`table-faults.ts`). */
  readonly tableStatus?: string;
}

/** A rule that lets an index lag. */
export type LagRule = FaultRule & Required<Pick<FaultRule, 'tableName' | 'indexName' | 'indexLagMs'>>;

/** A request as faults see it. */
interface FaultTarget {
  readonly accountIds: readonly string[];
  readonly operation: string;
  readonly tableNames: readonly string[];
}

interface ActiveRule {
  readonly rule: FaultRule;
  left: number;
}

const STATUS: Readonly<Record<string, number>> = {
  InternalServerError: 500,
  InternalFailure: 500,
  ServiceUnavailable: 503,
  ServiceUnavailableException: 503,
  AccessDenied: 403,
};

const MESSAGES: Readonly<Record<string, string>> = {
  ProvisionedThroughputExceededException:
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  ThrottlingException: 'Rate of requests exceeds the allowed throughput.',
  Throttling: 'Rate exceeded',
  RequestLimitExceeded: 'Throughput exceeds the current throughput limit for your account.',
  InternalServerError: 'Internal server error',
  ServiceUnavailable: 'The service is currently unavailable. Please try again.',
  AccessDeniedException: 'Access denied by an injected fault',
};

/** Holds the current rules. `random` decides on probabilities, in [0, 1). */
export function createFaults(random: () => number) {
  let rules: readonly ActiveRule[] = [];
  let replaced = new AbortController();

  /** Until the rules are replaced. Throws AbortError when the caller goes away meanwhile. */
  async function hold(signal?: AbortSignal): Promise<void> {
    const ends = signal === undefined ? replaced.signal : AbortSignal.any([signal, replaced.signal]);
    await delay(FAULT_LATENCY_MS_MAX, undefined, { signal: ends }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
    });
  }

  /**
   * Lets every matching rule work, in order: latencies add up, the first error ends it.
   * Throws that error as AwsError, and AbortError when the caller goes away meanwhile.
   */
  async function meet(target: FaultTarget, signal?: AbortSignal): Promise<void> {
    if (rules.length === 0) return;
    const status = target.operation === 'DescribeTable' ? undefined : statusOf(target);
    if (status !== undefined) throw refusalOfStatus(status);
    let latencyMs = 0;
    let isHeld = false;
    let error: string | undefined;
    for (const active of rules) {
      const { rule } = active;
      if (rule.error === undefined && rule.latencyMs === undefined && rule.held === undefined) continue;
      if (active.left <= 0 || !matches(rule, target) || random() >= (rule.probability ?? 1)) continue;
      active.left -= 1;
      latencyMs += rule.latencyMs ?? 0;
      isHeld ||= rule.held === true;
      error = rule.error;
      if (error !== undefined) break;
    }
    if (latencyMs > 0) await delay(latencyMs, undefined, signal && { signal });
    if (isHeld) await hold(signal);
    if (error !== undefined) throw faultError(error, target.operation);
  }

  /** The status that a rule gives the table of a request; undefined where none does. */
  function statusOf(target: FaultTarget): string | undefined {
    return rules.find(({ rule }) => rule.tableStatus !== undefined && matches(rule, target))?.rule
      .tableStatus;
  }

  return {
    meet,
    statusOf,
    /** Indexes of an account that lag. */
    lags: (accountId: string): readonly LagRule[] =>
      rules
        .map(({ rule }) => rule)
        .filter((rule) => rule.accountId === accountId && isLag(rule)) as LagRule[],
    /** Whether the counts of a table stay as they were. */
    hasStaleCounts: (accountId: string, tableName: string): boolean =>
      rules.some(
        ({ rule }) => rule.staleCounts && rule.accountId === accountId && rule.tableName === tableName,
      ),
    replace: (next: readonly FaultRule[]): void => {
      rules = next.map((rule) => ({ rule, left: rule.count ?? Infinity }));
      replaced.abort();
      replaced = new AbortController();
    },
    list: (): readonly FaultRule[] =>
      rules.map(({ rule, left }) => (rule.count === undefined ? rule : { ...rule, count: left })),
  };
}

export type Faults = ReturnType<typeof createFaults>;

const isLag = ({ indexLagMs }: FaultRule): boolean => indexLagMs !== undefined;

const STS_OPERATIONS: readonly string[] = ['AssumeRole', 'GetCallerIdentity'];

function matches(rule: FaultRule, target: FaultTarget): boolean {
  if (!target.accountIds.includes(rule.accountId)) return false;
  if (rule.tableName !== undefined && !target.tableNames.includes(rule.tableName)) return false;
  return rule.operation === undefined
    ? !STS_OPERATIONS.includes(target.operation)
    : rule.operation === target.operation;
}

function faultError(code: string, operation: string): AwsError {
  if (code === KMS_REFUSAL) return kmsRefusal();
  // STS names throttling differently.
  const named = operation === 'AssumeRole' && code === 'ThrottlingException' ? 'Throttling' : code;
  return new AwsError(named, MESSAGES[named] ?? 'Injected fault', STATUS[named] ?? 400);
}

const FIELDS: Readonly<Record<keyof FaultRule, (value: unknown) => boolean>> = {
  accountId: (value) => typeof value === 'string' && /^\d{12}$/.test(value),
  tableName: (value) => typeof value === 'string' && value !== '',
  operation: (value) => typeof value === 'string' && /^[A-Za-z]{1,64}$/.test(value),
  error: (value) => typeof value === 'string' && /^[A-Za-z]{1,128}$/.test(value),
  latencyMs: (value) => typeof value === 'number' && value >= 0 && value <= FAULT_LATENCY_MS_MAX,
  held: (value) => value === true,
  probability: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  count: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  indexName: (value) => typeof value === 'string' && value !== '',
  indexLagMs: (value) => typeof value === 'number' && value >= 0 && value <= FAULT_INDEX_LAG_MS_MAX,
  staleCounts: (value) => value === true,
  tableStatus: (value) => typeof value === 'string' && FAULT_TABLE_STATUSES.includes(value),
};

/** Members that rules of these kinds have: they change what is answered, and no request meets them. */
const KINDS: readonly (readonly string[])[] = [
  ['accountId', 'tableName', 'indexName', 'indexLagMs'],
  ['accountId', 'tableName', 'staleCounts'],
  ['accountId', 'tableName', 'tableStatus'],
];

function checkKind(rule: object, index: number): void {
  const kind = KINDS.find((members) => (members.at(-1) as string) in rule);
  const own = kind ?? KINDS[0] ?? [];
  if (kind === undefined) {
    if ('indexName' in rule) throw invalid(`rule ${index}: indexName goes with indexLagMs`);
    if (!('error' in rule) && !('latencyMs' in rule) && !('held' in rule))
      throw invalid(
        `rule ${index}: give error, latencyMs, held or several, or indexLagMs, staleCounts or tableStatus`,
      );
    return;
  }
  const missing = own.find((name) => !(name in rule));
  if (missing !== undefined) throw invalid(`rule ${index}: ${missing} is missing`);
  const foreign = Object.keys(rule).find((name) => !own.includes(name));
  if (foreign !== undefined) throw invalid(`rule ${index}: ${foreign} does not go with ${own.at(-1)}`);
}

/** Reads the body of `PUT /_faults`. Throws AwsError (400) saying which rule and member is wrong. */
export function parseFaultRules(value: unknown): readonly FaultRule[] {
  if (!Array.isArray(value)) throw invalid('the body must be a JSON array of rules');
  if (value.length > FAULT_RULES_MAX) throw invalid(`there may be ${FAULT_RULES_MAX} rules at most`);
  return value.map((rule: unknown, index) => {
    if (typeof rule !== 'object' || rule === null) throw invalid(`rule ${index} must be an object`);
    for (const [name, member] of Object.entries(rule))
      if (!Object.hasOwn(FIELDS, name) || !FIELDS[name as keyof FaultRule](member))
        throw invalid(
          `rule ${index}: ${Object.hasOwn(FIELDS, name) ? 'wrong value for' : 'unknown member'} ${name}`,
        );
    if (!('accountId' in rule)) throw invalid(`rule ${index}: accountId is missing`);
    checkKind(rule, index);
    return rule as FaultRule;
  });
}

function invalid(what: string): AwsError {
  return new AwsError('InvalidFaults', `Invalid faults: ${what}.`);
}
