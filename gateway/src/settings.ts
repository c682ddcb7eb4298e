import { z } from 'zod';
import { list, processSettings, settings } from '@penstock/common/config/settings.ts';

const hostname = z.string().regex(/^([a-z0-9.-]+|\[[0-9a-f:]+\])$/, {
  error: 'must be host names in small letters, without port',
});
const origin = z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(:\d+)?$/, {
  error: 'must be origins such as https://agent.example, without a path',
});

/** What the gateway reads from its environment. */
export const gatewaySettings = z.object({
  ...processSettings,
  PENSTOCK_PORT: settings.PENSTOCK_PORT,
  PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
  PENSTOCK_MCP_URL: settings.PENSTOCK_MCP_URL,
  PENSTOCK_CONSOLE_URL: settings.PENSTOCK_CONSOLE_URL,
  /** The AWS account that customers' roles have to trust: the console shows it. */
  PENSTOCK_SERVICE_ACCOUNT_ID: z
    .string()
    .regex(/^\d{12}$/, { error: 'must be an account ID of 12 digits' })
    .optional(),
  /** Where CloudFormation reads `deploy/customer-role/cloudformation.yaml` from, for the console's quick-create link. */
  PENSTOCK_ROLE_TEMPLATE_URL: z
    .string()
    .regex(/^https:\/\/[\w.-]+\.amazonaws\.com(?:\.cn)?\/[\x21-\x7e]+$/, {
      error: 'must be an https URL of an object on S3',
    })
    .optional(),
  PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
  PENSTOCK_DATA_DIR: settings.PENSTOCK_DATA_DIR,
  PENSTOCK_AUTH_TARGET: settings.PENSTOCK_AUTH_TARGET,
  PENSTOCK_REGISTRY_TARGET: settings.PENSTOCK_REGISTRY_TARGET,
  PENSTOCK_USAGE_TARGET: settings.PENSTOCK_USAGE_TARGET,
  PENSTOCK_ENGINE_TARGET: settings.PENSTOCK_ENGINE_TARGET,
  PENSTOCK_RATE_LIMIT_RPS: settings.PENSTOCK_RATE_LIMIT_RPS,
  PENSTOCK_RATE_LIMIT_BURST: settings.PENSTOCK_RATE_LIMIT_BURST,
  /** Comma-separated addresses or networks of load balancers in front; `loopback`, `linklocal`, `uniquelocal` too. */
  PENSTOCK_TRUSTED_PROXIES: list,
  /** Comma-separated names, beyond that of the MCP URL, that requests to /mcp may be sent to. */
  PENSTOCK_MCP_ALLOWED_HOSTS: list.pipe(z.array(hostname)),
  /** Comma-separated origins of pages, beyond the MCP URL's own host, that may call /mcp from a browser. */
  PENSTOCK_MCP_ALLOWED_ORIGINS: list.pipe(z.array(origin)),
});
