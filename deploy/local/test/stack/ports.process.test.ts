import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { createServer } from 'node:net';
import { claimPorts, freePorts } from '../../src/stack/ports.ts';

const PORTS = new URL('../../src/stack/ports.ts', import.meta.url).href;

const any = (setting: string) => ({ port: 0, setting });

describe('ports of a stack', () => {
  it('are all different, those that were asked for and those that were not', async function () {
    this.timeout(60_000);
    // Of so many, two would be the same now and then if they were looked for one after the other.
    for (let round = 0; round < 40; round++) {
      const [asked = 0] = await freePorts(1);
      const ports = await claimPorts([any('A'), { port: asked, setting: 'B' }, any('C')], 300);
      expect(ports[1]).to.equal(asked);
      expect(new Set(ports).size).to.equal(303);
    }
  });

  it('are free again once they are known', async () => {
    const ports = await claimPorts([any('A')], 5);
    expect(
      await claimPorts(
        ports.map((port) => ({ port, setting: 'A' })),
        0,
      ),
    ).to.deep.equal(ports);
  });

  it('are handed out to no other process, also before anything listens there', async function () {
    this.timeout(30_000);
    const ports = await freePorts(3);
    // It looks from where this process did.
    const script = `
      import crypto from 'node:crypto';
      import { syncBuiltinESMExports } from 'node:module';
      crypto.randomInt = () => ${ports[0]};
      syncBuiltinESMExports();
      const { freePorts } = await import(${JSON.stringify(PORTS)});
      process.stdout.write(JSON.stringify(await freePorts(3)));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    const others = JSON.parse(output) as readonly number[];
    expect(others).to.have.length(3);
    for (const port of others) expect(ports).to.not.include(port);
    expect(Math.min(...others)).to.be.above(Math.min(...ports));
  });

  it('are two stacks’ own where both would take the default, also before anything listens there', async () => {
    const [byDefault = 0] = await freePorts(1);
    const wanted = [{ port: byDefault, setting: 'PENSTOCK_PG_PORT', orAny: true }];
    const [first, second] = [await claimPorts(wanted, 0), await claimPorts(wanted, 0)];
    expect(first).to.deep.equal([byDefault]);
    expect(second).to.not.include(byDefault);
  });

  it('are none that fetch refuses to ask', async () => {
    const refused = await fetch('http://127.0.0.1:10080').catch((error: unknown) => error as Error);
    expect(String((refused as Error).cause)).to.include('bad port');
    for (const port of await freePorts(400)) expect(port).to.be.above(10_080);
  });

  it('name all that stay taken at once', async function () {
    this.timeout(30_000);
    const [first = 0, second = 0] = await freePorts(2);
    const servers = [createServer(), createServer()];
    for (const [i, port] of [first, second].entries())
      await new Promise<void>((resolve) => servers[i]!.listen(port, '127.0.0.1', resolve));
    const wanted = [
      { port: first, setting: 'PENSTOCK_PORT' },
      { port: second, setting: 'PENSTOCK_PG_PORT' },
    ];
    const error: unknown = await claimPorts(wanted, 0).catch((thrown: unknown) => thrown);
    expect(String(error)).to.match(/PENSTOCK_PORT to another port\n +port \d+ is taken: .* PENSTOCK_PG_PORT/);
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
  });

  it('name the setting of one that stays taken, and leave the others free', async function () {
    this.timeout(30_000);
    const [taken = 0, other = 0] = await freePorts(2);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
    const wanted = [
      { port: other, setting: 'PENSTOCK_PORT' },
      { port: taken, setting: 'PENSTOCK_AWS_PORT' },
    ];
    const error: unknown = await claimPorts(wanted, 3).catch((thrown: unknown) => thrown);
    expect(String(error)).to.equal(
      `Error: port ${taken} is taken: stop what listens there, or set PENSTOCK_AWS_PORT to another port`,
    );
    expect(await claimPorts(wanted.slice(0, 1), 0)).to.deep.equal([other]);
    await new Promise((resolve) => server.close(resolve));
  });
});
