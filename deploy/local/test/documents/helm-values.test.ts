import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { faultsOf } from '../helm/support/kubernetes-schema.ts';
import { CHART, renderChart, type Values } from '../helm/support/render.ts';

const BLOCK = /```yaml\n([\s\S]*?)```/g;

describe('the values that the chart’s page shows', function () {
  this.timeout(60_000);
  let shown: readonly Values[];
  before(async () => {
    const page = await readFile(join(CHART, 'README.md'), 'utf8');
    shown = [...page.matchAll(BLOCK)]
      .map(([, text = '']) => parse(text) as Values)
      // The other block is of another chart.
      .filter((values) => !('rules' in values));
  });

  it('are ones that the chart has', async () => {
    const has = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as Values;
    expect(shown).to.have.length(2);
    for (const values of shown) expectKnown(values, has, '');
  });

  it('render to what Kubernetes takes', async () => {
    for (const values of shown) {
      const manifests = await renderChart(values);
      expect(manifests.length).to.be.greaterThan(20);
      for (const manifest of manifests)
        expect(faultsOf(manifest), `${manifest.kind} ${manifest.metadata.name}`).to.deep.equal([]);
    }
  });

  it('reach the objects', async () => {
    const text = JSON.stringify(await Promise.all(shown.map(renderChart)));
    for (const part of [
      'registry.example.com/penstock/auth:',
      'role/penstock-engine',
      '169.254.170.23/32',
      'ingress-nginx',
    ]) {
      expect(text).to.include(part);
    }
  });
});

/** Free-form maps and lists are the operator's own; all else must have a default in values.yaml. */
function expectKnown(values: Values, has: Values, path: string): void {
  for (const [name, value] of Object.entries(values)) {
    expect(has, `${path}${name}`).to.have.property(name);
    const inner = has[name];
    const isMap = (one: unknown): one is Values =>
      typeof one === 'object' && one !== null && !Array.isArray(one) && Object.keys(one).length > 0;
    if (isMap(inner) && isMap(value)) expectKnown(value, inner, `${path}${name}.`);
  }
}
