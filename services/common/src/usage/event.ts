/** What one recorded piece of usage is, and its two written forms: fields of a stream entry, and a spool line. */

/** One piece of usage. Counters are whole and not negative. */
export interface UsageEvent {
  /** Unique for each event; the same ID is counted once, however often it is recorded. */
  readonly id: string;
  readonly tenantId: string;
  /** Epoch milliseconds; decides the UTC day. */
  readonly at: number;
  readonly requests: number;
  readonly rowsReturned: number;
  /** DynamoDB read units times two, so that halves stay exact. */
  readonly readHalfUnits: number;
  /** The API client or user that it counts for besides its tenant; absent: none. */
  readonly clientId?: string;
  /**
   * ID of another event whose rows never reached who asked for them: they are taken back, or, where that event comes
   * later, not counted then. Its read units stay: they were consumed.
   */
  readonly voids?: string;
}

/** The IDs of the events about one run of a statement, made from the usage ID that its call has. */
export const usageEventIds = (usageId: string) =>
  Object.freeze({
    /** That it was asked for. */
    request: `${usageId}:request`,
    /** What it read and returned. */
    reads: `${usageId}:reads`,
    /** That what it returned did not arrive. */
    lost: `${usageId}:lost`,
    /** Which of its rows were taken before it was given up. */
    taken: `${usageId}:taken`,
  });

/** What an event has that counts nothing. */
export const NOTHING_USED = Object.freeze({ requests: 0, rowsReturned: 0, readHalfUnits: 0 });

/** That a tenant asked for a run: the same whoever records it, so that it counts once. `at`: epoch milliseconds. */
export function requestEvent(tenantId: string, usageId: string, at: number): UsageEvent {
  return { ...NOTHING_USED, id: usageEventIds(usageId).request, tenantId, at, requests: 1 };
}

const idPattern = /^[\x21-\x7e]{1,200}$/;
/** 9999-12-31, the last day a `YYYY-MM-DD` can hold. */
const lastMs = Date.UTC(9999, 11, 31);

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** True for a value that may be counted. All else becomes a dead letter and is never added up. */
export function isUsageEvent(value: unknown): value is UsageEvent {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Partial<Record<keyof UsageEvent, unknown>>;
  return (
    typeof event.id === 'string' &&
    idPattern.test(event.id) &&
    typeof event.tenantId === 'string' &&
    idPattern.test(event.tenantId) &&
    isCount(event.at) &&
    event.at <= lastMs &&
    isCount(event.requests) &&
    isCount(event.rowsReturned) &&
    isCount(event.readHalfUnits) &&
    (event.clientId === undefined ||
      (typeof event.clientId === 'string' && idPattern.test(event.clientId))) &&
    (event.voids === undefined || (typeof event.voids === 'string' && idPattern.test(event.voids)))
  );
}

/** The fields of a stream entry, as XADD takes them. */
export function toStreamFields(event: UsageEvent): string[] {
  return [
    ...['id', event.id, 'tenant', event.tenantId, 'at', String(event.at)],
    ...['requests', String(event.requests), 'rows', String(event.rowsReturned)],
    ...['halfUnits', String(event.readHalfUnits)],
    ...(event.clientId === undefined ? [] : [clientField, event.clientId]),
  ];
}

const clientField = 'client';

/** Whose counters an event is added to: its tenant's, and those of its client, which have a name of their own. */
export function counterNamesOf({ tenantId, clientId }: Pick<UsageEvent, 'tenantId' | 'clientId'>): string[] {
  return clientId === undefined ? [tenantId] : [tenantId, clientCounterName(tenantId, clientId)];
}

export const clientCounterName = (tenantId: string, clientId: string): string => `${tenantId}#${clientId}`;

/** Field of an entry that takes rows back: how many. */
export const takenBackField = 'takenBack';

/** The event in a stream entry, or null for a dead letter. An event with rows below zero takes back those of others. */
export function fromStreamFields(fields: readonly string[]): UsageEvent | null {
  const named = new Map<string, string>();
  for (let i = 0; i + 1 < fields.length; i += 2) named.set(fields[i] ?? '', fields[i + 1] ?? '');
  const count = (name: string): number => {
    const text = named.get(name) ?? '';
    return /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  };
  const event = {
    id: named.get('id'),
    tenantId: named.get('tenant'),
    at: count('at'),
    requests: count('requests'),
    rowsReturned: count('rows'),
    readHalfUnits: count('halfUnits'),
    ...(named.has(clientField) ? { clientId: named.get(clientField) } : {}),
  };
  if (!isUsageEvent(event)) return null;
  if (!named.has(takenBackField)) return event;
  const takenBack = count(takenBackField);
  return isCount(takenBack) ? { ...event, rowsReturned: event.rowsReturned - takenBack } : null;
}

/** One line of a spool file. */
export function toSpoolLine(event: UsageEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** The event in a spool line, or null where the line is damaged. */
export function fromSpoolLine(line: string): UsageEvent | null {
  try {
    const value: unknown = JSON.parse(line);
    return isUsageEvent(value) ? value : null;
  } catch {
    return null;
  }
}
