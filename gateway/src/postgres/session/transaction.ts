/** The state of a transaction, as drivers expect it: nothing is written, so nothing is undone but settings. */
import { PgError } from '../errors/pg-error.ts';
import { SAVEPOINTS_MAX } from '../limits.ts';
import type { NoticeSeverity, TransactionStatus } from '../wire/backend.ts';
import { checkName } from './prepared.ts';
import type { Settings } from './settings.ts';

interface Savepoint {
  readonly name: string;
  readonly settings: ReadonlyMap<string, string>;
}

export interface Told {
  readonly tag: string;
  readonly notice?: {
    readonly severity: NoticeSeverity;
    readonly code: string;
    readonly message: string;
  };
}

export interface Transaction {
  readonly status: TransactionStatus;
  begin(tag: string): Told;
  commit(chains: boolean): Told;
  rollback(chains: boolean): Told;
  savepoint(name: string): Told;
  release(name: string): Told;
  rollbackTo(name: string): Told;
  /** Remembers what a setting is to be after the transaction. @throws PgError outside of one */
  setLocally(): void;
  /** A statement failed. */
  fail(): void;
}

const warning = (tag: string, code: string, message: string): Told => ({
  tag,
  notice: { severity: 'WARNING', code, message },
});

export function createTransaction(settings: Settings): Transaction {
  let status: TransactionStatus = 'I';
  let before: ReadonlyMap<string, string> | null = null;
  /** What SET LOCAL changed goes back at the end, whichever way that is. */
  let local: ReadonlyMap<string, string> | null = null;
  let savepoints: Savepoint[] = [];

  const start = (): void => {
    status = 'T';
    before = settings.snapshot();
    local = null;
    savepoints = [];
  };
  const finish = (keeps: boolean, chains: boolean): void => {
    if (!keeps && before !== null) settings.restore(before);
    else if (local !== null) settings.restore(local);
    status = 'I';
    before = null;
    local = null;
    savepoints = [];
    if (chains) start();
  };
  const find = (name: string): number => {
    const at = savepoints.findLastIndex((savepoint) => savepoint.name === name);
    if (at >= 0) return at;
    throw new PgError({ code: '3B001', message: `savepoint "${name}" does not exist` });
  };
  const within = (what: string): void => {
    if (status !== 'I') return;
    throw new PgError({ code: '25P01', message: `${what} can only be used in transaction blocks` });
  };
  return {
    get status() {
      return status;
    },
    begin(tag) {
      if (status !== 'I') return warning(tag, '25001', 'there is already a transaction in progress');
      start();
      return { tag };
    },
    commit(chains) {
      if (status === 'I') return warning('COMMIT', '25P01', 'there is no transaction in progress');
      const failed = status === 'E';
      finish(!failed, chains);
      return { tag: failed ? 'ROLLBACK' : 'COMMIT' };
    },
    rollback(chains) {
      if (status === 'I') return warning('ROLLBACK', '25P01', 'there is no transaction in progress');
      finish(false, chains);
      return { tag: 'ROLLBACK' };
    },
    savepoint(name) {
      within('SAVEPOINT');
      checkName(name);
      if (savepoints.length >= SAVEPOINTS_MAX)
        throw new PgError({
          code: '54000',
          message: `a transaction has at most ${SAVEPOINTS_MAX} savepoints`,
        });
      savepoints.push({ name, settings: settings.snapshot() });
      return { tag: 'SAVEPOINT' };
    },
    release(name) {
      within('RELEASE SAVEPOINT');
      savepoints = savepoints.slice(0, find(name));
      return { tag: 'RELEASE' };
    },
    rollbackTo(name) {
      within('ROLLBACK TO SAVEPOINT');
      const at = find(name);
      settings.restore(savepoints[at]?.settings ?? settings.snapshot());
      savepoints = savepoints.slice(0, at + 1);
      status = 'T';
      return { tag: 'ROLLBACK' };
    },
    setLocally() {
      if (status !== 'I') local ??= settings.snapshot();
    },
    fail() {
      if (status === 'T') status = 'E';
    },
  };
}
