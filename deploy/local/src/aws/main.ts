import { startAwsEndpoint } from './server.ts';

/**
 * The local AWS endpoint as a process. Settings: `PENSTOCK_AWS_PORT` (4566), `PENSTOCK_DATA_DIR` (`.penstock`;
 * the endpoint uses its folder `aws`). Prints one JSON line when it listens; SIGTERM and SIGINT end it.
 */
const port = portOf(process.env['PENSTOCK_AWS_PORT'] ?? '4566');
const dataDir = `${process.env['PENSTOCK_DATA_DIR'] || '.penstock'}/aws`;
const endpoint = await startAwsEndpoint({ port, dataDir });

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
  process.stderr.write(`PENSTOCK_AWS_PORT must be a TCP port (0 to 65535), not "${value}".\n`);
  return process.exit(1);
}
