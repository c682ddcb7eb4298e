import { startAwsEndpoint } from './server.ts';

/**
 * The local AWS endpoint as a process. Settings: `PENSTOCK_AWS_PORT` (4566), `PENSTOCK_DATA_DIR` (`.penstock`;
 * the endpoint uses its folder `aws`). Prints one JSON line when it listens; SIGTERM and SIGINT end it.
 */
const port = portOf(process.env['PENSTOCK_AWS_PORT'] ?? '4566');
const dataDir = `${process.env['PENSTOCK_DATA_DIR'] || '.penstock'}/aws`;
const endpoint = await startAwsEndpoint({ port, dataDir }).catch((error: NodeJS.ErrnoException) =>
  fail(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is taken: stop what uses it, or set PENSTOCK_AWS_PORT.`
      : `The AWS endpoint cannot start on ${dataDir}: ${error.message}`,
  ),
);

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    endpoint.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });

process.stdout.write(
  `${JSON.stringify({ level: 'info', msg: 'AWS endpoint listening', url: endpoint.url })}\n`,
);

function portOf(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  return fail(`PENSTOCK_AWS_PORT must be a TCP port (0 to 65535), not "${value}".`);
}

function fail(message: string): never {
  process.stderr.write(`${JSON.stringify({ level: 'error', msg: message })}\n`);
  process.exit(1);
}
