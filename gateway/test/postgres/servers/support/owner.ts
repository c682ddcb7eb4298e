/** A process that has a server and waits to be killed: it says the folder of its socket. */
import { startServers } from './sessions.ts';

const servers = startServers();
const place = await servers.enter({ tenantId: 'a', seesTables: true, database: 'penstock' });
process.stdout.write(`${place.socketFolder}\n`);
setInterval(() => undefined, 60_000);
