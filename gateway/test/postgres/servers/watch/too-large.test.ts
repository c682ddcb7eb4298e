import { expect } from 'chai';
import type { ServerSample } from '../../../../src/postgres/servers/watch/sample.ts';
import { tooLarge } from '../../../../src/postgres/servers/watch/too-large.ts';
import { createProcessTable } from '../../../../src/postgres/servers/watch/process-table.ts';

const server = (tenantId: string, pid: number, ...own: readonly number[]): ServerSample => ({
  tenantId,
  pid,
  children: own.map((bytes, i) => ({ pid: pid + 1 + i, own: bytes, ticks: 0, isRunnable: false })),
  bytes: own.reduce((sum, bytes) => sum + bytes, 0),
});

describe('what ends where memory is short', () => {
  it('is the largest session of a server that is too large, and nobody else’s', () => {
    const samples = [server('a', 10, 5, 90, 10), server('b', 20, 40, 40)];
    const victims = tooLarge(samples, { SERVER_BYTES_MAX: 100, ALL_SERVERS_BYTES_MAX: 150 });
    expect(victims.map(({ pid }) => pid)).to.deep.equal([12]);
  });

  it('is, of all together, the largest session of the tenant that takes most', () => {
    const samples = [server('a', 10, 60), server('b', 20, 40), server('b', 30, 20, 30)];
    const victims = tooLarge(samples, { SERVER_BYTES_MAX: 100, ALL_SERVERS_BYTES_MAX: 140 });
    expect(victims.map(({ pid }) => pid)).to.deep.equal([32]);
  });

  it('is nothing where there is enough', () => {
    const limits = { SERVER_BYTES_MAX: 100, ALL_SERVERS_BYTES_MAX: 200 };
    expect(tooLarge([server('a', 10, 60), server('b', 20, 40)], limits)).to.be.empty;
  });
});

describe('the table of processes', () => {
  const table = (parents: Readonly<Record<number, number>>) => {
    const asked: number[] = [];
    const created = createProcessTable({
      ids: () => Object.keys(parents).map(Number),
      facts: (pid) => {
        asked.push(pid);
        const parent = parents[pid];
        return parent === undefined ? null : { parent, isRunnable: false, ticks: 0, started: '' };
      },
    });
    return { created, asked };
  };

  it('has the children of servers, and asks of others once', () => {
    const { created, asked } = table({ 1: 0, 5: 1, 10: 1, 11: 10, 12: 10, 20: 11 });
    expect([...created.childrenOf(new Set([10]))]).to.deep.equal([[10, [11, 12]]]);
    asked.length = 0;
    expect([...created.childrenOf(new Set([10]))]).to.deep.equal([[10, [11, 12]]]);
    expect(asked).to.deep.equal([11, 12]);
  });

  it('sees a child whose number was another process’s before', () => {
    const parents: Record<number, number> = { 5: 1, 10: 1 };
    const { created } = table(parents);
    created.childrenOf(new Set([10]));
    delete parents[5];
    created.childrenOf(new Set([10]));
    parents[5] = 10;
    expect(created.childrenOf(new Set([10])).get(10)).to.deep.equal([5]);
  });
});
