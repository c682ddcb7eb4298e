import { expect } from 'chai';
import { createPlanner, type Planner } from '../../../src/postgres/backend/planner.ts';
import type { Place, TenantServers } from '../../../src/postgres/servers/tenant-servers.ts';
import { catalogTables, knownTable } from './support/known-table.ts';
import { enter, startServers } from './support/sessions.ts';

describe('the connection that asks a server what statements are about', () => {
  let servers: TenantServers;
  let place: Place;
  let planner: Planner;

  before(async () => {
    servers = startServers();
    place = await enter(servers, 'a');
    await place.bring(catalogTables([knownTable('orders')], ['shop']));
    const { socketPath, database, ended } = place;
    planner = createPlanner({ socketPath, database, digits: null, ended });
  });
  after(async () => {
    planner.close();
    await servers.close();
  });

  const whose = async (sql: string): Promise<string> => {
    const found = await planner.of({ sql, parameterOids: [], searchPath: 'shop' }, async () => undefined);
    return found.by === 'unknown' ? found.error.fields.code : found.by;
  };

  it('goes on after statements that cannot be described, and ones that cannot be planned', async () => {
    expect(await whose('SELECT * FROM nowhere')).to.equal('42P01');
    expect(await whose('SELECT 1 / 0')).to.equal('22012');
    expect(await whose('SELECT 2 / 0')).to.equal('22012');
    expect(await whose('SELECT * FROM elsewhere')).to.equal('42P01');
    expect(await whose('SELECT * FROM orders')).to.equal('engine');
  });
});
