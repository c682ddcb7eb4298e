import { expect } from 'chai';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { createGuesses } from '../../src/limiting/guesses.ts';
import { createApp, type AppOptions } from '../../src/app.ts';
import { paths } from '../../src/openapi/document.ts';
import { bodies, type BodyName } from '../../src/openapi/schemas.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** The MCP surface and the sign-in, described by their own protocols and metadata; and the console, which has no other client. */
const ELSEWHERE =
  /^\/(?:$|mcp|authorize|token|register|revoke|login|enroll|console|\.well-known\/oauth-[\w-]+)(?:\/|$)/;

/** The REST routes as Express has them, as `GET /v1/schemas/{schemaName}`. */
function liveRoutes(): string[] {
  const unused = {} as AppOptions['clients'];
  const app = createApp({
    clients: unused,
    verifier: { verify: () => Promise.reject(new Error('unused')) },
    revocations: { isRevoked: async () => false, close: () => undefined },
    limiter: { admit: async () => undefined },
    guesses: createGuesses(null, createLogger({ service: 't', level: 'silent' })),
    usage: { record: async () => undefined, ensureAble: () => undefined },
    settings: { baseUrl: 'http://x', mcpUrl: 'http://x', trustedProxies: [] },
    logger: createLogger({ service: 't', level: 'silent' }),
    metrics: createMetrics('t'),
    isReady: () => true,
  });
  const { stack } = app.router as unknown as { stack: Layer[] };
  return stack
    .flatMap(({ route }) =>
      route === undefined || ELSEWHERE.test(route.path)
        ? []
        : Object.keys(route.methods)
            .filter((method) => method !== '_all')
            .map((method) => `${method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`),
    )
    .sort();
}

describe('the OpenAPI document', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  it('describes every live route of the REST API, and no other', () => {
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(liveRoutes()).to.deep.equal(described.sort()).and.to.have.length(18);
  });

  it('is served as OpenAPI 3.1 for the base URL', async () => {
    const { status, body } = await gateway.send('GET', '/v1/openapi.json', { as: null });
    expect(status).to.equal(200);
    expect(body).to.include({ openapi: '3.1.0' });
    expect(body).to.nested.include({ 'info.version': '0.1.0', 'servers[0].url': 'http://localhost:8080' });
  });

  it('refers only to what it holds', async () => {
    const { text, body } = await gateway.send('GET', '/v1/openapi.json', { as: null });
    const components = (body as unknown as { components: Record<string, Record<string, object>> }).components;
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).to.be.above(50);
    for (const [, kind, name] of references) expect(components[kind!], name).to.have.property(name!);
    expect(text.match(/"\$ref"/g)?.length).to.equal(references.length);
    const used = new Set(references.map(([, , name]) => name));
    for (const name of Object.keys(bodies)) expect(used, name).to.include(name);
  });

  it('gives examples that are valid', () => {
    const examples = [
      ...JSON.stringify(paths).matchAll(/\{"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"\},"example"/g),
    ];
    expect(examples.length).to.be.at.least(6);
    const check = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { schema, example } = value as { schema?: { $ref?: string }; example?: unknown };
      const name = schema?.$ref?.split('/').at(-1) as BodyName | undefined;
      if (name !== undefined && example !== undefined) {
        expect(bodies[name].safeParse(example).success, `${name} ${JSON.stringify(example)}`).to.equal(true);
      }
      Object.values(value).forEach(check);
    };
    check(paths);
  });

  it('has an operation ID of its own for every operation, and path parameters for every name in a path', () => {
    const ids: string[] = [];
    for (const [path, operations] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(operations)) {
        ids.push(operation!.operationId);
        const declared = (operation!.parameters ?? []).filter((p) => p.in === 'path').map((p) => p.name);
        expect(declared, path).to.deep.equal(names);
      }
    }
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
