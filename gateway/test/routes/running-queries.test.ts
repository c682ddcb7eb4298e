import { expect } from 'chai';
import { QueryState } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { EVERYTHING, startGateway, type TestGateway } from '../support/gateway.ts';

const PROGRESS = { state: QueryState.RUNNING, rows: 7n, readUnits: 812.5, elapsedMs: 2140n };
const DATA = { requestId: 'report-7', state: 'running', rows: 7, readUnits: 812.5, elapsedMs: 2140 };

describe('/v1/queries/{requestId}', () => {
  let gateway: TestGateway;
  const asked: string[] = [];
  beforeEach(async () => {
    gateway = await startGateway();
    asked.length = 0;
    gateway.fakes.queries = {
      getQuery({ requestId }) {
        asked.push(`get ${requestId}`);
        return { progress: PROGRESS };
      },
      stopQuery({ requestId }) {
        asked.push(`stop ${requestId}`);
        return { progress: { ...PROGRESS, state: QueryState.QUEUED, rows: 0n, readUnits: 0 } };
      },
      wantRows({ requestId, rowsWanted }) {
        asked.push(`want ${rowsWanted} of ${requestId}`);
        return { progress: PROGRESS };
      },
    };
  });
  afterEach(() => gateway.close());

  it('says how far a query is', async () => {
    const { status, body } = await gateway.send('GET', '/v1/queries/report-7');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true, data: DATA });
    expect(asked).to.deep.equal(['get report-7']);
  });

  it('stops a query, and says how far it was', async () => {
    const { status, body } = await gateway.send('DELETE', '/v1/queries/report-7');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      success: true,
      data: { ...DATA, state: 'queued', rows: 0, readUnits: 0, stopped: true },
    });
    expect(asked).to.deep.equal(['stop report-7']);
  });

  it('has a whole result read on, by a number of rows and nothing else', async () => {
    const want = (json: unknown) => gateway.send('PATCH', '/v1/queries/report-7', { json });
    const { status, body } = await want({ rowsWanted: 5_000 });
    expect([status, body]).to.deep.equal([200, { success: true, data: DATA }]);
    expect(asked).to.deep.equal(['want 5000 of report-7']);
    for (const wrong of [{}, { rowsWanted: 0 }, { rowsWanted: '5' }, { rowsWanted: 1, rows: 2 }]) {
      const refused = await want(wrong);
      expect([refused.status, refused.body.error.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
    expect(asked).to.have.length(1);
  });

  it('is counted as no query', async () => {
    await gateway.send('GET', '/v1/queries/report-7');
    await gateway.send('DELETE', '/v1/queries/report-7');
    expect(gateway.recorded).to.deep.equal([]);
  });

  it('answers 404 where none runs, and 503 where that is not known', async () => {
    const refuse = (error: PenstockError): void => {
      gateway.fakes.queries = {
        getQuery: () => Promise.reject(error),
        stopQuery: () => Promise.reject(error),
      };
    };
    for (const method of ['GET', 'DELETE']) {
      refuse(new PenstockError('NOT_FOUND', 'No query is running that was sent with the request ID x'));
      const none = await gateway.send(method, '/v1/queries/x');
      expect([none.status, none.body.error.code]).to.deep.equal([404, 'NOT_FOUND']);
      refuse(new PenstockError('UNAVAILABLE', 'Not every query engine can be asked', { retryAfterS: 1 }));
      const unknown = await gateway.send(method, '/v1/queries/x');
      expect([unknown.status, unknown.headers.get('retry-after')]).to.deep.equal([503, '1']);
    }
  });

  it('refuses IDs that no request has, and parameters, before it asks', async () => {
    for (const path of ['a%20b', 'a%0Ab', 'x'.repeat(129), 'r%C3%A9', 'x?y=1']) {
      const { status, body } = await gateway.send('GET', `/v1/queries/${path}`);
      expect([status, body.error.code], path).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
    expect(asked).to.deep.equal([]);
  });

  it('needs the scope query', async () => {
    for (const method of ['GET', 'DELETE']) {
      const as = { ...EVERYTHING, scopes: ['schemas:read', 'schemas:write', 'usage:read'] as const };
      const { status, body } = await gateway.send(method, '/v1/queries/report-7', { as });
      expect([status, body.error.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    }
    expect(asked).to.deep.equal([]);
  });
});
