import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { KEPT, namesOf, REVOKED } from '../../../src/postgres/servers/build/functions.ts';
import { BUILT_FOLDER } from '../../../src/postgres/servers/process-folder.ts';
import type { Place, TenantServers } from '../../../src/postgres/servers/tenant-servers.ts';
import { enter, session, startServers, type Session } from './support/sessions.ts';

/** Functions that everybody may call and that may do more than compute. */
const OPEN = `SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND provolatile = 'v'
  AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype) AND has_function_privilege('public', oid, 'EXECUTE') ORDER BY 1`;

describe('the template of servers', () => {
  let servers: TenantServers;
  let place: Place;
  let client: Session;

  before(async () => {
    servers = startServers();
    place = await enter(servers, 'a');
    client = await session(place);
  });
  after(async () => {
    await client.close();
    await servers.close();
  });

  it('lets everybody call the volatile functions that were looked at, and no other', async () => {
    const open = (await client.query(OPEN)).map(([name]) => String(name));
    // ts_rewrite has a harmless form too, which is not volatile.
    expect(open, 'decide on each in build/functions.ts').to.deep.equal([...namesOf(KEPT)].sort());
  });

  it('lets nobody call what was revoked', async () => {
    const revoked = namesOf(REVOKED).map((name) => `'${name}'`);
    const rows = await client.query(
      `SELECT proname, bool_or(has_function_privilege('public', oid, 'EXECUTE')) FROM pg_proc
        WHERE proname IN (${revoked.join(', ')}) GROUP BY 1`,
    );
    expect(rows).to.have.length(revoked.length);
    expect(rows.filter(([, isOpen]) => isOpen === true)).to.be.empty;
    expect(
      await client.query(`SELECT has_function_privilege('public', 'ts_rewrite(tsquery,text)', 'EXECUTE')`),
    ).to.deep.equal([[false]]);
  });

  it('has one database, no language to run, and nothing to create in', async () => {
    expect(
      await client.query('SELECT datname, oid > 16383 FROM pg_database'),
      'pgAdmin lists no database whose OID is of those that PostgreSQL keeps for itself',
    ).to.deep.equal([['penstock', true]]);
    expect(
      await client.query(
        `SELECT lanname, lanpltrusted, lanpltrusted AND has_language_privilege(oid, 'USAGE') FROM pg_language ORDER BY 1`,
      ),
      'what is not trusted is for superusers alone',
    ).to.deep.equal([
      ['c', false, false],
      ['internal', false, false],
      ['sql', true, false],
    ]);
    expect(await client.query('SELECT count(*) FROM pg_available_extensions')).to.deep.equal([['0']]);
    expect(
      await client.query(
        `SELECT bool_or(has_schema_privilege(oid, 'CREATE')), bool_or(has_database_privilege(current_database(), 'CREATE, TEMP')) FROM pg_namespace`,
      ),
    ).to.deep.equal([[false, false]]);
  });

  it('says what a plain session is told when it starts', async () => {
    const told = JSON.parse(await readFile(join(BUILT_FOLDER, 'parameters.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect(told).to.include({ server_encoding: 'UTF8', TimeZone: 'UTC', is_superuser: 'off' });
    for (const [name, value] of Object.entries(told)) {
      if (['session_authorization', 'is_superuser'].includes(name)) continue;
      expect(await client.query(`SHOW "${name}"`), name).to.deep.equal([[value]]);
    }
  });

  it('knows our settings before anybody has set them', async () => {
    expect(await client.query('SHOW penstock.max_read_units')).to.deep.equal([['-1']]);
    expect(await client.query('SHOW penstock.late_attributes')).to.deep.equal([['warning']]);
    expect(await client.query('SHOW penstock.numeric')).to.deep.equal([['']]);
  });
});
