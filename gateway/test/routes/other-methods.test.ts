import { expect } from 'chai';
import { startGateway, type TestGateway } from '../support/gateway.ts';

/** Nothing here has a token, and the fake services know none of these calls: a wrong method gets that far nowhere. */
describe('a method that a path does not have', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const send = async (method: string, path: string, allow: string): Promise<Response> => {
    const answer = await fetch(`${gateway.url}${path}`, { method });
    expect(answer.status, `${method} ${path}`).to.equal(405);
    expect(answer.headers.get('allow'), path).to.equal(allow);
    expect(answer.headers.get('www-authenticate'), path).to.equal(null);
    return answer;
  };

  it('is refused as a JSON-RPC error at /mcp', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      expect(await (await send(method, '/mcp', 'POST')).json()).to.deep.equal({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_000, message: `${method} is not allowed here; allowed: POST` },
      });
    }
  });

  it('is refused as an OAuth error where OAuth clients call', async () => {
    const wrong = [
      ['GET', '/token', 'POST'],
      ['GET', '/register', 'POST'],
      ['DELETE', '/revoke', 'POST'],
      ['POST', '/.well-known/oauth-authorization-server', 'GET, HEAD'],
      ['POST', '/.well-known/oauth-protected-resource/mcp', 'GET, HEAD'],
    ] as const;
    for (const [method, path, allow] of wrong) {
      expect(await (await send(method, path, allow)).json(), path).to.deep.equal({
        error: 'invalid_request',
        error_description: `${method} is not allowed here; allowed: ${allow}`,
      });
    }
  });

  it('is refused as a page where people look', async () => {
    for (const [method, path, allow] of [
      ['POST', '/authorize', 'GET, HEAD'],
      ['PUT', '/login', 'GET, POST, HEAD'],
    ] as const) {
      const answer = await send(method, path, allow);
      expect(answer.headers.get('content-type'), path).to.include('text/html');
      expect(await answer.text(), path).to.include(`${method} is not allowed here`);
    }
  });
});
