import { expect } from 'chai';
import { gatewaySettings } from '../src/settings.ts';

const { shape } = gatewaySettings;

describe('settings of the gateway', () => {
  it('take hosts and origins of /mcp between commas, none where there are none', () => {
    expect(shape.PENSTOCK_MCP_ALLOWED_HOSTS.parse(undefined)).to.deep.equal([]);
    expect(shape.PENSTOCK_MCP_ALLOWED_HOSTS.parse(' mcp.internal, [::1],10.0.0.5,')).to.deep.equal([
      'mcp.internal',
      '[::1]',
      '10.0.0.5',
    ]);
    expect(
      shape.PENSTOCK_MCP_ALLOWED_ORIGINS.parse('https://agent.example,chrome-extension://abcd,http://a:81'),
    ).to.deep.equal(['https://agent.example', 'chrome-extension://abcd', 'http://a:81']);
  });

  it('refuse what would never match', () => {
    for (const host of ['mcp.internal:8080', 'https://mcp.internal', 'MCP.internal', '*']) {
      expect(() => shape.PENSTOCK_MCP_ALLOWED_HOSTS.parse(host), host).to.throw(/without port/);
    }
    for (const origin of ['agent.example', 'https://agent.example/', 'https://*', '*', 'null']) {
      expect(() => shape.PENSTOCK_MCP_ALLOWED_ORIGINS.parse(origin), origin).to.throw(/without a path/);
    }
  });
});
