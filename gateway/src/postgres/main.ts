/** The PostgreSQL endpoint: a process of its own at the network's edge, scaled apart from the HTTP gateway. */
import { join } from 'node:path';
import { readConfig } from '@penstock/common/config/config.ts';
import { runProcess } from '@penstock/common/process/run.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { fetchKeySet } from '@penstock/common/rpc/key-set-client.ts';
import { systemClock } from '@penstock/common/time/clock.ts';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import { createUsageRecorder } from '@penstock/common/usage/recorder.ts';
import { awayProblem } from '../clients/away.ts';
import { connectClients } from '../clients/gateway-clients.ts';
import { connectPostgresClients } from '../clients/postgres-clients.ts';
import { createBucketsAhead } from '../limiting/buckets-ahead.ts';
import { createBucketsWithFallback } from '../limiting/buckets-with-fallback.ts';
import { createGuesses } from '../limiting/guesses.ts';
import { createMemoryBuckets } from '../limiting/memory-buckets.ts';
import { createRedisBuckets } from '../limiting/redis-buckets.ts';
import { createTenantLimiter } from '../limiting/tenant-limiter.ts';
import { POLL_TIMEOUT_MS, STARTUP_CONNECT_MS } from '../limits.ts';
import { watchRevocations } from '../revocations/revocation-list.ts';
import { createQueryUsage } from '../usage/query-usage.ts';
import { createCancelKeys } from './cancel/cancel-keys.ts';
import { createPlanners } from './backend/planner.ts';
import { watchCertificate } from './connection/certificate.ts';
import { isOneOf } from './connection/address-list.ts';
import { createPlaces } from './connection/places.ts';
import { createDescriptions } from './engine/descriptions.ts';
import { createKnownTables } from './engine/known-tables.ts';
import { TENANT_BYTES_MAX, TENANT_MESSAGE_BYTES_MAX } from './limits.ts';
import { startPostgresServer } from './server.ts';
import { reportedParameters } from './servers/reported-parameters.ts';
import { createTenantServers } from './servers/tenant-servers.ts';
import { createTenantRooms } from './session/tenant-rooms.ts';
import { createTurns } from './session/turns.ts';
import { postgresSettings } from './settings.ts';

runProcess({
  name: 'postgres',
  main: async ({ logger, metrics, onShutdown, setReady, tellProblem }) => {
    const config = readConfig(postgresSettings, process.env);
    const { PENSTOCK_PG_TLS_CERT: cert, PENSTOCK_PG_TLS_KEY: key } = config;
    const certificate =
      cert === undefined || key === undefined ? null : await watchCertificate(cert, key, logger);
    onShutdown(() => certificate?.close());

    const targets = {
      auth: config.PENSTOCK_AUTH_TARGET,
      engine: config.PENSTOCK_ENGINE_TARGET,
      registry: config.PENSTOCK_REGISTRY_TARGET,
      usage: config.PENSTOCK_USAGE_TARGET,
    };
    const gateway = connectClients(targets);
    onShutdown(gateway.close);
    const own = connectPostgresClients(targets);
    onShutdown(own.close);
    tellProblem(() => awayProblem([...gateway.away(), ...own.away()]));
    const { clients } = gateway;
    const redis = connectRedis(config.PENSTOCK_REDIS_URL, { logger, role: 'commands' });
    onShutdown(() => redis.disconnect());
    const subscriber = connectRedis(config.PENSTOCK_REDIS_URL, { logger, role: 'queue' });
    onShutdown(() => subscriber.disconnect());
    const recorder = createUsageRecorder({
      redis,
      spoolDir: join(config.PENSTOCK_DATA_DIR, 'usage-spool'),
      logger,
      metrics,
    });
    onShutdown(() => recorder.close());
    const revocations = watchRevocations(clients.tokens, logger);
    onShutdown(() => revocations.close());
    const endedFor = metrics.counter(
      'penstock_postgres_backends_ended_total',
      "Backends of sessions on tenants' PostgreSQL servers, or whole servers, that were ended, by what they took too much of.",
      ['why'],
    );
    const servers = createTenantServers({
      ...{ logger, folder: join(config.PENSTOCK_DATA_DIR, 'servers') },
      onEnded: (why) => endedFor.inc({ why }),
    });
    metrics.observe(
      'penstock_postgres_servers',
      'PostgreSQL servers of tenants, in use or not.',
      ['state'],
      () => {
        const { running, inUse } = servers.figures();
        return [
          { labels: { state: 'in_use' }, value: inUse },
          { labels: { state: 'idle' }, value: running - inUse },
        ];
      },
    );
    metrics.observe(
      'penstock_postgres_servers_memory_bytes',
      "Memory of tenants' PostgreSQL servers, at the last look.",
      [],
      () => [{ labels: {}, value: servers.figures().bytes }],
    );
    onShutdown(() => servers.close());

    const refusals = metrics.counter(
      'penstock_rate_limit_refusals_total',
      'Requests refused with 429, by limit.',
      ['limit'],
    );
    const statements = metrics.histogram(
      'penstock_postgres_statement_duration_seconds',
      'Duration of statements of PostgreSQL clients, until their rows are out, by who answered and SQLSTATE.',
      ['by', 'sqlstate'],
    );
    const ended = metrics.counter(
      'penstock_postgres_refused_connections_total',
      'Connections that were refused or ended by the endpoint, by SQLSTATE.',
      ['sqlstate'],
    );
    const places = createPlaces();
    metrics.observe(
      'penstock_postgres_connections',
      'Connections of PostgreSQL clients, signed in or not.',
      ['state'],
      () => [
        { labels: { state: 'signed_in' }, value: places.sessions },
        { labels: { state: 'signing_in' }, value: places.halfOpen },
      ],
    );

    const server = await startPostgresServer(
      { host: config.PENSTOCK_HOST, port: config.PENSTOCK_PG_PORT },
      {
        ...{ servers, places, revocations, logger },
        planners: createPlanners(),
        reported: await reportedParameters(),
        queries: clients.queries,
        tokens: clients.tokens,
        scram: own.clients.scram,
        usage: createQueryUsage(recorder, systemClock),
        descriptions: createDescriptions(own.clients.descriptions),
        knownTables: createKnownTables(clients),
        turnOf: createTurns(),
        roomOf: createTenantRooms(TENANT_BYTES_MAX),
        messageRoomOf: createTenantRooms(TENANT_MESSAGE_BYTES_MAX),
        limiter: createTenantLimiter(
          createBucketsWithFallback({
            shared: createBucketsAhead(createRedisBuckets(redis)),
            own: createMemoryBuckets(systemClock),
            clock: systemClock,
            logger,
          }),
          { rps: config.PENSTOCK_RATE_LIMIT_RPS, burst: config.PENSTOCK_RATE_LIMIT_BURST },
          () => refusals.inc({ limit: 'tenant' }),
        ),
        guesses: createGuesses(redis, logger, (limit) => refusals.inc({ limit })),
        verifier: createTokenVerifier({
          issuer: config.PENSTOCK_BASE_URL,
          fetchKeySet: () => fetchKeySet(clients.tokens, POLL_TIMEOUT_MS),
        }),
        cancelKeys: createCancelKeys({ publisher: redis, subscriber, logger }),
        secureContext: () => certificate?.present() ?? null,
        isTlsInFront: config.PENSTOCK_PG_TLS_IN_FRONT,
        isProxy: isOneOf(config.PENSTOCK_PG_TRUSTED_PROXIES),
        onStatement: (by, sqlState, seconds) => statements.observe({ by, sqlstate: sqlState }, seconds),
        onRefused: (sqlState) => ended.inc({ sqlstate: sqlState }),
      },
    );
    onShutdown(() => server.close(config.PENSTOCK_DRAIN_TIMEOUT_MS));
    logger.info({ host: config.PENSTOCK_HOST, port: server.port }, 'PostgreSQL endpoint listening');
    const connected = await Promise.all([
      gateway.connected(STARTUP_CONNECT_MS),
      own.connected(STARTUP_CONNECT_MS),
    ]);
    if (!connected.every(Boolean)) logger.warn('some services cannot be reached yet');
    setReady(true);
  },
});
