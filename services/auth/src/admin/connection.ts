import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Variables of an environment: a process's, or what stands for one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the services are, by the embedded stack's file; see `findConnection`. */
interface StackFile {
  readonly authTarget?: unknown;
  readonly registryTarget?: unknown;
  readonly operatorToken?: unknown;
  readonly redisUrl?: unknown;
}

/** Where a service is, and what opens it. */
interface AdminConnection {
  /** A grpc-js target. */
  readonly target: string;
  readonly operatorToken: string;
}

/** Services that take the operator's token: the setting and the field of the embedded stack's file that name them. */
const SERVICES = {
  auth: { setting: 'PENSTOCK_AUTH_TARGET', field: 'authTarget' },
  registry: { setting: 'PENSTOCK_REGISTRY_TARGET', field: 'registryTarget' },
} as const;

/**
 * From PENSTOCK_AUTH_TARGET (PENSTOCK_REGISTRY_TARGET) and PENSTOCK_OPERATOR_TOKEN, else from the file that the embedded
 * stack writes to its data directory (PENSTOCK_DATA_DIR, `.penstock` by default). Throws an error that says what is
 * missing.
 */
export async function findConnection(
  env: Environment,
  service: keyof typeof SERVICES,
): Promise<AdminConnection> {
  const { setting, field } = SERVICES[service];
  const [target, operatorToken] = [env[setting], env['PENSTOCK_OPERATOR_TOKEN']];
  if (target && operatorToken) return { target, operatorToken };
  const { file, stack } = await readStackFile(env, `${setting} and PENSTOCK_OPERATOR_TOKEN`);
  const known = stack[field];
  if (typeof known !== 'string' || typeof stack.operatorToken !== 'string') {
    throw new Error(`${file} names no ${field} and operatorToken. Restart the stack`);
  }
  return { target: target || known, operatorToken: operatorToken || stack.operatorToken };
}

/** From PENSTOCK_REDIS_URL, else from the embedded stack's file. Throws an error that says what is missing. */
export async function findRedis(env: Environment): Promise<string> {
  const url = env['PENSTOCK_REDIS_URL'];
  if (url) return url;
  const { file, stack } = await readStackFile(env, 'PENSTOCK_REDIS_URL');
  if (typeof stack.redisUrl === 'string') return stack.redisUrl;
  throw new Error(`${file} names no redisUrl. Restart the stack`);
}

async function readStackFile(
  env: Environment,
  settings: string,
): Promise<{ file: string; stack: StackFile }> {
  const file = join(env['PENSTOCK_DATA_DIR'] || '.penstock', 'stack.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(
      `No running stack is known: ${file} cannot be read. Start one (make stack), name its directory in ` +
        `PENSTOCK_DATA_DIR, or set ${settings}`,
    );
  });
  try {
    return { file, stack: JSON.parse(text) as StackFile };
  } catch {
    throw new Error(`${file} is damaged: it is not JSON. Restart the stack`);
  }
}
