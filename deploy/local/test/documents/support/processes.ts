/** What each process reads from its environment, by its own schemas. */
import { z } from 'zod';
import { processSettings } from '@penstock/common/config/settings.ts';
import { tracingSettings } from '@penstock/common/telemetry/tracing.ts';
import { gatewaySettings } from '../../../../../gateway/src/settings.ts';
import { postgresSettings } from '../../../../../gateway/src/postgres/settings.ts';
import { authSettings } from '../../../../../services/auth/src/config.ts';
import { engineSettings } from '../../../../../services/query-engine/src/settings.ts';
import * as registry from '../../../../../services/schema-registry/src/settings.ts';
import * as usage from '../../../../../services/usage-metering/src/config.ts';

const everywhere = { ...processSettings, ...tracingSettings.shape };

/** By the name that the process has in the compose file and in the chart. */
export const PROCESSES: Readonly<Record<string, z.ZodObject<Readonly<Record<string, z.ZodType>>>>> = {
  auth: z.object({ ...everywhere, ...authSettings.shape }),
  gateway: z.object({ ...everywhere, ...gatewaySettings.shape }),
  postgres: z.object({ ...everywhere, ...postgresSettings.shape }),
  'query-engine': z.object({ ...everywhere, ...engineSettings.shape }),
  'schema-registry': z.object({ ...everywhere, ...registry.serverSettings.shape }),
  'schema-worker': z.object({ ...everywhere, ...registry.workerSettings.shape }),
  'usage-metering': z.object({ ...everywhere, ...usage.serviceSettings.shape }),
  'usage-worker': z.object({ ...everywhere, ...usage.workerSettings.shape }),
};

/** Names of all their settings. */
export const SETTINGS: ReadonlySet<string> = new Set(
  Object.values(PROCESSES).flatMap(({ shape }) => Object.keys(shape)),
);
