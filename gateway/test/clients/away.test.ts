import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { awayProblem } from '../../src/clients/away.ts';
import { connectClients } from '../../src/clients/gateway-clients.ts';
import { connectPostgresClients } from '../../src/clients/postgres-clients.ts';

/** Ends every connection, so that a client learns at once that nothing of ours is there. */
async function startNothing(): Promise<{ readonly target: string; readonly server: Server }> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { target: `ipv4:127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('services that cannot be reached', () => {
  it('are named, each once, by what the gateway says of itself', async () => {
    const { target, server } = await startNothing();
    const targets = { auth: target, engine: target, registry: target, usage: target };
    const [gateway, postgres] = [connectClients(targets), connectPostgresClients(targets)];
    expect(awayProblem([...gateway.away(), ...postgres.away()])).to.equal(null);
    expect(await gateway.connected(300)).to.equal(false);
    expect(await postgres.connected(300)).to.equal(false);
    expect(awayProblem([...gateway.away(), ...postgres.away()])).to.equal(
      'Cannot be reached: auth, query-engine, schema-registry, usage-metering',
    );
    gateway.close();
    postgres.close();
    server.close();
  });
});
