/** `npm run --silent admin -- <noun> <verb> [--flags]`: JSON on stdout; exit 1 for what failed, 2 for wrong usage. */
import { randomUUID } from 'node:crypto';
import { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { parseCommandLine, usageText } from './command-line.ts';
import { UsageError } from './commands.ts';
import { findConnection } from './connection.ts';

/** Hashing a password is the slowest thing asked for; the rest is auth being away. */
const timeoutMs = 10_000;

async function main(args: readonly string[]): Promise<void> {
  const { command, flags } = parseCommandLine(args);
  const { target, operatorToken } = await findConnection(process.env);
  const { client, close } = createRpcClient(AdminService, { target, defaultTimeoutMs: timeoutMs });
  try {
    const call = callOptions({ token: operatorToken, requestId: randomUUID(), timeoutMs });
    const answer = await command.run(client, flags, call).catch((error: unknown) => {
      throw error instanceof UsageError ? error : fromConnectError(error);
    });
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  } finally {
    close();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const text = error instanceof Error ? error.message.replaceAll(/\s*\n\s*/g, ' ') : String(error);
  process.stderr.write(error instanceof UsageError ? `${text}\n${usageText()}` : `${text}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
