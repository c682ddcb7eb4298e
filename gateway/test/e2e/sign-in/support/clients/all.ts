import type { Agent, AgentOptions } from './client.ts';
import { clientV2 } from './mcp-client-v2.ts';
import { sdkV1 } from './mcp-sdk-v1.ts';
import { oauth4webapiClient } from './oauth4webapi.ts';
import { openidClient } from './openid-client.ts';

/** Every client that sign-in is tried with; nothing of ours is on their side. */
export const AGENTS: Readonly<Record<string, (options: AgentOptions) => Agent>> = Object.freeze({
  'client v2, auto': (options: AgentOptions) => clientV2('auto', options),
  'client v2, pinned to 2026-07-28': (options: AgentOptions) => clientV2({ pin: '2026-07-28' }, options),
  'client v2, legacy': (options: AgentOptions) => clientV2('legacy', options),
  'sdk v1': sdkV1,
  oauth4webapi: oauth4webapiClient,
  'openid-client': openidClient,
});
