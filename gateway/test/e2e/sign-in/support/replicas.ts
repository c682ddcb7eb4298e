/** More of auth and of the gateway, on the stores of a running stack and behind one load balancer. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../../../../deploy/local/src/stack/ports.ts';
import type { RunningStack } from '../../../../../deploy/local/src/stack/stack.ts';
import { startBalancer } from './balancer.ts';
import { startService, type Environment, type ServiceProcess } from './service-process.ts';

interface AuthReplica extends Pick<ServiceProcess, 'restart' | 'close'> {
  /** Host and port of its RPCs. */
  readonly target: string;
}

export interface Replicas {
  /** Of the load balancer. */
  readonly mcpUrl: string;
  restartAuth(): Promise<void>;
  restartGateways(): Promise<void>;
  close(): Promise<void>;
}

/** The environment of a part of a stack, as the operating system keeps it. */
export async function environmentOf(stack: RunningStack, name: string): Promise<Environment> {
  const text = await readFile(`/proc/${stack.pid(name)}/environ`, 'utf8');
  return Object.fromEntries(
    text
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)] as const;
      }),
  );
}

/** A process of auth with the given environment. */
async function authProcess(env: Environment): Promise<AuthReplica> {
  const service = await startService('services/auth/src/main.ts', env);
  return { target: `127.0.0.1:${env['PENSTOCK_RPC_PORT']}`, ...service };
}

/** `count` gateways, each with an auth of its own, so that requests that alternate meet another auth, too. */
export async function startReplicas(
  stack: RunningStack,
  count: number,
  startAuth: (env: Environment) => Promise<AuthReplica> = authProcess,
): Promise<Replicas> {
  const balancer = await startBalancer();
  const mcpUrl = `http://localhost:${balancer.port}`;
  const [authEnv, gatewayEnv] = [await environmentOf(stack, 'auth'), await environmentOf(stack, 'gateway')];
  const ports = await freePorts(count * 5);
  const auths: AuthReplica[] = [];
  const gateways: ServiceProcess[] = [];
  const close = async (): Promise<void> => {
    await balancer.close();
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await Promise.all(auths.map((auth) => auth.close()));
  };
  try {
    for (let i = 0; i < count; i += 1) {
      const [authRpc, authHealth, rpc, health, http] = ports.slice(i * 5, i * 5 + 5).map(String);
      const shared = {
        PENSTOCK_MCP_URL: mcpUrl,
        PENSTOCK_CONSOLE_URL: `${mcpUrl}/console`,
        PENSTOCK_DATA_DIR: join(stack.dataDir, `replica-${balancer.port}-${i}`),
      };
      const auth = await startAuth({
        ...authEnv,
        ...shared,
        PENSTOCK_RPC_PORT: authRpc!,
        PENSTOCK_HEALTH_PORT: authHealth!,
      });
      auths.push(auth);
      gateways.push(
        await startService('gateway/src/main.ts', {
          ...gatewayEnv,
          ...shared,
          PENSTOCK_AUTH_TARGET: `ipv4:${auth.target}`,
          PENSTOCK_PORT: http!,
          PENSTOCK_RPC_PORT: rpc!,
          PENSTOCK_HEALTH_PORT: health!,
        }),
      );
    }
    balancer.use(ports.filter((_, i) => i % 5 === 4));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    mcpUrl,
    restartAuth: async () => void (await Promise.all(auths.map((auth) => auth.restart()))),
    restartGateways: async () => void (await Promise.all(gateways.map((gateway) => gateway.restart()))),
    close,
  };
}
