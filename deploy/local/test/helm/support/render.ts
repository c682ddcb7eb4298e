import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { buildRenderer } from './go.ts';

export const CHART = join(import.meta.dirname, '../../../../helm');

const RENDER_MS_MAX = 30_000;

/** A Kubernetes object; what is in it depends on the kind. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: unknown;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
}

/** The environment of each component; what comes from a Secret is taken from `secrets` by the variable's name. */
export function environments(
  manifests: readonly Manifest[],
  secrets: Readonly<Record<string, string>>,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const entries = manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map(({ metadata, spec }) => {
      const { containers } = (spec as { template: { spec: { containers: [{ env: readonly Variable[] }] } } })
        .template.spec;
      const environment = containers[0].env.map(({ name, value }) => [name, value ?? secrets[name] ?? '']);
      return [
        metadata.labels?.['app.kubernetes.io/component'] ?? '',
        Object.fromEntries(environment) as Readonly<Record<string, string>>,
      ] as const;
    });
  return Object.fromEntries(entries);
}

/** Values as in values.yaml; what is not named keeps its default. */
export type Values = Readonly<Record<string, unknown>>;

/** Renders the chart with Helm where it is installed, else with what Helm renders with (render/main.go). */
export async function renderChart(values: Values = {}): Promise<readonly Manifest[]> {
  const text = (await withHelm(values)) ?? (await withTemplates(values));
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw new Error(`${String(document.errors[0])}\n${text}`);
      return document.toJSON() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
}

async function withHelm(values: Values): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-helm-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const args = ['template', 'prod', CHART, '--namespace', 'penstock', '--values', file];
    const { stdout } = await promisify(execFile)('helm', args, { timeout: RENDER_MS_MAX });
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function withTemplates(values: Values): Promise<string> {
  const renderer = await buildRenderer();
  const file = async (name: string) => parse(await readFile(join(CHART, name), 'utf8')) as Values;
  const chart = await file('Chart.yaml');
  const input = {
    chart: CHART,
    values: merge(await file('values.yaml'), values),
    release: { Name: 'prod', Namespace: 'penstock', Service: 'Helm' },
    metadata: { Name: chart['name'], Version: chart['version'], AppVersion: chart['appVersion'] },
  };
  const rendering = promisify(execFile)(renderer, { timeout: RENDER_MS_MAX });
  rendering.child.stdin?.end(JSON.stringify(input));
  const { stdout } = await rendering;
  const files = JSON.parse(stdout) as Readonly<Record<string, string>>;
  return Object.entries(files)
    .filter(([name]) => name.endsWith('.yaml'))
    .map(([, text]) => text)
    .join('\n---\n');
}

/** Helm's rule: maps are merged, everything else is replaced. */
function merge(defaults: Values, values: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(values)) {
    const before = merged[key];
    merged[key] = isMap(before) && isMap(value) ? merge(before, value) : value;
  }
  return merged;
}
