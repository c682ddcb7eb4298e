import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
  const file = join(env['PENSTOCK_DATA_DIR'] || '.penstock', 'stack.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(
      `No running stack is known: ${file} cannot be read. Start one (make stack), name its directory in ` +
        'PENSTOCK_DATA_DIR, or set PENSTOCK_AUTH_TARGET and PENSTOCK_OPERATOR_TOKEN',
    );
  });
  let stack: { authTarget?: unknown; operatorToken?: unknown };
  try {
    stack = JSON.parse(text) as typeof stack;
  } catch {
    throw new Error(`${file} is damaged: it is not JSON. Restart the stack`);
  }
  if (typeof stack.authTarget !== 'string' || typeof stack.operatorToken !== 'string') {
    throw new Error(`${file} names no authTarget and operatorToken. Restart the stack`);
  }
  return { target: target || stack.authTarget, operatorToken: operatorToken || stack.operatorToken };
}
