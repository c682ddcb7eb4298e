/** Statements about the session itself: they need nobody else, and give a tag, sometimes rows. */
import { PgError } from '../errors/pg-error.ts';
import type { ResultColumn } from '../results/open-result.ts';
import type { Statement } from '../statements/statement.ts';
import { textColumn } from './described.ts';
import type { Portals } from './portals.ts';
import type { PreparedStatements } from './prepared.ts';
import type { Settings } from './settings.ts';
import type { Told, Transaction } from './transaction.ts';

export interface SessionState {
  readonly settings: Settings;
  readonly transaction: Transaction;
  readonly prepared: PreparedStatements;
  readonly portals: Portals;
}

export type Outcome = Told & {
  readonly columns?: readonly ResultColumn[];
  readonly rows?: readonly (readonly (string | null)[])[];
};

/** Kinds of statements that are answered here. */
export type SessionStatement = Exclude<
  Statement,
  { readonly kind: 'empty' | 'select' | 'declare' | 'fetch' | 'explain' | 'copyOut' | 'refused' }
>;

const OTHERS: ReadonlySet<Statement['kind']> = new Set([
  ...(['empty', 'select', 'declare', 'fetch', 'explain', 'copyOut', 'refused'] as const),
]);

export const isSessionStatement = (statement: Statement): statement is SessionStatement =>
  !OTHERS.has(statement.kind);

const SHOWN_ALL = Object.freeze(['name', 'setting', 'description'].map(textColumn));

/** The columns of SHOW; null for what has no rows. */
export function sessionColumns(statement: Statement): readonly ResultColumn[] | null {
  if (statement.kind !== 'show') return null;
  return statement.name === 'all' ? SHOWN_ALL : [textColumn(statement.name)];
}

function show({ settings }: SessionState, name: string): Outcome {
  if (name === 'all') {
    const rows = settings.all().map(([setting, value]) => [setting, value, null]);
    return { tag: 'SHOW', columns: SHOWN_ALL, rows };
  }
  const value = settings.get(name);
  if (value === undefined)
    throw new PgError({ code: '42704', message: `unrecognized configuration parameter "${name}"` });
  return { tag: 'SHOW', columns: [textColumn(name)], rows: [[value]] };
}

/** Outside of a transaction SET LOCAL does nothing, as PostgreSQL says. */
function set(
  { settings, transaction }: SessionState,
  { name, value, isLocal }: Extract<SessionStatement, { kind: 'set' }>,
): Outcome {
  if (isLocal && transaction.status === 'I') {
    const message = 'SET LOCAL can only be used in transaction blocks';
    return { tag: 'SET', notice: { severity: 'WARNING', code: '25P01', message } };
  }
  if (isLocal) transaction.setLocally();
  settings.set(name, value);
  return { tag: 'SET' };
}

async function discard(state: SessionState, what: string): Promise<Outcome> {
  const tag = `DISCARD ${what === 'temporary' ? 'TEMP' : what.toUpperCase()}`;
  if (what !== 'all') return { tag };
  if (state.transaction.status !== 'I')
    throw new PgError({ code: '25001', message: 'DISCARD ALL cannot run inside a transaction block' });
  await state.portals.closeAll(true);
  state.prepared.clear();
  state.settings.reset(null);
  return { tag };
}

function deallocate({ prepared }: SessionState, name: string | null): Outcome {
  if (name === null) {
    prepared.clear();
    return { tag: 'DEALLOCATE ALL' };
  }
  prepared.get(name);
  prepared.delete(name);
  return { tag: 'DEALLOCATE' };
}

async function closeCursor({ portals }: SessionState, cursor: string | null): Promise<Outcome> {
  if (cursor === null) {
    await portals.closeAll(true);
    return { tag: 'CLOSE CURSOR ALL' };
  }
  if (!(await portals.close(cursor)))
    throw new PgError({ code: '34000', message: `cursor "${cursor}" does not exist` });
  return { tag: 'CLOSE CURSOR' };
}

/** @throws PgError */
export async function runSessionStatement(
  statement: SessionStatement,
  state: SessionState,
): Promise<Outcome> {
  const { transaction, settings, portals } = state;
  switch (statement.kind) {
    case 'begin':
      return transaction.begin(statement.tag);
    case 'commit':
    case 'rollback':
      await portals.closeAll();
      return transaction[statement.kind](statement.chains);
    case 'savepoint':
    case 'release':
    case 'rollbackTo':
      return transaction[statement.kind](statement.name);
    case 'set':
      return set(state, statement);
    case 'setNothing':
      return { tag: statement.tag };
    case 'show':
      return show(state, statement.name);
    case 'reset':
      settings.reset(statement.name);
      return { tag: 'RESET' };
    case 'discard':
      return discard(state, statement.what);
    case 'deallocate':
      return deallocate(state, statement.name);
    case 'closeCursor':
      return closeCursor(state, statement.cursor);
  }
}
