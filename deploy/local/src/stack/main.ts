/** `make stack`: the embedded stack in the foreground, nothing seeded. */
import { readStackSettings } from './settings.ts';
import { startStack } from './stack.ts';

try {
  const stack = await startStack(readStackSettings(process.env));
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void stack.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { baseUrl, mcpUrl, consoleUrl, postgresUrl, awsEndpoint, serviceAccountId, dataDir } = stack;
  process.stdout.write(
    `READY ${JSON.stringify({ baseUrl, mcpUrl, consoleUrl, postgresUrl, awsEndpoint, serviceAccountId, dataDir })}\n`,
  );
  const port = new URL(postgresUrl).port;
  process.stdout.write(`psql "postgresql://<client>:<secret>@localhost:${port}/penstock"\n`);
} catch (error) {
  process.stderr.write(`penstock: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
