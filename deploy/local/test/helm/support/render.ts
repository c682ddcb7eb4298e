import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { findHelm } from './helm.ts';

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

/** The oldest Kubernetes that the chart is for. */
const KUBERNETES = '1.30.0';

const namespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

/** What the chart has no default for: who may reach the gateway, and where Redis is. */
export const OWN_NETWORK = { gatewayFrom: [namespace('ingress')], redisTo: [namespace('redis')] };

/** As renderValues, with the values that every installation has to name. */
export function renderChart(values: Values = {}): Promise<readonly Manifest[]> {
  const networkPolicy = { ...OWN_NETWORK, ...(values['networkPolicy'] as Values | undefined) };
  return renderValues({ ...values, networkPolicy });
}

/** Renders the chart with Helm. @throws Error with what Helm says where it does not */
export async function renderValues(values: Values): Promise<readonly Manifest[]> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-helm-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const where = ['--namespace', 'penstock', '--kube-version', KUBERNETES];
    const text = await helm('template', 'prod', CHART, ...where, '--values', file);
    return parseAllDocuments(text)
      .map((document) => {
        if (document.errors.length > 0) throw new Error(`${String(document.errors[0])}\n${text}`);
        return document.toJSON() as Manifest | null;
      })
      .filter((manifest) => manifest !== null);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs Helm; returns what it prints. */
export async function helm(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(await findHelm(), args, { timeout: RENDER_MS_MAX });
  return stdout;
}
