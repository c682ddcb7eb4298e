import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the services are, by the embedded stack's file; see `findConnection`. */
interface StackFile {
  readonly authTarget?: unknown;
  readonly operatorToken?: unknown;
  readonly redisUrl?: unknown;
}

/** Where auth is, and what opens it. */
export interface AdminConnection {
  /** A grpc-js target. */
  readonly target: string;
  readonly operatorToken: string;
}

/**
 * From PENSTOCK_AUTH_TARGET and PENSTOCK_OPERATOR_TOKEN, else from the file that the embedded stack writes to its data
 * directory (PENSTOCK_DATA_DIR, `.penstock` by default). Throws an error that says what is missing.
 */
export async function findConnection(env: NodeJS.ProcessEnv): Promise<AdminConnection> {
  const [target, operatorToken] = [env['PENSTOCK_AUTH_TARGET'], env['PENSTOCK_OPERATOR_TOKEN']];
  if (target && operatorToken) return { target, operatorToken };
  const { file, stack } = await readStackFile(env, 'PENSTOCK_AUTH_TARGET and PENSTOCK_OPERATOR_TOKEN');
  if (typeof stack.authTarget !== 'string' || typeof stack.operatorToken !== 'string') {
    throw new Error(`${file} names no authTarget and operatorToken. Restart the stack`);
  }
  return { target: target || stack.authTarget, operatorToken: operatorToken || stack.operatorToken };
}

/** From PENSTOCK_REDIS_URL, else from the embedded stack's file. Throws an error that says what is missing. */
export async function findRedis(env: NodeJS.ProcessEnv): Promise<string> {
  const url = env['PENSTOCK_REDIS_URL'];
  if (url) return url;
  const { file, stack } = await readStackFile(env, 'PENSTOCK_REDIS_URL');
  if (typeof stack.redisUrl === 'string') return stack.redisUrl;
  throw new Error(`${file} names no redisUrl. Restart the stack`);
}

async function readStackFile(
  env: NodeJS.ProcessEnv,
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
