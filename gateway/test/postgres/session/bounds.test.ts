/** What one tenant's sessions may hold together, and for how long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { PREPARED_MAX } from '../../../src/postgres/limits.ts';
import { ofRows } from '../../../src/postgres/results/open-result.ts';
import { createPortal } from '../../../src/postgres/session/portal.ts';
import { createPreparedStatements, type PreparedStatement } from '../../../src/postgres/session/prepared.ts';
import { createTenantRooms } from '../../../src/postgres/session/tenant-rooms.ts';
import { createMessageStream } from '../../../src/postgres/wire/message-stream.ts';

const MIB = 1024 * 1024;

describe('what sessions of PostgreSQL clients hold', () => {
  const statement: PreparedStatement = {
    ...{
      sql: 'SELECT 1',
      statement: { kind: 'other' },
      declaredOids: [],
      described: null,
      announced: null,
      isAdmitted: false,
      generation: 0,
    },
    by: { who: 'engine' },
  };
  const codeOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return error instanceof PgError ? error.fields.code : String(error);
    }
    return 'taken';
  };

  it('is bounded for a tenant, whatever its sessions, and given back', () => {
    const roomOf = createTenantRooms(MIB);
    const sessions = [1, 2].map(() => createPreparedStatements(roomOf('ada')));
    const long = { ...statement, sql: 'x'.repeat(200_000) };
    expect(sessions.map((one) => codeOf(() => one.add('a', long)))).to.deep.equal(['taken', 'taken']);
    expect(codeOf(() => sessions[0]!.add('b', long))).to.equal('53200');
    expect(codeOf(() => createPreparedStatements(roomOf('bob')).add('b', long))).to.equal('taken');
    sessions[1]!.delete('a');
    expect(codeOf(() => sessions[0]!.add('b', long))).to.equal('taken');
    sessions[0]!.clear();
    expect(roomOf('ada').reserve(MIB)).to.equal(true);
  });

  it('counts names and types of parameters', () => {
    const prepared = createPreparedStatements(createTenantRooms(MIB)('ada'));
    expect(codeOf(() => prepared.add('n'.repeat(2_000), statement))).to.equal('42622');
    const typed = { ...statement, declaredOids: new Array<number>(30_000).fill(25) };
    expect([0, 1, 2].map((i) => codeOf(() => prepared.add(`${i}`, typed)))).to.deep.equal([
      ...['taken', 'taken', '53200'],
    ]);
  });

  it('is so many statements', () => {
    const prepared = createPreparedStatements(createTenantRooms(64 * MIB)('ada'));
    for (let i = 0; i < PREPARED_MAX; i++) prepared.add(`s${i}`, statement);
    expect(codeOf(() => prepared.add('more', statement))).to.equal('53400');
    prepared.delete('s0');
    expect(codeOf(() => prepared.add('more', statement))).to.equal('taken');
  });

  it('has room for long messages while they come, and for no more', () => {
    const room = createTenantRooms(MIB)('ada');
    const begun = () => {
      const stream = createMessageStream();
      stream.phase = 'session';
      stream.room = room;
      stream.add(Buffer.from([0x51, 0, 0x0a, 0, 0, 0x20]));
      return [stream, stream.next()] as const;
    };
    const [first] = begun();
    const [second, none] = begun();
    expect(none).to.equal(null);
    second.add(Buffer.alloc(0x0a0000));
    expect(second.next()?.message).to.include({ kind: 'refused', code: '53200' });
    first.close();
    expect(room.reserve(MIB)).to.equal(true);
  });

  it('is not held by a portal that nobody asks for rows', async () => {
    let isClosed = false;
    const portal = createPortal({
      ...{ name: 'c', columns: [], formats: [], idleMs: 20, closed: () => (isClosed = true) },
      open: async () => ofRows([['1'], ['2'], ['3']]),
    });
    expect(await portal.take(1, async () => undefined)).to.equal(false);
    while (!isClosed) await sleep(5);
    const error: unknown = await portal.take(1, async () => undefined).catch((thrown: unknown) => thrown);
    expect((error as PgError).fields).to.include({ code: '57014' });
    expect((error as PgError).message).to.include('portal "c" was ended');
  });
});
