/** The extended protocol: Parse, Bind, Describe, Execute and Close. An error makes the rest be skipped up to the next Sync. */
import { PgError } from '../errors/pg-error.ts';
import { ofRows } from '../results/open-result.ts';
import { splitStatements } from '../statements/lexer.ts';
import { recognize } from '../statements/recognize.ts';
import * as backend from '../wire/backend.ts';
import type { FrontendMessage } from '../wire/frontend.ts';
import { checkLength, checkTransaction } from './attempt.ts';
import type { ProtocolParts } from './protocol-parts.ts';
import type { SessionContext } from './context.ts';
import { describeRows, formatsFor } from './formats.ts';
import { createPortal, type Portal } from './portal.ts';
import { checkName, type PreparedStatement } from './prepared.ts';
import { selectOf, type Bound } from './rows.ts';

type Message<Kind> = Extract<FrontendMessage, { kind: Kind }>;
/** What names a statement or a portal. */
type Targeted = Message<'describe' | 'close'>;

export interface ExtendedProtocol {
  parse(message: Message<'parse'>): Promise<void>;
  bind(message: Message<'bind'>): Promise<void>;
  describe(message: Targeted): Promise<void>;
  execute(message: Message<'execute'>): Promise<void>;
  close(message: Targeted): Promise<void>;
  /** A message of this protocol that cannot be taken. */
  refuse(error: PgError): Promise<void>;
  /** After it, messages are heard again. */
  sync(): void;
}

/** What a value takes beside its bytes. */
const VALUE_BYTES = 64;

/** What a portal was bound from: what runs when it is executed. */
interface Origin extends Bound {
  readonly one: PreparedStatement;
}

export function createExtendedProtocol(context: SessionContext, parts: ProtocolParts): ExtendedProtocol {
  const { output, portals, prepared, room } = context;
  const { rows, runOther, whoAnswers, served, attempt } = parts;
  const origins = new WeakMap<Portal, Origin>();
  let skipsToSync = false;

  const attempted = async (work: () => Promise<void>, sql: string | null = null): Promise<void> => {
    if (skipsToSync || (await attempt(work, sql))) return;
    skipsToSync = true;
    // Whoever waits for this without a Sync hears of it.
    output.flush();
  };
  /** A cursor of SQL's is a portal too; it was bound from nothing here. */
  const originOf = (portal: Portal): Origin | undefined => origins.get(portal);

  const parse = async (message: Message<'parse'>): Promise<void> => {
    const { name, sql, parameterOids } = message;
    checkLength(sql);
    const pieces = splitStatements(sql);
    if (pieces.length > 1)
      throw new PgError({
        code: '42601',
        message: 'cannot insert multiple commands into a prepared statement',
      });
    const text = pieces[0]?.sql ?? '';
    const one = await whoAnswers({
      ...{ sql: text, statement: recognize(text), declaredOids: parameterOids },
    });
    if (one.by.who === 'server') {
      prepared.add(name, one);
      return served.parse(message, one).catch((error: unknown) => {
        prepared.delete(name);
        throw error;
      });
    }
    checkTransaction(context);
    // Here already: its parameters are not known, and Bind would complain of their number.
    if ('refusal' in one.statement && one.statement.refusal !== null) throw one.statement.refusal;
    prepared.add(name, one);
    output.write(backend.PARSE_COMPLETE);
  };

  /** Room for the values of a portal; what is returned gives it back. @throws PgError 53200 */
  const holdValues = (values: Bound['values']): (() => void) => {
    const bytes = values.reduce((sum, value) => sum + VALUE_BYTES + (value?.length ?? 0), 0);
    if (room.reserve(bytes)) return () => room.release(bytes);
    throw new PgError({
      code: '53200',
      message: 'out of memory: the portals of this tenant hold too long values',
      hint: 'close those that are not needed',
    });
  };

  const bind = async (message: Message<'bind'>): Promise<void> => {
    checkName(message.portal);
    const one = prepared.find(message.statement);
    if (one?.by.who !== 'engine') {
      if (message.portal === '') await portals.close('');
      return served.bind(message, one ?? null);
    }
    checkTransaction(context);
    // Tables may have other attributes by now, and the path may be another: what was described is asked for again.
    const select = selectOf(one.statement) === null ? null : await rows.described(one);
    const wanted = select?.parameterOids.length ?? 0;
    if (message.parameters.length !== wanted)
      throw new PgError({
        code: '08P01',
        message: `bind message supplies ${message.parameters.length} parameters, but prepared statement "${message.statement}" requires ${wanted}`,
      });
    const formats = formatsFor(message.parameterFormats, wanted, 'parameter');
    const bound = { values: message.parameters, formats };
    const { portal: name, resultFormats } = message;
    const columns = (await rows.columnsOf(one)) ?? [];
    const closed = holdValues(message.parameters);
    try {
      const portal =
        select !== null && one.statement.kind === 'select'
          ? rows.portalOf(one, select, bound, { name, resultFormats, closed })
          : createPortal({ name, columns, formats: [], open: async () => ofRows([]), closed });
      await portals.add(portal);
      origins.set(portal, { one, ...bound });
    } catch (error) {
      closed();
      throw error;
    }
    output.write(backend.BIND_COMPLETE);
  };

  const describePortal = async (message: Targeted): Promise<void> => {
    const portal = portals.find(message.name);
    if (portal === undefined) return served.describe(message);
    const from = originOf(portal);
    const columns = from === undefined ? portal.columns : await rows.columnsOf(from.one);
    output.write(columns === null ? backend.NO_DATA : describeRows(columns, portal.formats));
  };

  const describeStatement = async (message: Targeted): Promise<void> => {
    const one = prepared.find(message.name);
    if (one?.by.who !== 'engine') return served.describe(message);
    checkTransaction(context);
    const select = selectOf(one.statement) === null ? null : await rows.described(one);
    output.write(backend.parameterDescription(select?.parameterOids ?? []));
    const columns = await rows.columnsOf(one);
    output.write(columns === null ? backend.NO_DATA : describeRows(columns));
  };

  const execute = async (message: Message<'execute'>): Promise<void> => {
    const { portal: name, maxRows } = message;
    const portal = portals.find(name);
    if (portal === undefined) return served.execute(message);
    const from = originOf(portal);
    checkTransaction(context);
    if (from !== undefined && from.one.statement.kind !== 'select')
      return output.write(backend.commandComplete(await runOther(from.one, from, false)));
    const before = portal.rowCount;
    const isOver = await rows.send(portal, maxRows === 0 ? Infinity : maxRows, from?.one.sql ?? '');
    if (!isOver) return output.write(backend.PORTAL_SUSPENDED);
    context.tellEnd(portal);
    output.write(backend.commandComplete(`SELECT ${portal.rowCount - before}`));
  };

  const close = async (message: Targeted): Promise<void> => {
    const { what, name } = message;
    const isOurs = what === 'portal' ? await portals.close(name) : prepared.find(name)?.by.who === 'engine';
    if (what === 'statement') prepared.delete(name);
    if (!isOurs) return served.close(message);
    output.write(backend.CLOSE_COMPLETE);
  };

  const sqlOf = (name: string): string | null => {
    const portal = portals.find(name);
    return portal === undefined ? served.sqlOf(name) : (originOf(portal)?.one.sql ?? null);
  };

  return {
    parse: (message) => attempted(() => parse(message)),
    bind: (message) => attempted(() => bind(message)),
    describe: (message) =>
      attempted(() => (message.what === 'portal' ? describePortal(message) : describeStatement(message))),
    execute: (message) => attempted(() => execute(message), sqlOf(message.portal)),
    close: (message) => attempted(() => close(message)),
    refuse: (error) => attempted(() => Promise.reject(error)),
    sync() {
      skipsToSync = false;
    },
  };
}
