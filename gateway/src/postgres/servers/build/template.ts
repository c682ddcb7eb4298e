/** Makes the cluster of which each tenant's server has a copy. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerIdentity } from '../identity.ts';
import { connectOwner, FIRST_DATABASE, OWNER, type OwnerConnection } from '../owner-connection.ts';
import { firstConnection } from '../server.ts';
import { spawnPostgres } from '../spawn-postgres.ts';
import { HARDENING, HBA, isList } from './harden.ts';
import { sessionParameters } from './parameters.ts';

const run = promisify(execFile);

export interface Template {
  readonly dataFolder: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const INITDB = [
  ...['-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-data-checksums', '-N'],
  '--wal-segsize=1',
];

/** What no copy needs: it is made anew, or was of the build. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf.tmp', 'pg_stat/pgstat.stat'];

/** Segments beyond the one that has the last checkpoint are empty ones, kept to be used again. */
async function trimLog(dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'pg_wal');
  const segments = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
  for (const name of segments.slice(1)) await rm(join(folder, name));
}

/**
 * Makes the first database anew, as a user makes one. initdb's has an OID below 16384, of those that PostgreSQL keeps for
 * itself: pgAdmin lists such a database by the name `postgres` alone, and ours has a client's.
 */
async function makeDatabaseAnew(socketFolder: string): Promise<void> {
  const owner = await connectOwner(socketFolder, 'template1');
  await owner.run(`DROP DATABASE ${FIRST_DATABASE}`);
  await owner.run(`CREATE DATABASE ${FIRST_DATABASE}`);
  await owner.close();
}

async function harden(owner: OwnerConnection): Promise<void> {
  for (const statement of HARDENING) {
    const rows = await owner.run(statement);
    if (!isList(statement)) continue;
    if (rows.length === 0) throw new Error(`no function is meant by ${statement}`);
    for (const { format } of rows) await owner.run(String(format));
  }
  // Catalogs without the rows that went.
  await owner.run('VACUUM (FREEZE, ANALYZE)');
}

/** In an empty folder, which then has the cluster in it. The program is a copy that the identity can run. */
export async function makeTemplate(
  programFolder: string,
  folder: string,
  identity: ServerIdentity | null,
): Promise<Template> {
  const dataFolder = join(folder, 'data');
  const socketFolder = join(folder, 'socket');
  for (const each of [dataFolder, socketFolder]) {
    await mkdir(each, { mode: 0o700 });
    if (identity !== null) await chown(each, identity.uid, identity.gid);
  }
  await run(join(programFolder, 'bin/initdb'), ['-D', dataFolder, ...INITDB], {
    ...identity,
    cwd: '/',
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
  });
  await writeFile(join(dataFolder, 'pg_hba.conf'), HBA);
  // All settings are in the command line: see postgres-settings.ts.
  await writeFile(join(dataFolder, 'postgresql.conf'), '');
  const place = { socketFolder, clusterName: 'penstock-template' };
  const server = spawnPostgres({ programFolder, dataFolder, place, identity });
  try {
    await (await firstConnection(server, socketFolder)).close();
    await makeDatabaseAnew(socketFolder);
    const owner = await connectOwner(socketFolder, FIRST_DATABASE);
    await harden(owner);
    await owner.run('CREATE ROLE penstock_build LOGIN');
    const parameters = await sessionParameters(socketFolder, 'penstock_build');
    await owner.run('DROP ROLE penstock_build');
    await owner.run('CHECKPOINT');
    await owner.close();
    server.child.kill('SIGINT');
    await server.exited;
    for (const name of LEFT_OUT) await rm(join(dataFolder, name), { force: true });
    await trimLog(dataFolder);
    await chmod(dataFolder, 0o700);
    return { dataFolder, parameters };
  } finally {
    if (server.child.exitCode === null && server.child.signalCode === null) {
      server.child.kill('SIGQUIT');
      await once(server.child, 'exit');
    }
  }
}
